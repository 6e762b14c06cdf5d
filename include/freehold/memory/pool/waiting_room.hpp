// SPDX-License-Identifier: BSL-1.0
// Where threads wait until blocks come back to a depot that had none.
// Costs who gives blocks one load as long as nobody waits. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace freehold::detail {

// When one call of a pool's is to wait no longer, however often it has to.
class patience {
    using clock = std::chrono::steady_clock;

public:
    // Counts from its first call on.
    [[nodiscard]] clock::time_point end(std::chrono::nanoseconds limit) noexcept {
        if (!has_begun_) {
            has_begun_ = true;
            const clock::time_point now = clock::now();
            if (limit < clock::time_point::max() - now) end_ = now + limit;
        }
        return end_;
    }

private:
    bool has_begun_ = false;
    clock::time_point end_ = clock::time_point::max();
};

class waiting_room {
public:
    // Sequentially consistent, as the depot's looks at it are: either who gives blocks sees the
    // waiter, or the waiter, which looks for blocks after it has entered, sees them.
    void enter() noexcept { waiters_.fetch_add(1, std::memory_order_seq_cst); }
    void leave() noexcept { waiters_.fetch_sub(1, std::memory_order_seq_cst); }
    [[nodiscard]] bool is_occupied() const noexcept {
        return waiters_.load(std::memory_order_seq_cst) > 0;
    }

    void wake_all() noexcept {
        {
            const std::lock_guard lock(mutex_);
            ++calls_;
        }
        called_.notify_all();
    }

    // Calls `look` until it does not return nullptr, again after each call of wake_all before the
    // time; nullptr if that was not enough.
    template <class Look>
    [[nodiscard]] void* wait_until(std::chrono::steady_clock::time_point time, Look look) {
        std::unique_lock lock(mutex_);
        for (;;) {
            const std::uint64_t heard = calls_;
            lock.unlock();
            if (void* const found = look()) return found;
            // By the clock: others may be called again and again, and take all there is.
            if (std::chrono::steady_clock::now() >= time) return nullptr;
            lock.lock();
            const auto called = [&] { return calls_ != heard; };
            if (time == std::chrono::steady_clock::time_point::max()) {
                called_.wait(lock, called);
            } else {
                called_.wait_until(lock, time, called);
            }
        }
    }

private:
    std::atomic<int> waiters_{0};
    std::mutex mutex_;
    std::condition_variable called_;
    std::uint64_t calls_ = 0;  // guarded by mutex_
};

}  // namespace freehold::detail
