// SPDX-License-Identifier: BSL-1.0
#include "line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace freehold::analyse {

line_fit fit_line(std::span<const double> x, std::span<const double> y,
                  std::span<const double> deviations) {
    if (x.size() != y.size() || x.size() != deviations.size())
        throw std::invalid_argument("a line needs as many y and deviations as x");
    if (x.size() < 3) throw std::invalid_argument("a line with its error needs three points");
    const auto finite = [](double value) { return std::isfinite(value); };
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite))
        throw std::invalid_argument("a line cannot be fitted to values that are not finite");
    if (!std::all_of(deviations.begin(), deviations.end(), positive))
        throw std::invalid_argument("a line needs deviations that are positive");

    const auto weight = [&](std::size_t i) { return 1 / (deviations[i] * deviations[i]); };
    double weights = 0;
    double x_mean = 0;
    double y_mean = 0;
    for (std::size_t i = 0; i != x.size(); ++i) {
        weights += weight(i);
        x_mean += weight(i) * x[i];
        y_mean += weight(i) * y[i];
    }
    x_mean /= weights;
    y_mean /= weights;
    double xx = 0;
    double xy = 0;
    for (std::size_t i = 0; i != x.size(); ++i) {
        xx += weight(i) * (x[i] - x_mean) * (x[i] - x_mean);
        xy += weight(i) * (x[i] - x_mean) * (y[i] - y_mean);
    }
    if (!(xx > 0)) throw std::invalid_argument("a line needs two different x at least");

    line_fit fit;
    fit.slope = xy / xx;
    fit.intercept = y_mean - fit.slope * x_mean;
    double squares = 0;
    for (std::size_t i = 0; i != x.size(); ++i) {
        fit.residuals.push_back((y[i] - y_mean) - fit.slope * (x[i] - x_mean));
        squares += weight(i) * fit.residuals.back() * fit.residuals.back();
    }
    const double unexplained = std::sqrt(squares / static_cast<double>(x.size() - 2));
    fit.slope_error = std::max(1.0, unexplained) / std::sqrt(xx);
    return fit;
}

}  // namespace freehold::analyse
