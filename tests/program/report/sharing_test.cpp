// SPDX-License-Identifier: BSL-1.0
// What the section on shared ownership draws from several suites.
#include "program/report/result_fixture.hpp"

#include <gtest/gtest.h>

namespace {

using namespace freehold;
using namespace freehold::test;

measurement cell(const std::string& who, const std::string& test, const std::string& lab = "g++") {
    return results_builder::cell_of(who, test, "ns", "threaded", lab);
}

results_builder measured() {
    results_builder results({"g++", "clang++"});
    for (const auto* lab : {"g++", "clang++"}) {
        results.timed("operations", cell("std::make_shared", "copy", lab), 12)
            .timed("operations", cell("locked pair", "copy", lab), 10)
            .timed("operations", cell("freehold::arc", "copy", lab), 10.1)
            .timed("operations", cell("freehold::make_shared", "copy", lab), 11)
            .timed("operations", cell("freehold::arc, biased", "copy", lab), 1.44)
            .timed("construction", cell("std::make_shared", "one", lab), 10)
            .timed("construction", cell("freehold::arc", "one", lab), 1)
            .timed("construction", cell("freehold::make_shared", "one", lab), 2.5);
    }
    results.exact("footprint", cell("freehold::arc", "beyond the object"), 12);
    return results;
}

TEST(sharing_section, figures_are_ratios_to_the_standards_of_the_same_setting) {
    auto results = measured();
    results.timed("construction", cell("freehold::arc", "1024 alive"), 2)
        .timed("construction", cell("std::make_shared", "1024 alive"), 20);
    const auto model = report_on(results);
    ASSERT_EQ(model.sections.at(0).id, "sharing");
    const auto* table = find_table(model, "sharing-costs-1");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "freehold::arc", "make and release", "")->value, 0.1, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "freehold::arc", "1024 alive", "")->value, 0.1, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "locked pair", "copy and release", "")->value, 10.0 / 12, 1e-9);
    EXPECT_EQ(cell_at(*table, "freehold::arc", "beyond the object", "")->text, "12");
    // What one is, is written out.
    EXPECT_EQ(cell_at(*table, "std::make_shared", "copy and release", "")->text, "12.0 ns");
    EXPECT_EQ(*cell_at(*table, "std::make_shared", "copy and release", "")->value, 1);
    ASSERT_NE(find_table(model, "sharing-costs-2"), nullptr);
    const auto* plot = find_plot(model, "sharing-plot");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(plot->reference, "std::make_shared");
    EXPECT_EQ(plot->series.size(), 4U);  // two steps of two compilers
}

TEST(sharing_section, an_aim_is_reached_missed_or_too_near_to_tell) {
    const auto model = report_on(measured());
    const auto* aims = find_table(model, "sharing-aims");
    ASSERT_NE(aims, nullptr);
    const auto reached = [&](const std::string& what) {
        return cell_at(*aims, what, "reached", "g++")->text;
    };
    EXPECT_EQ(reached("make and release, one: arc"), "yes");
    EXPECT_EQ(reached("copy and release: make_shared"), "no");  // 1.1 of a locked pair
    EXPECT_EQ(reached("copy and release: arc, biased"), "unsure");
    EXPECT_EQ(reached("bytes beyond the object: arc"), "yes");
    EXPECT_EQ(cell_at(*aims, "copy and release: arc", "at most", "aim")->text, "1.03");
    EXPECT_EQ(cell_at(*aims, "copy and release: arc", "of", "aim")->text, "locked pair");
    // Nothing was measured of the rest.
    for (const auto& row : aims->rows) EXPECT_EQ(row.head.find("move"), std::string::npos);
    EXPECT_FALSE(cell_at(*aims, "bytes beyond the object: arc", "reached", "clang++"));
}

TEST(sharing_section, finding_counts_what_was_reached) {
    EXPECT_EQ(report_on(measured()).sections.at(0).finding,
              "Made and released, arc takes 0.100 and freehold::make_shared 0.250 of "
              "std::make_shared; aims reached: 4 of 6 with g++ and 3 of 5 with clang++.");
}

TEST(sharing_section, is_left_out_where_nothing_can_be_compared) {
    results_builder results;
    results.timed("construction", cell("freehold::arc", "one"), 1);
    for (const auto& section : report_on(results).sections) EXPECT_NE(section.id, "sharing");
}

TEST(summary, says_what_making_an_owner_costs) {
    const auto model = report_on(measured());
    ASSERT_EQ(model.summary.size(), 1U);
    EXPECT_EQ(model.summary[0].label, "A freehold::arc made and released");
    EXPECT_EQ(model.summary[0].value, "1.00 ns");
    EXPECT_EQ(model.summary[0].note, "0.100 of std::make_shared; g++");
}

}  // namespace
