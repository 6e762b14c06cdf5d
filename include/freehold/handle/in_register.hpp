// SPDX-License-Identifier: BSL-1.0
// Keeps a handle of two words from being moved as one vector.
//
// Costs no instruction. Thread-safe. Does not throw.
#pragma once

namespace freehold::detail {

// The same pointer, on its own in a register: else compilers copy a handle's two words as one
// vector, whose load stalls when they were just written one by one.
template <class T>
[[gnu::always_inline]] inline T* in_register(T* pointer) noexcept {
    asm("" : "+r"(pointer));
    return pointer;
}

}  // namespace freehold::detail
