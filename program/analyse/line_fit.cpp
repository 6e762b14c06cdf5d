// SPDX-License-Identifier: BSL-1.0
#include "line_fit.hpp"

#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace freehold::analyse {

line_fit fit_line(std::span<const double> x, std::span<const double> y) {
    if (x.size() != y.size()) throw std::invalid_argument("a line needs as many y as x");
    if (x.size() < 3) throw std::invalid_argument("a line with its errors needs three points");
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite)) {
        throw std::invalid_argument("a line cannot be fitted to values that are not finite");
    }
    const double x_mean = mean(x);
    const double y_mean = mean(y);
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (std::size_t i = 0; i != x.size(); ++i) {
        xx += (x[i] - x_mean) * (x[i] - x_mean);
        xy += (x[i] - x_mean) * (y[i] - y_mean);
        yy += (y[i] - y_mean) * (y[i] - y_mean);
    }
    if (!(xx > 0)) throw std::invalid_argument("a line needs two different x at least");

    line_fit fit;
    fit.slope = xy / xx;
    fit.intercept = y_mean - fit.slope * x_mean;
    double squares = 0;
    for (std::size_t i = 0; i != x.size(); ++i) {
        fit.residuals.push_back((y[i] - y_mean) - fit.slope * (x[i] - x_mean));
        squares += fit.residuals.back() * fit.residuals.back();
    }
    const auto n = static_cast<double>(x.size());
    fit.residual_deviation = std::sqrt(squares / (n - 2));
    fit.slope_error = fit.residual_deviation / std::sqrt(xx);
    fit.intercept_error = fit.residual_deviation * std::sqrt(1 / n + x_mean * x_mean / xx);
    fit.r_squared = yy > 0 ? std::max(0.0, 1 - squares / yy) : 1;
    return fit;
}

}  // namespace freehold::analyse
