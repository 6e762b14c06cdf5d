// SPDX-License-Identifier: BSL-1.0
// What keeps a compiler from measuring less than is written. Google Benchmark's own are not used:
// in 1.7, g++ compiles DoNotOptimize of a pointer variable (`"+m,r"`) so that the variable's value
// is lost, and ClobberMemory is a signal fence, which need not keep plain stores apart.
#pragma once

namespace lab {

/// After it, all memory whose address is known elsewhere is as the abstract machine has it, and
/// nothing is known of it: no count is kept in a register, and no increment cancelled against a
/// decrement.
[[gnu::always_inline]] inline void barrier() noexcept {
    asm volatile("" : : : "memory");
}

/// Makes an object's address known elsewhere, and is a barrier.
[[gnu::always_inline]] inline void escape(const void* object) noexcept {
    asm volatile("" : : "r"(object) : "memory");
}

/// The same pointer, of which nothing is known: not that it is the only one, nor where it points.
template <class T>
T* hidden(T* pointer) noexcept {
    asm volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

}  // namespace lab
