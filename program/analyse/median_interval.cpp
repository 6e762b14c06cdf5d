// SPDX-License-Identifier: BSL-1.0
#include "median_interval.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace freehold::analyse {

namespace {

constexpr int resamples = 1000;

// The standard's distributions may differ between libraries. This one is the same everywhere. Its
// bias is below 2^-32 for any sample that fits in memory here.
std::size_t draw_below(std::size_t bound, std::mt19937_64& generator) {
    return static_cast<std::size_t>(((generator() >> 32) * static_cast<std::uint64_t>(bound)) >>
                                    32);
}

// Samples of which each drawing takes some, in order of size. A drawing is counted, not sorted: its
// median is found in one walk through the counts.
class drawn_samples {
public:
    explicit drawn_samples(const samples_by_process& processes) : sorted_(flattened(processes)) {
        std::sort(sorted_.begin(), sorted_.end());
        counts_.resize(sorted_.size());
        for (const std::vector<double>& process : processes) {
            std::vector<std::size_t>& ranks = ranks_.emplace_back();
            for (const double sample : process) {
                const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), sample);
                ranks.push_back(static_cast<std::size_t>(at - sorted_.begin()));
            }
        }
    }

    double median_of_a_drawing(std::mt19937_64& generator) {
        std::fill(counts_.begin(), counts_.end(), 0);
        std::size_t drawn = 0;
        for (std::size_t p = 0; p != ranks_.size(); ++p) {
            const std::vector<std::size_t>& process = ranks_[draw_below(ranks_.size(), generator)];
            for (std::size_t r = 0; r != process.size(); ++r) {
                ++counts_[process[draw_below(process.size(), generator)]];
            }
            drawn += process.size();
        }
        std::size_t rank = 0;
        std::size_t passed = counts_[0];
        const auto value_at = [&](std::size_t position) {
            while (passed <= position) passed += counts_[++rank];
            return sorted_[rank];
        };
        const double below = value_at((drawn - 1) / 2);
        return std::midpoint(below, value_at(drawn / 2));
    }

private:
    std::vector<double> sorted_;
    std::vector<std::vector<std::size_t>> ranks_;
    std::vector<std::size_t> counts_;
};

}  // namespace

interval expanded_percentiles(std::size_t clusters) {
    if (clusters < 2) return {0, 1};
    const auto n = static_cast<double>(clusters);
    const boost::math::students_t_distribution<double> student(n - 1);
    const double z = -std::sqrt(n / (n - 1)) * boost::math::quantile(student, 0.975);
    const double tail = boost::math::cdf(boost::math::normal_distribution<double>(), z);
    return {tail, 1 - tail};
}

estimate estimate_median(const samples_by_process& samples) {
    samples_by_process processes;
    for (const auto& process : samples) {
        if (!process.empty()) processes.push_back(process);
    }
    const std::vector<double> all = flattened(processes);
    const double centre = median(all);
    if (all.size() == 1) return {centre, {centre, centre}};

    std::mt19937_64 generator(20000801);
    std::vector<double> medians;
    medians.reserve(resamples);
    drawn_samples drawn(processes);
    for (int i = 0; i != resamples; ++i) medians.push_back(drawn.median_of_a_drawing(generator));
    const std::size_t units = processes.size() == 1 ? all.size() : processes.size();
    const interval at = expanded_percentiles(units);
    return {centre, {quantile(medians, at.low), quantile(medians, at.high)}};
}

}  // namespace freehold::analyse
