// SPDX-License-Identifier: BSL-1.0
// The least-squares line y = intercept + slope * x, with the standard errors that the residuals
// give. Computed from deviations about the means, so that a large offset costs no digits; checked
// against NIST's certified values. Pure; throws std::invalid_argument for fewer than three points,
// a value that is not finite, or x all alike.
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
    double r_squared = 0;  // 1 when y does not vary at all: the line then says all there is
    std::vector<double> residuals;
};

[[nodiscard]] line_fit fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace freehold::analyse
