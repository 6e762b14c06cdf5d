// SPDX-License-Identifier: BSL-1.0
// How many retries an s3_source may still send. A store that refuses most requests gets few retries
// on top of them, whatever `attempts` allows each read (the retry quota of AWS's SDKs, and gRPC's
// retry throttling). Thread-safe.
//
// | event | effect on the budget |
// |---|---|
// | a retry | takes one |
// | a read succeeds at its first attempt | returns a fifth of one |
// | a read succeeds after retries | returns one |
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_retry_budget {
public:
    explicit s3_retry_budget(unsigned retries) noexcept
        : most_(fifths_each * std::int64_t{retries}), left_(most_) {}

    // Returns false if the budget has less than one retry.
    [[nodiscard]] bool take() noexcept { return change(-fifths_each); }
    void succeeded(unsigned attempts) noexcept { change(attempts > 1 ? fifths_each : 1); }

private:
    static constexpr std::int64_t fifths_each = 5;

    bool change(std::int64_t fifths) noexcept {
        // relaxed: the number guards no data.
        std::int64_t left = left_.load(std::memory_order_relaxed);
        for (;;) {
            const std::int64_t changed = std::min(left + fifths, most_);
            if (changed < 0) return false;
            if (changed == left) return true;
            // relaxed: as above.
            if (left_.compare_exchange_weak(left, changed, std::memory_order_relaxed)) return true;
        }
    }

    const std::int64_t most_;
    std::atomic<std::int64_t> left_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
