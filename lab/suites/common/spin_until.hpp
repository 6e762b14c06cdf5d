// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <thread>

namespace lab {

/// States whether each of the threads that wait for one another has its own processor.
enum class processors { own, shared };

/// Spins until `reached()` is true. It waits for something that another running thread does soon.
/// After a long wait the other thread may have lost its processor, so this thread yields its own.
/// If the threads share processors, it yields almost at once.
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
