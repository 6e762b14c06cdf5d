// SPDX-License-Identifier: BSL-1.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace freehold::analyse {

namespace {

void require_a_sample(std::span<const double> sample) {
    if (sample.empty()) throw std::invalid_argument("an empty sample has no statistics");
}

}  // namespace

double median(std::span<const double> sample) {
    require_a_sample(sample);
    std::vector<double> values(sample.begin(), sample.end());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double quantile(std::span<const double> sample, double probability) {
    require_a_sample(sample);
    if (!(probability >= 0 && probability <= 1)) {
        throw std::invalid_argument("a quantile's probability lies between 0 and 1");
    }
    std::vector<double> values(sample.begin(), sample.end());
    std::sort(values.begin(), values.end());
    const double rank = probability * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const auto above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], rank - static_cast<double>(below));
}

double median_absolute_deviation(std::span<const double> sample) {
    const double centre = median(sample);
    std::vector<double> distances(sample.begin(), sample.end());
    for (double& value : distances) value = std::abs(value - centre);
    return median(distances);
}

double mean(std::span<const double> sample) {
    require_a_sample(sample);
    return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

std::vector<double> flattened(const samples_by_process& samples) {
    std::vector<double> all;
    for (const auto& process : samples) all.insert(all.end(), process.begin(), process.end());
    return all;
}

}  // namespace freehold::analyse
