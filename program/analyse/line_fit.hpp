// SPDX-License-Identifier: BSL-1.0
// The least-squares line y = intercept + slope * x, with the standard errors that follow from the
// residuals. It is computed from deviations from the means, so that a large offset costs no
// precision. The tests compare it with NIST's certified values. Pure. Throws std::invalid_argument
// if there are fewer than three points, a value is not finite, or all x are equal.
#pragma once

#include <span>
#include <vector>

namespace freehold::analyse {

struct line_fit {
    double intercept = 0;
    double slope = 0;
    double intercept_error = 0;  // standard errors; the report prints twice these
    double slope_error = 0;
    double residual_deviation = 0;  // with n - 2 degrees of freedom
    double r_squared = 0;  // 1 if y does not vary at all: the line then describes y completely
    std::vector<double> residuals;
};

[[nodiscard]] line_fit fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace freehold::analyse
