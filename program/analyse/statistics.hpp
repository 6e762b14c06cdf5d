// SPDX-License-Identifier: BSL-1.0
// Order statistics of a sample. Each call copies and partly sorts its input: O(n) for the median,
// O(n log n) for quantiles. Pure and thread-safe. An empty sample throws std::invalid_argument.
#pragma once

#include <span>
#include <vector>

namespace freehold::analyse {

// The samples of one cell: one inner vector for each process, with one number for each repetition.
using samples_by_process = std::vector<std::vector<double>>;

struct interval {
    double low = 0;
    double high = 0;
};

[[nodiscard]] double median(std::span<const double> sample);

// The quantile at `probability` in [0, 1], linear between order statistics: type 7 of Hyndman and
// Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996), the default
// of R.
[[nodiscard]] double quantile(std::span<const double> sample, double probability);

// The median distance from the median, not scaled. Multiplied by 1.4826, it estimates the standard
// deviation of a normal distribution.
[[nodiscard]] double median_absolute_deviation(std::span<const double> sample);

[[nodiscard]] double mean(std::span<const double> sample);

// All samples of all processes, one process after another.
[[nodiscard]] std::vector<double> flattened(const samples_by_process& samples);

}  // namespace freehold::analyse
