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

TEST(amounts, tell_shares_near_to_all_from_all) {
    EXPECT_EQ(share_text(0.9642), "96.4 %");
    EXPECT_EQ(share_text(0.9964), "99.64 %");
    EXPECT_EQ(share_text(0.99964), "99.964 %");
    EXPECT_EQ(share_text(1), "100 %");
    EXPECT_EQ(share_text(0), "0.0 %");
}

}  // namespace
}  // namespace amounts_test
