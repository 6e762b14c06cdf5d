// SPDX-License-Identifier: BSL-1.0
#include "two_samples.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/distributions/students_t.hpp>

namespace freehold::analyse {

namespace {

double squares_about_mean(std::span<const double> sample) {
    const double centre = mean(sample);
    double squares = 0;
    for (const double value : sample) squares += (value - centre) * (value - centre);
    return squares;
}

}  // namespace

variance_estimate pooled_variance(std::span<const double> first, std::span<const double> second) {
    const auto degrees = static_cast<double>(first.size() + second.size()) - 2;
    if (!(degrees > 0)) return {};
    return {(squares_about_mean(first) + squares_about_mean(second)) / degrees, degrees};
}

double variance_of_median(std::size_t n) {
    constexpr double half_pi = std::numbers::pi / 2;
    return half_pi / (static_cast<double>(n) + half_pi - 1);
}

difference compare_medians(std::span<const double> first, std::span<const double> second,
                           const variance_estimate& variance) {
    difference result;
    result.value = median(second) - median(first);
    if (!(variance.degrees > 0)) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        result.bounds = {-infinity, infinity};
        return result;
    }
    const double error = std::sqrt(
        variance.variance * (variance_of_median(first.size()) + variance_of_median(second.size())));
    if (!(error > 0)) {
        result.bounds = {result.value, result.value};
        result.p_value = result.value == 0 ? 1 : 0;
        return result;
    }
    const boost::math::students_t_distribution<double> student(variance.degrees);
    const double half_width = boost::math::quantile(student, 0.975) * error;
    result.bounds = {result.value - half_width, result.value + half_width};
    const double t = std::abs(result.value) / error;
    result.p_value = 2 * boost::math::cdf(boost::math::complement(student, t));
    return result;
}

}  // namespace freehold::analyse
