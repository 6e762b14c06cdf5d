// SPDX-License-Identifier: BSL-1.0
// Forces a value into a register. This prevents compiler habits that make a processor wait for its
// own recent write: reading two words as one vector, computing an array address as the sum of two
// registers, and addressing a thread-local variable relative to its segment. It costs no
// instruction.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Returns the same pointer, in a register of its own.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* in_register(T* pointer) noexcept {
    asm("" : "+r"(pointer));
    return pointer;
}

using two_words [[gnu::vector_size(16)]] = std::uint64_t;

// Returns the same words, together in one vector register.
[[nodiscard, gnu::always_inline]] inline two_words in_register(two_words words) noexcept {
#if defined(__x86_64__)
    asm("" : "+x"(words));
#elif defined(__aarch64__)
    asm("" : "+w"(words));
#endif
    return words;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
