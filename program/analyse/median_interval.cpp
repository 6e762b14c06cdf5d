// SPDX-License-Identifier: BSL-1.0
#include "median_interval.hpp"

#include <cmath>
#include <cstdint>
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
    std::vector<double> drawn;
    for (int i = 0; i != resamples; ++i) {
        drawn.clear();
        for (std::size_t p = 0; p != processes.size(); ++p) {
            const auto& process = processes[draw_below(processes.size(), generator)];
            for (std::size_t r = 0; r != process.size(); ++r) {
                drawn.push_back(process[draw_below(process.size(), generator)]);
            }
        }
        medians.push_back(median(drawn));
    }
    const std::size_t units = processes.size() == 1 ? all.size() : processes.size();
    const interval at = expanded_percentiles(units);
    return {centre, {quantile(medians, at.low), quantile(medians, at.high)}};
}

}  // namespace freehold::analyse
