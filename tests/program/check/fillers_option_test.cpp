// SPDX-License-Identifier: BSL-1.0
#include "check/plugin/zeroing/fillers/fillers.hpp"

#include <gtest/gtest.h>

namespace freehold::check::fillers_option_test {
namespace {

TEST(fill_functions, an_entry_names_buffer_size_and_how) {
    std::string problem;
    const auto all = parse_fillers("io::load:1:2:result;fill_bytes", problem);
    EXPECT_EQ(problem, "");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].name, "io::load");
    EXPECT_EQ(all[0].buffer, 1);
    EXPECT_EQ(all[0].size, 2);
    EXPECT_EQ(all[0].how, filled::by_result);
    EXPECT_EQ(all[1].name, "fill_bytes");
    EXPECT_EQ(all[1].buffer, 0);
    EXPECT_EQ(all[1].size, 1);
    EXPECT_EQ(all[1].how, filled::all);
}

TEST(fill_functions, a_wrong_entry_is_told_and_left_out) {
    for (const char* wrong : {"load:x", "load:0:1:often", ":0:1", "load:0:1:all:5", "load:-1"}) {
        std::string problem;
        EXPECT_TRUE(parse_fillers(wrong, problem).empty()) << wrong;
        EXPECT_NE(problem.find(wrong), std::string::npos) << wrong;
    }
}

}  // namespace
}  // namespace freehold::check::fillers_option_test
