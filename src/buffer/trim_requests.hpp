// SPDX-License-Identifier: BSL-1.0
// What other threads ask a thread cache to give up. Its thread applies the request at its next slow
// path. Thread-safe.
//
// A request must not be missed while the thread stays on its fast path, which compares with
// fast_limit_ only. All steps are seq_cst, so that in their single order one of two cases holds.
//
// | requesting thread | thread cache |
// |---|---|
// | 1. pending = true (add) | 1. fast_limit_ = limit_ |
// | 2. fast_limit_ = 0 | 2. if pending: fast_limit_ = 0 |
//
// Either step 2 on the right sees the request, or step 2 on the left overwrites the limit.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

struct trim_request {
    std::size_t max_idle_bytes = std::numeric_limits<std::size_t>::max();
    // Nanoseconds: drop what has been idle for at least this long.
    std::uint64_t min_age = std::numeric_limits<std::uint64_t>::max();
    // Release every reservation that is not in use.
    bool surplus = false;
};

class trim_requests {
public:
    void add(const trim_request& more) noexcept {
        const std::lock_guard lock(mutex_);
        pending_.max_idle_bytes = std::min(pending_.max_idle_bytes, more.max_idle_bytes);
        pending_.min_age = std::min(pending_.min_age, more.min_age);
        pending_.surplus = pending_.surplus || more.surplus;
        // seq_cst: see above.
        is_pending_.store(true, std::memory_order_seq_cst);
    }
    // Only the cache's thread may call this function and take.
    [[nodiscard]] bool is_any_pending() const noexcept {
        return is_pending_.load(std::memory_order_seq_cst);
    }
    [[nodiscard]] trim_request take() noexcept {
        const std::lock_guard lock(mutex_);
        // relaxed: the mutex orders it with add.
        is_pending_.store(false, std::memory_order_relaxed);
        return std::exchange(pending_, trim_request());
    }

private:
    std::mutex mutex_;
    trim_request pending_;
    std::atomic<bool> is_pending_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
