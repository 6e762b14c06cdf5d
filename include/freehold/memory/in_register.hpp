// SPDX-License-Identifier: BSL-1.0
// Keeps compilers from habits that make a processor wait for what it has just written: to write two
// words as one vector that are read or written one by one, and to find a place in an array as the
// sum of two registers, or a thread's variable relative to its segment. Costs nothing.
#pragma once

#include <utility>

namespace freehold::detail {

// The same pointer, on its own in a register.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* in_register(T* pointer) noexcept {
    asm("" : "+r"(pointer));
    return pointer;
}

// Takes the pointer out of its place, which is null then.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* taken_from(T*& place) noexcept {
    return in_register(std::exchange(place, in_register(static_cast<T*>(nullptr))));
}

}  // namespace freehold::detail
