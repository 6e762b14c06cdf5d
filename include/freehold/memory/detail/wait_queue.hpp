// SPDX-License-Identifier: BSL-1.0
// The place where threads wait until blocks return to an exhausted depot. While no thread waits, a
// thread that gives blocks makes one load. Thread-safe.
#pragma once

#include <freehold/memory/detail/depot_layout.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace freehold::inline FREEHOLD_ABI::detail {

// The deadline of one call of a pool, however often the call waits.
class deadline {
    using clock = std::chrono::steady_clock;

public:
    // The limit starts with the first call of this function.
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

class wait_queue : public block_waiters {
public:
    wait_queue() noexcept : block_waiters(&wake, &keep_across_fork) {}

    // Calls `look` until it returns a block, and returns that block. After each failure it waits
    // for a wake_all. Returns nullptr when `time` has passed.
    template <class Look>
    [[nodiscard]] void* wait_until(std::chrono::steady_clock::time_point time, Look look) {
        std::unique_lock lock(mutex_);
        for (;;) {
            const std::uint64_t heard = calls_;
            lock.unlock();
            if (void* const found = look()) return found;
            // This reads the clock, because wake_all may be called again and again while other
            // threads take all blocks.
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
    static void wake(block_waiters& waiters) noexcept {
        auto& self = static_cast<wait_queue&>(waiters);
        {
            const std::lock_guard lock(self.mutex_);
            ++self.calls_;
        }
        self.called_.notify_all();
    }
    // In a child, the condition still counts threads that do not exist there, and its destructor
    // would wait for them.
    [[FREEHOLD_LOCKS_ACROSS_CALLS]] static void keep_across_fork(block_waiters& waiters,
                                                                 fork_step step) noexcept {
        auto& self = static_cast<wait_queue&>(waiters);
        if (step == fork_step::before) return self.mutex_.lock();
        if (step == fork_step::in_child) std::construct_at(&self.called_);
        self.mutex_.unlock();
    }

    std::mutex mutex_;
    std::condition_variable called_;
    std::uint64_t calls_ = 0;  // guarded by mutex_
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
