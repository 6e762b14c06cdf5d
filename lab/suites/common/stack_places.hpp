// SPDX-License-Identifier: BSL-1.0
// Whether a handle in a local variable crosses the end of a cache line may change its time by a
// fifth. The system places the stack of each process at random. So a measurement is made at each
// place in a line where the stack may begin.
#pragma once

#include <cstddef>

namespace lab {

inline constexpr std::size_t stack_places = 4;

/// Calls `run` while the stack is at this place, which is less than `stack_places`.
template <class Run>
[[gnu::noinline]] auto at_stack_place(std::size_t place, Run&& run) {
    constexpr std::size_t alignment_of_stacks = 16;
    void* const room = __builtin_alloca(alignment_of_stacks * (place + 1));
    asm volatile("" : : "r"(room));  // the compiler must not remove it
    return run();
}

}  // namespace lab
