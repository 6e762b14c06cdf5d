// SPDX-License-Identifier: BSL-1.0
#include "analyse/placements.hpp"

#include <gtest/gtest.h>

namespace placements_test {
namespace {

using freehold::analyse::depends_on_placement;
using freehold::analyse::samples_by_process;

TEST(placements, matter_if_all_samples_of_one_are_a_tenth_above_all_of_another) {
    EXPECT_TRUE(depends_on_placement({{10}, {10}, {11.2}, {10}, {10}, {11.3}}, 3));
    EXPECT_TRUE(depends_on_placement({{20, 21}, {10}, {20}, {11}}, 2));
}

TEST(placements, do_not_matter_for_what_varies_within_one) {
    EXPECT_FALSE(depends_on_placement({{10}, {10}, {11.2}, {10}, {10}, {10}}, 3));
    EXPECT_FALSE(depends_on_placement({{10}, {20}, {20}, {10}}, 2));
    EXPECT_FALSE(depends_on_placement({{20, 10}, {10}, {20}, {11}}, 2));
}

TEST(placements, do_not_matter_by_less_than_a_tenth) {
    EXPECT_FALSE(depends_on_placement({{10}, {10.9}, {10}, {10.9}}, 2));
}

TEST(placements, are_not_told_apart_by_one_process_each) {
    EXPECT_FALSE(depends_on_placement({{10}, {20}, {30}}, 3));
    EXPECT_FALSE(depends_on_placement({{10}, {20}, {10}, {20}}, 1));
    EXPECT_FALSE(depends_on_placement({}, 3));
}

TEST(placements, do_not_matter_if_a_figure_is_zero) {
    EXPECT_FALSE(depends_on_placement({{0}, {1}, {0}, {1}}, 2));
}

}  // namespace
}  // namespace placements_test
