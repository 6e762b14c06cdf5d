// SPDX-License-Identifier: BSL-1.0
// Who uses a line_cache without its user's thread being in a call of it: fetches, and asynchronous
// gets. The cache must stay until the last of them has left.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace freehold::detail {

class active_operations {
public:
    // Once it has left, the cache may be gone.
    void enter() noexcept {
        const std::lock_guard lock(mutex_);
        ++count_;
    }
    void leave() noexcept {
        // Notified under the mutex: close, and with it this object, cannot be gone before.
        const std::lock_guard lock(mutex_);
        if (--count_ == 0) idle_.notify_all();
    }

    // Has fetches end, and waits until all have left.
    void close() noexcept {
        std::unique_lock lock(mutex_);
        // relaxed: it is only looked at now and then.
        is_closing_.store(true, std::memory_order_relaxed);
        idle_.wait(lock, [&] { return count_ == 0; });
    }
    [[nodiscard]] bool is_closing() const noexcept {
        return is_closing_.load(std::memory_order_relaxed);  // relaxed: as above
    }

private:
    std::atomic<bool> is_closing_{false};
    std::mutex mutex_;
    std::condition_variable idle_;
    std::size_t count_ = 0;  // guarded by mutex_
};

class operation_guard {
public:
    explicit operation_guard(active_operations& operations) noexcept : operations_(operations) {
        operations_.enter();
    }
    operation_guard(const operation_guard&) = delete;
    operation_guard& operator=(const operation_guard&) = delete;
    ~operation_guard() { operations_.leave(); }

private:
    active_operations& operations_;
};

}  // namespace freehold::detail
