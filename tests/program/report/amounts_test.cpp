// SPDX-License-Identifier: BSL-1.0
#include "report/amounts.hpp"

#include <gtest/gtest.h>

namespace amounts_test {
namespace {

using namespace freehold;

TEST(amounts, have_three_digits_and_the_unit_that_needs_no_more) {
    EXPECT_EQ(bytes_text(0.0), "0 B");
    EXPECT_EQ(bytes_text(100.0), "100 B");
    EXPECT_EQ(bytes_text(1536.0), "1.5 KiB");
    EXPECT_EQ(bytes_text(64.0 * 1024 * 1024), "64 MiB");
    EXPECT_EQ(time_text(7.25), "7.25 ns");
    EXPECT_EQ(time_text(1'234'567), "1.23 ms");
    EXPECT_EQ(time_text(5e12), "5000 s");
    EXPECT_EQ(count_text(std::uint64_t{1'234'567}), "1,234,567");
    EXPECT_EQ(count_text(12.34), "12.3");
    EXPECT_EQ(count_text(0.0), "0");
}

TEST(amounts, of_several_things_have_the_plural) {
    EXPECT_EQ(number_of(1, "more line"), "1 more line");
    EXPECT_EQ(number_of(1200, "more line"), "1,200 more lines");
    EXPECT_EQ(number_of(1, "copy"), "1 copy");
    EXPECT_EQ(number_of(0, "copy"), "0 copies");
    EXPECT_EQ(number_of(2, "process"), "2 processes");
}

TEST(amounts, of_time_have_one_unit_if_they_are_asked) {
    EXPECT_STREQ(unit_of_time(71.4).name, "ns");
    EXPECT_STREQ(unit_of_time(25e6).name, "ms");
    EXPECT_DOUBLE_EQ(unit_of_time(25e6).nanoseconds, 1e6);
}

TEST(amounts, tell_shares_near_to_all_from_all) {
    EXPECT_EQ(share_text(0.9642), "96.4 %");
    EXPECT_EQ(share_text(0.9964), "99.64 %");
    EXPECT_EQ(share_text(0.99964), "99.964 %");
    EXPECT_EQ(share_text(1), "100 %");
    EXPECT_EQ(share_text(0), "0.0 %");
}

}  // namespace
}  // namespace amounts_test
