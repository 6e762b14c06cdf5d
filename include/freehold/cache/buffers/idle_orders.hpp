// SPDX-License-Identifier: BSL-1.0
// What other threads want a thread's part of a cache to let go of: it obeys when it next comes to a
// slow path. Thread-safe.
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

class idle_orders {
public:
    struct orders {
        std::size_t most_idle = std::numeric_limits<std::size_t>::max();
        // Nanoseconds: what came back so long ago or longer is to go.
        std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
        // Of its reservations what it does not use.
        bool surplus = false;
    };

    void add(const orders& more) noexcept {
        const std::lock_guard lock(mutex_);
        orders_.most_idle = std::min(orders_.most_idle, more.most_idle);
        orders_.oldest = std::min(orders_.oldest, more.oldest);
        orders_.surplus = orders_.surplus || more.surplus;
        // seq_cst, as the load below and the stores to a part's gate are: either the part sees this
        // when it has opened its gate, or the gate is shut after it was opened.
        waiting_.store(true, std::memory_order_seq_cst);
    }
    // By the part's thread.
    [[nodiscard]] bool are_waiting() const noexcept {
        return waiting_.load(std::memory_order_seq_cst);
    }
    [[nodiscard]] orders take() noexcept {
        const std::lock_guard lock(mutex_);
        waiting_.store(false, std::memory_order_relaxed);  // relaxed: under the mutex, as in add
        return std::exchange(orders_, orders());
    }

private:
    std::mutex mutex_;
    orders orders_;
    std::atomic<bool> waiting_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
