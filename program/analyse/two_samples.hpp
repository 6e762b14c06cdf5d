// SPDX-License-Identifier: BSL-1.0
// Student's t for two samples of equal variance, which may be moderated beforehand.
// One disturbed observation moves a mean, and not a median. Pure. Without degrees of freedom, p is
// 1 and the interval is unbounded.
#pragma once

#include "statistics.hpp"
#include "variance_prior.hpp"

#include <cstddef>
#include <span>

namespace freehold::analyse {

struct difference {
    double value = 0;
    interval bounds;  // 95 %
    double p_value = 1;
};

// The variance within both samples together, about the median of each. In a sample of 3 to 12
// observations, the one that is farthest from the median does not count: it may have been
// disturbed. Neither sample may be empty.
[[nodiscard]] variance_estimate pooled_variance(std::span<const double> first,
                                                std::span<const double> second);

// The same for two samples of equal size whose observations are paired: half of the variance of the
// differences. What the observations of a pair have in common does not count.
[[nodiscard]] variance_estimate paired_variance(std::span<const double> first,
                                                std::span<const double> second);

// The variance of the median of n normal observations, divided by theirs. Within 2 % for odd n, up
// to a fifth too large for even n.
[[nodiscard]] double variance_of_median(std::size_t n);

// The mean of `second` minus the mean of `first`. Neither sample may be empty.
[[nodiscard]] difference compare_means(std::span<const double> first,
                                       std::span<const double> second,
                                       const variance_estimate& variance);

// The median of `second` minus the median of `first`. Neither sample may be empty.
[[nodiscard]] difference compare_medians(std::span<const double> first,
                                         std::span<const double> second,
                                         const variance_estimate& variance);

}  // namespace freehold::analyse
