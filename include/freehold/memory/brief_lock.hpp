// SPDX-License-Identifier: BSL-1.0
// A lock for sections of a few instructions that call nobody: it is spun for, and never sleeps.
#pragma once

#include <atomic>
#include <thread>

namespace freehold::detail {

class brief_lock {
public:
    constexpr brief_lock() noexcept = default;
    brief_lock(const brief_lock&) = delete;
    brief_lock& operator=(const brief_lock&) = delete;

    void lock() noexcept {
        // seq_cst: acquires what former holders wrote, and puts all sections of all locks in one
        // order, so that operations which are sections can be called sequentially consistent.
        while (taken_.exchange(true, std::memory_order_seq_cst)) {
            // relaxed: the exchange above decides. Reading keeps the holder's line with it; a
            // holder that was interrupted needs the processor.
            for (int i = 0; taken_.load(std::memory_order_relaxed); ++i) {
                if (i >= spins) std::this_thread::yield();
            }
        }
    }

    // release: the next holder sees what this one wrote and read.
    void unlock() noexcept { taken_.store(false, std::memory_order_release); }

private:
    static constexpr int spins = 64;
    std::atomic<bool> taken_{false};
};

}  // namespace freehold::detail
