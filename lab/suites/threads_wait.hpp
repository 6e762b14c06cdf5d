// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <thread>

namespace lab {

/// Waits, running, until `reached()` is true: for what another running thread is about to do. If
/// that takes long, the other may have lost its processor, and this one's is offered to it.
template <class Reached>
void spin_until(Reached&& reached) {
    constexpr int spins_per_yield = 4096;
    for (int spins = 1; !reached(); ++spins) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
        if (spins % spins_per_yield == 0) std::this_thread::yield();
    }
}

}  // namespace lab
