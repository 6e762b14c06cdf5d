// SPDX-License-Identifier: BSL-1.0
// Each lab's figures of the article's program are those that the article prints, to its last digit.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace buffers_article_test {
namespace {

using namespace lab_tests;
using nlohmann::json;

/// With six digits, as a stream prints it.
std::string printed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

class lab_buffers_article : public testing::TestWithParam<built_lab> {};

TEST_P(lab_buffers_article, is_reproduced) {
    const outcome ran = run_command(GetParam().path,
                                    "run buffers --process threaded --repetitions 1 --min-time "
                                    "0.00001 --filter '^keep_(largest|first_below)$'");
    ASSERT_EQ(ran.status, 0);
    std::map<std::tuple<std::string, std::string, int>, double> measured;
    for (const json& line : parse_lines(ran.output)) {
        if (line.at("event") != "exact" || !line.contains("n")) continue;
        measured[{line.at("subject"), line.at("case"), line.at("n")}] = line.at("value");
    }
    const json article = json::parse(std::ifstream(FREEHOLD_PUBLISHED_BY_CHEN));
    const json& figures = article.at("measurements");
    EXPECT_EQ(figures.size(), 2u * 14u * 4u);
    for (const json& each : figures) {
        const auto found = measured.find({each.at("subject"), each.at("case"), each.at("n")});
        ASSERT_NE(found, measured.end()) << each;
        const double value = each.at("value");
        if (each.at("unit") == "%") {
            EXPECT_EQ(printed(found->second), printed(value)) << each;
        } else {
            EXPECT_EQ(found->second, value) << each;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(each, lab_buffers_article, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace buffers_article_test
