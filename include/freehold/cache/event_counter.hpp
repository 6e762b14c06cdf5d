// SPDX-License-Identifier: BSL-1.0
// Counts what happens on any thread, for statistics: nothing is ordered by what it says, so all of
// it is relaxed. Costs a locked instruction for each addition. Thread-safe.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class event_counter {
public:
    void add(std::uint64_t amount) noexcept {
        value_.fetch_add(amount, std::memory_order_relaxed);  // relaxed: see above
    }
    [[nodiscard]] std::uint64_t read() const noexcept {
        return value_.load(std::memory_order_relaxed);  // relaxed: see above
    }

private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
