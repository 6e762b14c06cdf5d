// SPDX-License-Identifier: BSL-1.0
// Keeps compilers from habits that make a processor wait for what it has just written: to read two
// words as one vector, and to find a place in an array as the sum of two registers, or a thread's
// variable relative to its segment. Costs nothing.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// The same pointer, on its own in a register.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* in_register(T* pointer) noexcept {
    asm("" : "+r"(pointer));
    return pointer;
}

using two_words [[gnu::vector_size(16)]] = std::uint64_t;

// The same words, together in a register.
[[nodiscard, gnu::always_inline]] inline two_words in_register(two_words words) noexcept {
#if defined(__x86_64__)
    asm("" : "+x"(words));
#elif defined(__aarch64__)
    asm("" : "+w"(words));
#endif
    return words;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
