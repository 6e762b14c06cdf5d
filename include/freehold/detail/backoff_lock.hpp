// SPDX-License-Identifier: BSL-1.0
// What it is: a lock for critical sections of some ten to a hundred nanoseconds, rarely as long as
// a system call. An unlock is a plain store, where a mutex executes a locked instruction to find
// sleepers. Users: the central cache of a buffer_cache, and the writers of atomic pointers.
// When not: for sections that are often long. A waiting thread is not woken; it looks again.
//
// Complexity: a lock that is free takes one locked instruction. A waiting thread first spins, with
// pauses, for some 5 us. Then it sleeps for 50 us between two attempts.
// Thread safety: all functions may be called by several threads at once. Not recursive, not fair.
// Exceptions: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>
#include <freehold/detail/contention_pause.hpp>
#include <freehold/detail/platform/thread.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class backoff_lock {
public:
    constexpr backoff_lock() noexcept = default;
    backoff_lock(const backoff_lock&) = delete;
    backoff_lock& operator=(const backoff_lock&) = delete;

    void lock() noexcept {
        if (!try_lock()) [[unlikely]]
            wait_and_lock();
    }
    // acquire: this holder sees what former holders wrote.
    [[nodiscard]] bool try_lock() noexcept {
        return !is_taken_.exchange(true, std::memory_order_acquire);
    }
    // release: the next holder sees what this one wrote.
    void unlock() noexcept { is_taken_.store(false, std::memory_order_release); }

private:
    // Between two attempts, the holder's thread may take the lock several times. What these
    // sections change then goes from one processor to the other once for all of them: a thread that
    // spun without pauses would have it go there for each section, which takes five times as long.
    // More attempts would take processor time from other threads and save none.
    static constexpr int attempts_awake = 4;

    [[gnu::noinline, gnu::cold]] void wait_and_lock() noexcept {
        for (int attempts = 0;; ++attempts) {
            if (attempts < attempts_awake) {
                contention_pause();
            } else {
                sleep_microseconds(50);
            }
            // relaxed: the exchange decides. The load leaves the cache line with the holder.
            if (!is_taken_.load(std::memory_order_relaxed) && try_lock()) return;
        }
    }

    atomic<bool> is_taken_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
