// SPDX-License-Identifier: BSL-1.0
// What other threads want a thread's part of a cache to let go of: it obeys when it next comes to a
// slow path. Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>

namespace freehold::detail {

class trim_requests {
public:
    struct request {
        std::size_t max_idle_bytes = std::numeric_limits<std::size_t>::max();
        // Nanoseconds: what came back so long ago or longer is to go.
        std::uint64_t min_age = std::numeric_limits<std::uint64_t>::max();
        // Of its reservations what it does not use.
        bool surplus = false;
    };

    void add(const request& more) noexcept {
        const std::lock_guard lock(mutex_);
        pending_.max_idle_bytes = std::min(pending_.max_idle_bytes, more.max_idle_bytes);
        pending_.min_age = std::min(pending_.min_age, more.min_age);
        pending_.surplus = pending_.surplus || more.surplus;
        // seq_cst, as the load below and the stores to a part's gate are: either the part sees this
        // when it has opened its gate, or the gate is shut after it was opened.
        is_pending_.store(true, std::memory_order_seq_cst);
    }
    // By the part's thread.
    [[nodiscard]] bool is_any_pending() const noexcept {
        return is_pending_.load(std::memory_order_seq_cst);
    }
    [[nodiscard]] request take() noexcept {
        const std::lock_guard lock(mutex_);
        is_pending_.store(false, std::memory_order_relaxed);  // relaxed: under the mutex, as in add
        return std::exchange(pending_, request());
    }

private:
    std::mutex mutex_;
    request pending_;
    std::atomic<bool> is_pending_{false};
};

}  // namespace freehold::detail
