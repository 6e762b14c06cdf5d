// SPDX-License-Identifier: BSL-1.0
// Student's t for two samples of equal variance, which may be moderated beforehand. Pure. Without
// degrees of freedom, p is 1 and the interval is unbounded.
#pragma once

#include "statistics.hpp"
#include "variance_prior.hpp"

#include <span>

namespace freehold::analyse {

struct difference {
    double value = 0;
    interval bounds;  // 95 %
    double p_value = 1;
};

// The variance within both samples together, about the mean of each.
[[nodiscard]] variance_estimate pooled_variance(std::span<const double> first,
                                                std::span<const double> second);

// The mean of `second` minus the mean of `first`. Neither sample may be empty.
[[nodiscard]] difference compare_means(std::span<const double> first,
                                       std::span<const double> second,
                                       const variance_estimate& variance);

}  // namespace freehold::analyse
