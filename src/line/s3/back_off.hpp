// SPDX-License-Identifier: BSL-1.0
// The wait before the next attempt at a read: exponential back-off with full jitter. The wait is
// uniform between zero and a bound that doubles, so that clients that failed together do not retry
// together (M. Brooker, "Exponential Backoff And Jitter", AWS 2015). Not thread-safe.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include <algorithm>
#include <chrono>
#include <random>

namespace freehold::inline FREEHOLD_ABI::detail {

class s3_back_off {
public:
    using seed = std::minstd_rand::result_type;

    explicit s3_back_off(const s3_options& options, seed from = std::random_device()())
        : first_(options.first_delay), longest_(options.longest_delay), random_(from) {}

    // The wait after this many attempts, at least 1.
    std::chrono::milliseconds next(unsigned attempts) noexcept {
        std::chrono::milliseconds bound = first_;
        for (unsigned n = 1; n < attempts && bound < longest_; ++n) bound *= 2;
        std::uniform_int_distribution<std::chrono::milliseconds::rep> any(
            0, std::min(bound, longest_).count());
        return std::chrono::milliseconds(any(random_));
    }

private:
    const std::chrono::milliseconds first_;
    const std::chrono::milliseconds longest_;
    std::minstd_rand random_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
