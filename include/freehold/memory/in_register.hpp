// SPDX-License-Identifier: BSL-1.0
// Keeps compilers from two habits that make a processor wait for what it has just written: to copy
// two words that were written one by one as one vector, and to find a place in an array as the sum
// of two registers. Costs nothing.
#pragma once

namespace freehold::detail {

// The same pointer, on its own in a register.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* in_register(T* pointer) noexcept {
    asm("" : "+r"(pointer));
    return pointer;
}

}  // namespace freehold::detail
