// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace findings_test {
namespace {

using namespace freehold;

ranked entry(const std::string& name, double value, double error = 0.1) {
    return {name, with_error(value, error)};
}

std::string finding(const std::vector<ranked_setting>& settings) {
    return lowest_finding({.opening = "Least is",
                           .unit = "ns",
                           .baseline = "base",
                           .nothing = "Nothing was measured."},
                          settings);
}

TEST(finding, names_no_setting_where_all_agree) {
    EXPECT_EQ(finding({{"g++", {entry("a", 2), entry("base", 4)}},
                       {"clang++", {entry("base", 6), entry("a", 2.5)}}}),
              "Least is a (2.00 to 2.50 ns); base takes 2.00 to 2.40 times as long.");
    EXPECT_EQ(finding({{"g++", {entry("a", 2)}}}), "Least is a (2.00 ns).");
    EXPECT_EQ(finding({{"g++", {}}}), "Nothing was measured.");
    EXPECT_EQ(finding({}), "Nothing was measured.");
}

TEST(finding, names_the_settings_where_the_lowest_differs) {
    EXPECT_EQ(finding({{"g++", {entry("a", 2), entry("b", 3)}},
                       {"clang++", {entry("a", 3), entry("b", 2)}}}),
              "Least is a under g++ (2.00 ns) and b under clang++ (2.00 ns).");
}

TEST(finding, names_only_the_nearest_that_cannot_be_told_apart) {
    EXPECT_EQ(finding({{"g++", {entry("a", 2), entry("c", 2.15), entry("b", 2.1)}}}),
              "Least is a (2.00 ns), not distinguishable from b.");
    EXPECT_EQ(finding({{"g++", {entry("a", 2), entry("b", 2.1)}},
                       {"clang++", {entry("a", 2), entry("b", 3)}}}),
              "Least is a (2.00 ns), not distinguishable from b under g++.");
    // Each is the lowest under one compiler, but they are never distinguishable.
    EXPECT_EQ(finding({{"g++", {entry("a", 2), entry("b", 2.1)}},
                       {"clang++", {entry("a", 2.1), entry("b", 2)}}}),
              "Least is a (2.00 to 2.10 ns), not distinguishable from b.");
}

TEST(finding, tells_the_baseline_only_where_it_is_apart) {
    EXPECT_EQ(finding({{"g++", {entry("a", 2), entry("base", 4)}},
                       {"clang++", {entry("a", 2), entry("base", 2.1)}}}),
              "Least is a (2.00 ns), not distinguishable from base under clang++; base takes 2.00 "
              "times as long under g++.");
    EXPECT_EQ(finding({{"g++", {entry("base", 2), entry("a", 4)}}}), "Least is base (2.00 ns).");
}

TEST(finding, gives_up_figures_before_it_is_too_long) {
    const std::string first(50, 'a');
    const std::string second(60, 'b');
    const std::vector<ranked_setting> settings{
        {"g++", {entry(first, 2), entry(second, 2.1), entry("base", 4)}}};
    EXPECT_EQ(finding(settings),
              "Least is " + first + " (2.00 ns), not distinguishable from " + second + ".");
    std::vector<ranked_setting> many;
    for (char name = 'a'; name != 'k'; ++name) {
        many.push_back({std::string("a compiler ") + name, {entry(std::string(1, name), 2)}});
    }
    EXPECT_EQ(finding(many), "Least is different subjects: a, b, c, d, e, f, g, h, i and j.");
}

}  // namespace
}  // namespace findings_test
