// SPDX-License-Identifier: BSL-1.0
#include "analyse/outliers.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace outliers_test {
namespace {

using namespace freehold::analyse;

// The quartiles of 1 ... 9 are 3 and 7: mild beyond -3 and 13, severe beyond -9 and 19. Adding one
// value at each end keeps 11 values whose quartiles are the third from either end.
TEST(outliers, are_classified_by_tukeys_fences) {
    const std::vector<double> inner{2, 3, 4, 5, 6, 7, 8};
    const auto with = [&](double low, double high) {
        auto sample = inner;
        sample.insert(sample.end(), {low, low, high, high});
        return count_outliers(sample);
    };
    const auto none = with(-1.9, 11.9);
    EXPECT_EQ(none.total(), 0U);
    EXPECT_EQ(none.samples, 11U);
    const auto mild = with(-8, 18);
    EXPECT_EQ(mild.mild_low, 2U);
    EXPECT_EQ(mild.mild_high, 2U);
    EXPECT_EQ(mild.severe_low + mild.severe_high, 0U);
    const auto severe = with(-100, 100);
    EXPECT_EQ(severe.severe_low, 2U);
    EXPECT_EQ(severe.severe_high, 2U);
    EXPECT_EQ(severe.mild_low + severe.mild_high, 0U);
}

// Michelson's first 20 measurements of the speed of light (1879, R's `morley`, Expt 1): R's boxplot
// draws 650 as a point outside the whiskers, and no other.
TEST(outliers, of_michelsons_first_experiment) {
    const std::vector<double> speeds{850,  740, 900, 1070, 930, 850, 950,  980,  980, 880,
                                     1000, 980, 930, 650,  760, 810, 1000, 1000, 960, 960};
    const auto counts = count_outliers(speeds);
    EXPECT_EQ(counts.mild_low, 1U);
    EXPECT_EQ(counts.severe_low, 0U);
    EXPECT_EQ(counts.total(), 1U);
}

TEST(outliers, need_four_samples_and_add_up) {
    EXPECT_EQ(count_outliers(std::vector<double>{1, 1, 1000}).total(), 0U);
    EXPECT_EQ(count_outliers(std::vector<double>{2, 2, 2, 2}).total(), 0U);
    auto sum = count_outliers(std::vector<double>{1, 1, 1, 1, 1, 50});
    sum += sum;
    EXPECT_EQ(sum.samples, 12U);
    EXPECT_EQ(sum.severe_high, 2U);
}

}  // namespace
}  // namespace outliers_test
