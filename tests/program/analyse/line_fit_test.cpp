// SPDX-License-Identifier: BSL-1.0
#include "analyse/line_fit.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace line_fit_test {
namespace {

using freehold::analyse::fit_line;

std::vector<double> alike(std::size_t count, double deviation) {
    return std::vector<double>(count, deviation);
}

// NIST Statistical Reference Datasets, linear regression, Norris: 36 observations of an ozone
// monitor's calibration, with certified values to 15 digits.
// https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml
TEST(line_fit, norris_has_nists_certified_values) {
    const std::vector<double> x{0.2,   337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
                                777.0, 558.2, 0.4,   0.6,   775.5, 666.9, 338.0, 447.5, 11.6,
                                556.0, 228.1, 995.8, 887.6, 120.2, 0.3,   0.3,   556.8, 339.1,
                                887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
    const std::vector<double> y{0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
                                778.9, 559.2, 0.3,   0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
                                557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
                                888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
    const auto fit = fit_line(x, y, alike(x.size(), 1e-3));
    EXPECT_NEAR(fit.intercept, -0.262323073774029, 1e-12);
    EXPECT_NEAR(fit.slope, 1.00211681802045, 1e-13);
    EXPECT_NEAR(fit.slope_error, 0.429796848199937e-03, 1e-15);
}

// Anscombe, "Graphs in statistical analysis", The American Statistician 27 (1973), the first of the
// four data sets; the coefficients and errors as summary(lm(y1 ~ x1, anscombe)) of R prints them.
TEST(line_fit, anscombes_first_data_set) {
    const std::vector<double> x{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    const std::vector<double> y{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    const auto fit = fit_line(x, y, alike(x.size(), 1e-3));
    EXPECT_NEAR(fit.intercept, 3.0000909, 5e-8);
    EXPECT_NEAR(fit.slope, 0.5000909, 5e-8);
    EXPECT_NEAR(fit.slope_error, 0.1179055, 5e-8);
}

TEST(line_fit, an_exact_line_comes_back_with_the_error_of_its_points) {
    const std::vector<double> x{0, 2, 4, 8, 16, 32};
    std::vector<double> y;
    for (const double n : x) y.push_back(20 + 1.5 * n);
    const auto fit = fit_line(x, y, alike(x.size(), 0.5));
    EXPECT_NEAR(fit.intercept, 20, 1e-12);
    EXPECT_NEAR(fit.slope, 1.5, 1e-13);
    double squares = 0;
    for (const double n : x) squares += (n - 62 / 6.0) * (n - 62 / 6.0);
    EXPECT_NEAR(fit.slope_error, 0.5 / std::sqrt(squares), 1e-13);
    ASSERT_EQ(fit.residuals.size(), x.size());
    for (const double residual : fit.residuals) EXPECT_NEAR(residual, 0, 1e-12);
}

TEST(line_fit, a_point_counts_by_its_deviation) {
    const std::vector<double> x{0, 1, 2, 3};
    const std::vector<double> y{1, 3, 5, 100};
    const auto fit = fit_line(x, y, std::vector<double>{0.1, 0.1, 0.1, 1e9});
    EXPECT_NEAR(fit.intercept, 1, 1e-9);
    EXPECT_NEAR(fit.slope, 2, 1e-9);
    EXPECT_NEAR(fit.residuals.back(), 93, 1e-6);
    // Twice the same point counts as once with half of the variance.
    const auto twice =
        fit_line(std::vector<double>{0, 1, 1, 2}, std::vector<double>{1, 4, 4, 5}, alike(4, 1));
    const auto once = fit_line(std::vector<double>{0, 1, 2}, std::vector<double>{1, 4, 5},
                               std::vector<double>{1, std::sqrt(0.5), 1});
    EXPECT_NEAR(twice.slope, once.slope, 1e-12);
    EXPECT_NEAR(twice.intercept, once.intercept, 1e-12);
}

TEST(line_fit, refuses_degenerate_input) {
    const std::vector<double> three{1, 2, 3};
    const std::vector<double> two{1, 2};
    const std::vector<double> same{4, 4, 4};
    const std::vector<double> endless{1, 2, std::numeric_limits<double>::infinity()};
    EXPECT_THROW((void)fit_line(two, two, two), std::invalid_argument);
    EXPECT_THROW((void)fit_line(three, two, three), std::invalid_argument);
    EXPECT_THROW((void)fit_line(three, three, two), std::invalid_argument);
    EXPECT_THROW((void)fit_line(same, three, three), std::invalid_argument);
    EXPECT_THROW((void)fit_line(three, endless, three), std::invalid_argument);
    EXPECT_THROW((void)fit_line(three, three, endless), std::invalid_argument);
    EXPECT_THROW((void)fit_line(three, three, alike(3, 0)), std::invalid_argument);
}

}  // namespace
}  // namespace line_fit_test
