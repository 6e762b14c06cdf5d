// SPDX-License-Identifier: BSL-1.0
// Prevents the compiler from removing what a kernel measures. Google Benchmark's own functions are
// not suitable. In 1.7, g++ compiles DoNotOptimize of a pointer variable (`"+m,r"`) so that the
// variable's value is lost. ClobberMemory is a signal fence, which need not keep plain stores
// apart.
#pragma once

namespace lab {

/// The compiler must assume that this reads and writes all memory whose address has escaped. So it
/// keeps no count in a register, and cancels no increment against a decrement.
[[gnu::always_inline]] inline void barrier() noexcept {
    asm volatile("" : : : "memory");
}

/// Lets an object's address escape, and is a barrier.
[[gnu::always_inline]] inline void escape(const void* object) noexcept {
    asm volatile("" : : "r"(object) : "memory");
}

/// Returns the pointer. The compiler no longer knows where it points.
template <class T>
T* hidden(T* pointer) noexcept {
    asm volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

}  // namespace lab
