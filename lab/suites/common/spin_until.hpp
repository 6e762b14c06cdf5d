// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <thread>

namespace lab {

/// Whether each of the threads that wait for one another has a processor of its own.
enum class processors { own, shared };

/// Waits, running, until `reached()` is true: for what another running thread is about to do. If
/// that takes long, the other may have lost its processor, and this one's is offered to it; where
/// they share processors, almost at once.
template <class Reached>
void spin_until(Reached&& reached, processors have = processors::own) {
    const int spins_per_yield = have == processors::own ? 4096 : 16;
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
