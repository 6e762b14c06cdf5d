// SPDX-License-Identifier: BSL-1.0
#include "outliers.hpp"

#include "statistics.hpp"

namespace freehold::analyse {

outlier_counts& outlier_counts::operator+=(const outlier_counts& other) {
    samples += other.samples;
    severe_low += other.severe_low;
    mild_low += other.mild_low;
    mild_high += other.mild_high;
    severe_high += other.severe_high;
    return *this;
}

outlier_counts count_outliers(std::span<const double> sample) {
    outlier_counts counts;
    counts.samples = sample.size();
    if (sample.size() < 4) return counts;
    const double first = quantile(sample, 0.25);
    const double third = quantile(sample, 0.75);
    const double range = third - first;
    for (const double value : sample) {
        if (value < first - 3 * range) {
            ++counts.severe_low;
        } else if (value < first - 1.5 * range) {
            ++counts.mild_low;
        } else if (value > third + 3 * range) {
            ++counts.severe_high;
        } else if (value > third + 1.5 * range) {
            ++counts.mild_high;
        }
    }
    return counts;
}

}  // namespace freehold::analyse
