// SPDX-License-Identifier: BSL-1.0
// The line y = intercept + slope * x of least squares, where each y has a standard deviation of its
// own and counts by the inverse of its square. It is computed from deviations from the means, so
// that a large offset costs no precision. If the residuals are larger than the deviations explain,
// the errors grow with them. The tests compare it with NIST's certified values. Pure. Throws
// std::invalid_argument if there are fewer than three points, a value is not finite, a deviation is
// not positive, or all x are equal.
#pragma once

#include <span>
#include <vector>

namespace freehold::analyse {

struct line_fit {
    double intercept = 0;
    double slope = 0;
    double slope_error = 0;  // standard error
    std::vector<double> residuals;
};

[[nodiscard]] line_fit fit_line(std::span<const double> x, std::span<const double> y,
                                std::span<const double> deviations);

}  // namespace freehold::analyse
