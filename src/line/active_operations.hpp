// SPDX-License-Identifier: BSL-1.0
// Counts the operations that use a line_cache outside the calls of its users: fetches and
// asynchronous gets. The destructor of the cache waits for all of them.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace freehold::inline FREEHOLD_ABI::detail {

class active_operations {
public:
    // After leave(), the cache may be destroyed at any moment.
    void enter() noexcept {
        const std::lock_guard lock(mutex_);
        ++count_;
    }
    void leave() noexcept {
        // Notifies under the mutex, because close() may destroy this object as soon as it can lock
        // it.
        const std::lock_guard lock(mutex_);
        if (--count_ == 0) idle_.notify_all();
    }

    // Makes fetches end early, and waits until all operations have left.
    void close() noexcept {
        std::unique_lock lock(mutex_);
        // relaxed: a flag that fetches poll.
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

}  // namespace freehold::inline FREEHOLD_ABI::detail
