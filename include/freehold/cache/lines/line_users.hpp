// SPDX-License-Identifier: BSL-1.0
// Who uses a line_cache without its user's thread being in a call of it: fetches, and asynchronous
// gets. The cache must stay until the last of them has left.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_users {
public:
    // Once it has left, the cache may be gone.
    void enter() noexcept {
        const std::lock_guard lock(mutex_);
        ++inside_;
    }
    void leave() noexcept {
        // Notified under the mutex: close, and with it this object, cannot be gone before.
        const std::lock_guard lock(mutex_);
        if (--inside_ == 0) idle_.notify_all();
    }

    // Has fetches end, and waits until all have left.
    void close() noexcept {
        std::unique_lock lock(mutex_);
        // relaxed: it is only looked at now and then.
        is_closing_.store(true, std::memory_order_relaxed);
        idle_.wait(lock, [&] { return inside_ == 0; });
    }
    [[nodiscard]] bool is_closing() const noexcept {
        return is_closing_.load(std::memory_order_relaxed);  // relaxed: as above
    }

private:
    std::atomic<bool> is_closing_{false};
    std::mutex mutex_;
    std::condition_variable idle_;
    std::size_t inside_ = 0;  // guarded by mutex_
};

class line_user {
public:
    explicit line_user(line_users& users) noexcept : users_(users) { users_.enter(); }
    line_user(const line_user&) = delete;
    line_user& operator=(const line_user&) = delete;
    ~line_user() { users_.leave(); }

private:
    line_users& users_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
