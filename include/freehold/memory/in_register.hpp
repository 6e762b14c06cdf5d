// SPDX-License-Identifier: BSL-1.0
// Keeps compilers from habits that make a processor wait for what it has just written: to write one
// by one two words that are read as one vector, and to find a place in an array as the sum of two
// registers, or a thread's variable relative to its segment. Costs nothing.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>
#include <cstring>

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

// Whether all that makes, moves and copies a handle of two words writes both by one store.
// Compilers move both by one load, for which a processor waits (5 ns on a Xeon) if two stores have
// just written them.
#if defined(__OPTIMIZE__) && defined(__x86_64__) && defined(__LP64__)
inline constexpr bool stores_words_together = true;
#else
inline constexpr bool stores_words_together = false;
#endif

// Writes the two pointers that an object consists of by one store.
template <class First, class Second>
[[gnu::always_inline]] inline void store_together(void* object, First* first,
                                                  Second* second) noexcept {
    const two_words both = {reinterpret_cast<std::uintptr_t>(first),
                            reinterpret_cast<std::uintptr_t>(second)};
    std::memcpy(object, &both, sizeof both);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
