// SPDX-License-Identifier: BSL-1.0
// A mutex for sections of some tens of nanoseconds. Its fast paths are one instruction each, where
// std::mutex makes a call, which takes a third of such a section's time. A thread that has to wait
// spins as long as a section takes, and sleeps then. Thread-safe; not recursive.
//
// | state_ | meaning |
// |---|---|
// | free | no thread holds it |
// | held | a thread holds it, and no thread sleeps |
// | awaited | a thread holds it, and others may sleep |
#pragma once

#include <freehold/config.hpp>

#include <atomic>

namespace freehold::inline FREEHOLD_ABI::detail {

class short_mutex {
public:
    constexpr short_mutex() noexcept = default;
    short_mutex(const short_mutex&) = delete;
    short_mutex& operator=(const short_mutex&) = delete;

    void lock() noexcept {
        if (!try_lock()) [[unlikely]]
            wait_and_lock();
    }
    [[nodiscard]] bool try_lock() noexcept {
        int seen = free;
        // acquire: sees what the last holder wrote. relaxed: a failure reads nothing.
        return state_.compare_exchange_strong(seen, held, std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }
    void unlock() noexcept {
        // release: the next holder sees what this one wrote.
        if (state_.exchange(free, std::memory_order_release) == awaited) [[unlikely]]
            wake();
    }

private:
    static constexpr int free = 0;
    static constexpr int held = 1;
    static constexpr int awaited = 2;

    [[gnu::cold]] void wait_and_lock() noexcept;
    [[gnu::cold]] void wake() noexcept;

    std::atomic<int> state_{free};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
