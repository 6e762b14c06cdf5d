// SPDX-License-Identifier: BSL-1.0
#include "variance_prior.hpp"

#include "statistics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace freehold::analyse {

double inverse_trigamma(double x) {
    // Newton's method on 1 / trigamma, which is convex and nearly linear. It converges from below
    // from the start 1/2 + 1/x. For very large and very small x, the asymptotes are exact to double
    // precision.
    if (x > 1e7) return 1 / std::sqrt(x);
    if (x < 1e-6) return 1 / x;
    double y = 0.5 + 1 / x;
    for (int i = 0; i != 50; ++i) {
        const double value = boost::math::trigamma(y);
        const double step = value * (1 - value / x) / boost::math::polygamma(2, y);
        y += step;
        if (std::abs(step) < 1e-12 * y) break;
    }
    return y;
}

variance_estimate fit_variance_prior(std::span<const variance_estimate> cells) {
    std::vector<double> variances;
    for (const auto& cell : cells) {
        if (cell.degrees > 0) variances.push_back(cell.variance);
    }
    if (variances.size() < 3) return {};
    // A variance of zero (from a coarse clock) has no logarithm. It counts as very small.
    const double smallest = 1e-5 * median(variances);
    if (!(smallest > 0)) return {};

    std::vector<double> logarithms;
    double expected_spread = 0;
    for (const auto& cell : cells) {
        if (!(cell.degrees > 0)) continue;
        const double half = cell.degrees / 2;
        logarithms.push_back(std::log(std::max(cell.variance, smallest)) -
                             boost::math::digamma(half) + std::log(half));
        expected_spread += boost::math::trigamma(half);
    }
    const auto n = static_cast<double>(logarithms.size());
    const double centre = mean(logarithms);
    double spread = 0;
    for (const double value : logarithms) spread += (value - centre) * (value - centre);
    const double excess = spread / (n - 1) - expected_spread / n;
    if (!(excess > 0)) return {std::exp(centre), std::numeric_limits<double>::infinity()};
    const double half = inverse_trigamma(excess);
    return {std::exp(centre + boost::math::digamma(half) - std::log(half)), 2 * half};
}

variance_estimate moderated(const variance_estimate& cell, const variance_estimate& prior) {
    if (!(prior.degrees > 0)) return cell;
    if (std::isinf(prior.degrees)) return prior;
    const double degrees = cell.degrees + prior.degrees;
    return {(cell.degrees * cell.variance + prior.degrees * prior.variance) / degrees, degrees};
}

}  // namespace freehold::analyse
