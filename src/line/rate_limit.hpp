// SPDX-License-Identifier: BSL-1.0
// A token bucket, kept as the time at which all that was charged is paid. A charge is allowed at
// any size when that time has come, so that a charge above the bucket's size needs no special case.
// Not thread-safe.
//
// Source: the virtual scheduling of the generic cell rate algorithm (ITU-T I.371); Guava's
// RateLimiter, which also lets the next caller wait for the size of the last.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <chrono>

namespace freehold::inline FREEHOLD_ABI::detail {

class rate_limit {
public:
    using clock = std::chrono::steady_clock;

    // Without a limit if `per_second` is 0.
    rate_limit(double per_second, clock::duration burst) noexcept
        : per_second_(per_second), burst_(burst) {}

    // When the next charge is allowed.
    [[nodiscard]] clock::time_point due() const noexcept { return paid_; }
    void charge(double amount, clock::time_point now) noexcept {
        if (per_second_ > 0) paid_ = std::max(paid_, now - burst_) + time_of(amount);
    }
    void refund(double amount) noexcept {
        if (per_second_ > 0) paid_ -= time_of(amount);
    }

private:
    [[nodiscard]] clock::duration time_of(double amount) const noexcept {
        constexpr double longest = 1e9;  // seconds, which a clock's duration can hold
        return std::chrono::duration_cast<clock::duration>(
            std::chrono::duration<double>(std::min(amount / per_second_, longest)));
    }

    const double per_second_;
    const clock::duration burst_;
    clock::time_point paid_ = clock::time_point::min();  // before any charge
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
