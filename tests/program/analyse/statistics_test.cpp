// SPDX-License-Identifier: BSL-1.0
#include "analyse/statistics.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace statistics_test {
namespace {

using namespace freehold::analyse;

TEST(statistics, median_of_odd_and_even_samples_in_any_order) {
    EXPECT_DOUBLE_EQ(median(std::vector<double>{5}), 5);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5}), 5);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{9, 1, 5, 6}), 5.5);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{2, 2, 2, 100}), 2);
}

// R 4: quantile(c(15, 20, 35, 40, 50), c(.05, .3, .4, .5, 1)) and the example of Hyndman and Fan's
// type 7: position 1 + (n - 1) p.
TEST(statistics, quantiles_are_those_of_type_7) {
    const std::vector<double> sample{50, 15, 40, 20, 35};
    EXPECT_DOUBLE_EQ(quantile(sample, 0), 15);
    EXPECT_DOUBLE_EQ(quantile(sample, 0.05), 16);
    EXPECT_DOUBLE_EQ(quantile(sample, 0.3), 23);
    EXPECT_DOUBLE_EQ(quantile(sample, 0.4), 29);
    EXPECT_DOUBLE_EQ(quantile(sample, 0.5), 35);
    EXPECT_DOUBLE_EQ(quantile(sample, 1), 50);
}

TEST(statistics, median_absolute_deviation_ignores_a_far_value) {
    EXPECT_DOUBLE_EQ(median_absolute_deviation(std::vector<double>{1, 1, 2, 2, 4, 6, 9}), 1);
    EXPECT_DOUBLE_EQ(median_absolute_deviation(std::vector<double>{1, 1, 2, 2, 4, 6, 9000}), 1);
}

TEST(statistics, refuses_what_has_no_answer) {
    const std::vector<double> empty;
    EXPECT_THROW((void)median(empty), std::invalid_argument);
    EXPECT_THROW((void)mean(empty), std::invalid_argument);
    EXPECT_THROW((void)quantile(empty, 0.5), std::invalid_argument);
    EXPECT_THROW((void)quantile(std::vector<double>{1}, 1.5), std::invalid_argument);
}

}  // namespace
}  // namespace statistics_test
