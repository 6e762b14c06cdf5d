// SPDX-License-Identifier: BSL-1.0
#include "two_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace freehold::analyse {

namespace {

// For n normal observations: the expected sum of the squared distances from their median, without
// the largest one, divided by the variance; and the degrees of freedom of the chi-square
// distribution with the same mean and variance. Simulated with 2,000,000 samples for each n.
struct calm_squares {
    double expected;
    double degrees;
};
constexpr std::size_t fewest = 3;
constexpr std::array<calm_squares, 10> calm{{{0.3456, 0.790},
                                             {0.9392, 1.648},
                                             {1.6183, 2.594},
                                             {2.2967, 3.534},
                                             {3.1254, 4.444},
                                             {3.8597, 5.420},
                                             {4.7540, 6.312},
                                             {5.5235, 7.302},
                                             {6.4445, 8.212},
                                             {7.2494, 9.233}}};

// The variance of one sample. With up to 12 observations, the one that is farthest from the others
// does not count.
variance_estimate calm_variance(std::span<const double> sample) {
    const double centre = median(sample);
    double squares = 0;
    double largest = 0;
    for (const double value : sample) {
        const double square = (value - centre) * (value - centre);
        squares += square;
        largest = std::max(largest, square);
    }
    if (sample.size() < fewest) return {squares, static_cast<double>(sample.size()) - 1};
    if (sample.size() < fewest + calm.size()) {
        const calm_squares& normal = calm[sample.size() - fewest];
        return {(squares - largest) / normal.expected, normal.degrees};
    }
    const auto degrees = static_cast<double>(sample.size() - 1);
    return {squares / degrees, degrees};
}

/// `share` is the variance of the value, divided by that of an observation.
difference tested(double value, double share, const variance_estimate& variance) {
    difference result;
    result.value = value;
    if (!(variance.degrees > 0)) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        result.bounds = {-infinity, infinity};
        return result;
    }
    const double error = std::sqrt(variance.variance * share);
    if (!(error > 0)) {
        result.bounds = {value, value};
        result.p_value = value == 0 ? 1 : 0;
        return result;
    }
    const boost::math::students_t_distribution<double> student(variance.degrees);
    const double half_width = boost::math::quantile(student, 0.975) * error;
    result.bounds = {value - half_width, value + half_width};
    const double t = std::abs(value) / error;
    result.p_value = 2 * boost::math::cdf(boost::math::complement(student, t));
    return result;
}

}  // namespace

variance_estimate pooled_variance(std::span<const double> first, std::span<const double> second) {
    const variance_estimate one = calm_variance(first);
    const variance_estimate other = calm_variance(second);
    const double degrees = one.degrees + other.degrees;
    if (!(degrees > 0)) return {};
    return {(one.variance * one.degrees + other.variance * other.degrees) / degrees, degrees};
}

variance_estimate paired_variance(std::span<const double> first, std::span<const double> second) {
    std::vector<double> differences;
    for (std::size_t i = 0; i != first.size(); ++i) differences.push_back(second[i] - first[i]);
    if (differences.size() < 2) return {};
    const double centre = mean(differences);
    double squares = 0;
    for (const double each : differences) squares += (each - centre) * (each - centre);
    const auto degrees = static_cast<double>(differences.size() - 1);
    return {squares / degrees / 2, degrees};
}

double variance_of_median(std::size_t n) {
    constexpr double half_pi = std::numbers::pi / 2;
    return half_pi / (static_cast<double>(n) + half_pi - 1);
}

difference compare_means(std::span<const double> first, std::span<const double> second,
                         const variance_estimate& variance) {
    const auto n = [](std::span<const double> sample) {
        return static_cast<double>(sample.size());
    };
    return tested(mean(second) - mean(first), 1 / n(first) + 1 / n(second), variance);
}

difference compare_medians(std::span<const double> first, std::span<const double> second,
                           const variance_estimate& variance) {
    return tested(median(second) - median(first),
                  variance_of_median(first.size()) + variance_of_median(second.size()), variance);
}

}  // namespace freehold::analyse
