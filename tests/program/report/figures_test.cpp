// SPDX-License-Identifier: BSL-1.0
#include "report/sections/figures.hpp"

#include "report/sections/published.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace figures_test {
namespace {

using namespace freehold;

TEST(figures, have_three_significant_digits) {
    EXPECT_EQ(figure_text(10.6049), "10.6");
    EXPECT_EQ(figure_text(0.0123456), "0.0123");
    EXPECT_EQ(figure_text(9.996), "10.0");
    EXPECT_EQ(figure_text(1234.5), "1,230");
    EXPECT_EQ(figure_text(1234567), "1,230,000");
    EXPECT_EQ(figure_text(0), "0");
    EXPECT_EQ(figure_text(-2.5), "\u22122.50");
    EXPECT_EQ(figure_text(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(figures, show_an_error_to_the_same_decimal) {
    EXPECT_EQ(figure_text(104, 31), "104 \u00b1 31");
    EXPECT_EQ(figure_text(1.0349, 0.0312), "1.03 \u00b1 0.03");
    EXPECT_EQ(figure_text(10.61, 0.0312), "10.61 \u00b1 0.03");
    EXPECT_EQ(figure_text(10.61, 0), "10.6 \u00b1 0.0");
    EXPECT_EQ(figure_text(0.02, 0.3), "0.020 \u00b1 0.300");
    EXPECT_EQ(figure_text(-0.0001, 12.3), "0.0 \u00b1 12.3");
}

TEST(figures, a_figure_that_was_measured_once_shows_no_error) {
    EXPECT_EQ(error_cell(with_error(10.61, 0.0312)).text, "10.61 \u00b1 0.03");
    EXPECT_EQ(error_cell(with_error(10.61, 0)).text, "10.6");
}

TEST(figures, exact_numbers_lose_nothing) {
    EXPECT_EQ(exact_text(1234567), "1,234,567");
    EXPECT_EQ(exact_text(24), "24");
    EXPECT_EQ(exact_text(0.5), "0.500");
}

TEST(figures, percentages_have_their_sign) {
    EXPECT_EQ(percent_text(0.0523), "+5.2 %");
    EXPECT_EQ(percent_text(-0.2), "\u221220.0 %");
    EXPECT_EQ(percent_text(0), "0.0 %");
    EXPECT_EQ(percent_text(2.5), "+250 %");
}

TEST(figures, a_ratio_to_what_may_be_nothing_is_none) {
    const auto times = ratio(with_error(20, 2), with_error(10, 1));
    ASSERT_TRUE(times);
    EXPECT_DOUBLE_EQ(times->value, 2);
    EXPECT_NEAR(std::log(times->bounds.high / 2), std::hypot(std::log(1.1), std::log(0.9)), 1e-12);
    EXPECT_FALSE(ratio(with_error(20, 2), with_error(0.1, 0.2)));
    EXPECT_FALSE(ratio(with_error(20, 2), with_error(-1, 0.2)));
}

TEST(figures, a_ratio_of_positive_figures_has_a_positive_interval) {
    const auto noisy = ratio({13, {12, 14}}, {0.6, {0.5, 4}});
    ASSERT_TRUE(noisy);
    EXPECT_GT(noisy->bounds.low, 0);
    EXPECT_LT(noisy->bounds.low, 0.2 * noisy->value);  // the divisor may be almost 7 times as large
    EXPECT_LT(noisy->bounds.high, 1.3 * noisy->value);
    const auto perhaps_none = ratio({1, {-1, 3}}, {2, {1.9, 2.1}});
    ASSERT_TRUE(perhaps_none);
    EXPECT_LT(perhaps_none->bounds.low, 0);
}

TEST(figures, names_are_joined_as_in_a_sentence) {
    EXPECT_EQ(joined({}), "");
    EXPECT_EQ(joined({"a"}), "a");
    EXPECT_EQ(joined({"a", "b", "c"}), "a, b and c");
}

TEST(published, figures_are_found_by_keys_and_others_are_none) {
    const auto& page = published("boost_2000");
    ASSERT_EQ(page.compilers().size(), 2U);
    const auto copy = page.find(page.compilers()[0], "simple_counted", "hold.slope");
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->figure.bounds.high - copy->figure.value, 31);  // two deviations, as printed
    EXPECT_FALSE(page.find(page.compilers()[1], "std.shared_ptr", "hold.slope"));
    EXPECT_THROW((void)published("nobody_1999"), std::out_of_range);
}

TEST(labels, are_as_short_as_tells_files_apart) {
    EXPECT_EQ(labels_for({"results.json"}), (std::vector<std::string>{"results"}));
    EXPECT_EQ(labels_for({"old/results.json", "new/results.json"}),
              (std::vector<std::string>{"old/results", "new/results"}));
    EXPECT_EQ(labels_for({"a.json", "a.json"}), (std::vector<std::string>{"a", "a (2)"}));
    EXPECT_TRUE(labels_for({}).empty());
}

}  // namespace
}  // namespace figures_test
