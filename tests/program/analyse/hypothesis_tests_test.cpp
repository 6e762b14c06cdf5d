// SPDX-License-Identifier: BSL-1.0
// What the comparison's verdicts are made of, each against values worked out elsewhere.
#include "analyse/multiple_testing.hpp"
#include "analyse/two_samples.hpp"
#include "analyse/variance_prior.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace hypothesis_tests_test {
namespace {

using namespace freehold::analyse;

// The example of stdlib.js' documentation of `padjust`, which follows R's p.adjust(p, "holm").
TEST(multiple_testing, holm_as_in_rs_p_adjust) {
    const auto adjusted = holm_adjusted(std::vector<double>{0.319, 0.201, 0.4, 0.374, 0.113});
    const std::vector<double> expected{0.957, 0.804, 0.957, 0.957, 0.565};
    for (std::size_t i = 0; i != expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12);
    const auto ladder = holm_adjusted(std::vector<double>{0.05, 0.04, 0.03, 0.02, 0.01});
    const std::vector<double> from_r{0.09, 0.09, 0.09, 0.08, 0.05};
    for (std::size_t i = 0; i != from_r.size(); ++i) EXPECT_NEAR(ladder[i], from_r[i], 1e-12);
}

// The 15 comparisons of Benjamini and Hochberg (1995), section 4.2: a procedure that bounds the
// family-wise error at 5 % finds the first three.
TEST(multiple_testing, finds_three_of_benjamini_and_hochbergs_fifteen) {
    const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    const auto adjusted = holm_adjusted(p);
    EXPECT_NEAR(adjusted[0], 0.0015, 1e-12);
    EXPECT_NEAR(adjusted[2], 0.0247, 1e-12);
    for (std::size_t i = 0; i != p.size(); ++i) EXPECT_EQ(adjusted[i] < 0.05, i < 3) << i;
    EXPECT_EQ(adjusted.back(), 1);
    EXPECT_TRUE(holm_adjusted({}).empty());
}

// Student's data on two soporific drugs (1908), R's `sleep`: the medians are 0.35 and 1.75.
TEST(two_samples, students_sleep_data) {
    const std::vector<double> first{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    const std::vector<double> second{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    const auto variance = pooled_variance(first, second);
    EXPECT_NEAR(variance.degrees, 14.6, 0.01);
    EXPECT_NEAR(variance.variance, 3.6, 1) << "R's is 3.6048";
    const auto found = compare_medians(first, second, variance);
    EXPECT_NEAR(found.value, 1.4, 1e-12);
    const double error = std::sqrt(variance.variance * 2 * variance_of_median(10));
    EXPECT_NEAR(found.bounds.high, 1.4 + 2.1367 * error, 1e-3) << "qt(0.975, 14.6)";
    EXPECT_NEAR(found.bounds.low, 1.4 - 2.1367 * error, 1e-3);
}

// The variance of the median of 3 and of 5 normal observations is 0.4487 and 0.2868 in tables of
// order statistics.
TEST(two_samples, the_variance_of_a_median_is_that_of_normal_observations) {
    EXPECT_EQ(variance_of_median(1), 1);
    EXPECT_NEAR(variance_of_median(3), 0.4487, 0.4487 * 0.02);
    EXPECT_NEAR(variance_of_median(5), 0.2868, 0.2868 * 0.02);
    std::mt19937_64 generator(9);
    std::normal_distribution<double> normal;
    for (const std::size_t n : {2U, 4U, 9U}) {
        double squares = 0;
        constexpr int drawings = 20000;
        for (int i = 0; i != drawings; ++i) {
            std::vector<double> drawn;
            while (drawn.size() != n) drawn.push_back(normal(generator));
            squares += median(drawn) * median(drawn);
        }
        const double simulated = squares / drawings;
        EXPECT_GE(variance_of_median(n), simulated * 0.96) << n;
        EXPECT_LE(variance_of_median(n), simulated * 1.25) << n;
    }
}

TEST(two_samples, one_disturbed_observation_moves_nothing) {
    const std::vector<double> calm{4.9, 5.0, 5.1, 5.0};
    const std::vector<double> disturbed{4.9, 5.0, 50.0, 5.0};
    const auto variance = pooled_variance(calm, disturbed);
    EXPECT_LT(variance.variance, 0.02);
    EXPECT_EQ(compare_medians(calm, disturbed, variance).value, 0);
}

TEST(two_samples, the_variance_of_normal_observations_is_met_for_every_size) {
    std::mt19937_64 generator(5);
    std::normal_distribution<double> normal(7, 3);
    for (std::size_t n = 2; n != 16; ++n) {
        double sum = 0;
        double squares = 0;
        double degrees = 0;
        constexpr int drawings = 40000;
        for (int i = 0; i != drawings; ++i) {
            std::vector<double> first;
            std::vector<double> second;
            while (first.size() != n) first.push_back(normal(generator));
            while (second.size() != n) second.push_back(normal(generator) + 100);
            const auto found = pooled_variance(first, second);
            sum += found.variance;
            squares += found.variance * found.variance;
            degrees = found.degrees;
        }
        const double average = sum / drawings;
        const double spread = squares / drawings - average * average;
        EXPECT_NEAR(average, 9, 0.6) << n;
        EXPECT_NEAR(2 * average * average / spread, degrees, 0.1 * degrees) << n;
    }
}

TEST(two_samples, tells_nothing_without_degrees_of_freedom) {
    const std::vector<double> one{1};
    const std::vector<double> other{2};
    const auto found = compare_medians(one, other, pooled_variance(one, other));
    EXPECT_EQ(found.p_value, 1);
    EXPECT_EQ(found.bounds.low, -std::numeric_limits<double>::infinity());
}

TEST(two_samples, without_any_spread_only_equality_is_no_change) {
    const std::vector<double> fours{4, 4};
    const std::vector<double> fives{5, 5};
    EXPECT_EQ(compare_medians(fours, fours, pooled_variance(fours, fours)).p_value, 1);
    EXPECT_EQ(compare_medians(fours, fives, pooled_variance(fours, fives)).p_value, 0);
}

// Abramowitz and Stegun, 6.4: trigamma(1) = pi^2 / 6, trigamma(1/2) = pi^2 / 2, and
// trigamma(3/2) = pi^2 / 2 - 4.
TEST(variance_prior, inverse_trigamma_at_known_values) {
    constexpr double square = std::numbers::pi * std::numbers::pi;
    EXPECT_NEAR(inverse_trigamma(square / 6), 1, 1e-10);
    EXPECT_NEAR(inverse_trigamma(square / 2), 0.5, 1e-10);
    EXPECT_NEAR(inverse_trigamma(square / 2 - 4), 1.5, 1e-10);
    EXPECT_NEAR(inverse_trigamma(1e-8), 1e8, 1);
    EXPECT_NEAR(inverse_trigamma(1e8), 1e-4, 1e-7);
}

// Variances drawn from the model itself: s0^2 d0 / chi^2(d0) for the cell, times chi^2(d) / d for
// what was seen of it. 20,000 cells give the parameters back.
TEST(variance_prior, finds_the_parameters_of_its_own_model) {
    std::mt19937_64 generator(4);
    std::chi_squared_distribution<double> prior(6);
    std::chi_squared_distribution<double> seen(4);
    std::vector<variance_estimate> cells;
    for (int i = 0; i != 20000; ++i) {
        const double truth = 0.25 * 6 / prior(generator);
        cells.push_back({truth * seen(generator) / 4, 4});
    }
    const auto found = fit_variance_prior(cells);
    EXPECT_NEAR(found.degrees, 6, 0.5);
    EXPECT_NEAR(found.variance, 0.25, 0.01);
}

TEST(variance_prior, cells_that_are_equally_noisy_share_one_variance) {
    const std::vector<variance_estimate> alike{{2, 4}, {2, 4}, {2, 4}, {2, 4}};
    EXPECT_TRUE(std::isinf(fit_variance_prior(alike).degrees));
}

TEST(variance_prior, too_few_cells_or_no_variance_say_nothing) {
    const std::vector<variance_estimate> two{{2, 4}, {3, 4}};
    EXPECT_EQ(fit_variance_prior(two).degrees, 0);
    const std::vector<variance_estimate> still{{0, 4}, {0, 4}, {0, 4}};
    EXPECT_EQ(fit_variance_prior(still).degrees, 0);
    const auto kept = moderated({3, 4}, {});
    EXPECT_EQ(kept.variance, 3);
    EXPECT_EQ(kept.degrees, 4);
    const auto drawn = moderated({3, 4}, {1, 4});
    EXPECT_DOUBLE_EQ(drawn.variance, 2);
    EXPECT_DOUBLE_EQ(drawn.degrees, 8);
}

}  // namespace
}  // namespace hypothesis_tests_test
