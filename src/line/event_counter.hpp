// SPDX-License-Identifier: BSL-1.0
// A statistics counter that any thread may add to and read. Relaxed throughout: nothing is ordered
// by its value. An addition is one locked instruction.
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
