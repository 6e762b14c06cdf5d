// SPDX-License-Identifier: BSL-1.0
// Counts samples that are far from the rest, and removes none. The medians that Freehold reports
// need no removal, and the user should see that a machine is disturbed. A sample is mild beyond
// 1.5, and severe beyond 3 interquartile ranges outside the quartiles (Tukey, "Exploratory data
// analysis", 1977; criterion reports the same classes). Pure. Fewer than four samples have no
// outliers.
#pragma once

#include <cstddef>
#include <span>

namespace freehold::analyse {

struct outlier_counts {
    std::size_t samples = 0;
    std::size_t severe_low = 0;
    std::size_t mild_low = 0;
    std::size_t mild_high = 0;
    std::size_t severe_high = 0;

    [[nodiscard]] std::size_t total() const {
        return severe_low + mild_low + mild_high + severe_high;
    }
    outlier_counts& operator+=(const outlier_counts& other);
};

[[nodiscard]] outlier_counts count_outliers(std::span<const double> sample);

}  // namespace freehold::analyse
