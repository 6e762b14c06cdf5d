// SPDX-License-Identifier: BSL-1.0
// The section on lines that are to be filled: costs, their parts, the seed's program and the aims.
#include "program/report/result_fixture.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace freehold;
using namespace freehold::test;

measurement cell(const std::string& who, const std::string& test,
                 const std::string& unit = "s/GiB") {
    return results_builder::cell_of(who, test, unit, "threaded", "g++");
}

/// Lines copied to: the copy takes 0.04 s, a memset 0.06, page faults 0.42.
results_builder lines() {
    results_builder results;
    results.timed("zeroing", cell("floor", "memcpy, kept"), 0.04)
        .timed("zeroing", cell("std::make_shared", "memcpy, kept"), 0.52)
        .timed("zeroing", cell("std::make_shared", "memcpy, kept, user"), 0.1)
        .timed("zeroing", cell("std::make_shared", "memcpy, kept, system"), 0.42)
        .timed("zeroing", cell("std::make_shared", "memcpy, kept, wall"), 0.6)
        .timed("zeroing", cell("std::make_shared", "memcpy, kept, memset"), 0.06)
        .timed("zeroing", cell("std::make_shared", "memcpy, kept, faults", "faults/GiB"), 262144)
        .timed("zeroing", cell("std::make_shared_for_overwrite", "memcpy, kept"), 0.46)
        .timed("zeroing", cell("freehold::pool, huge", "memcpy, kept"), 0.0408, 0.001)
        .timed("zeroing", cell("freehold::pool, huge", "memcpy, kept, faults", "faults/GiB"), 0)
        .timed("zeroing",
               cell("freehold::pool, huge", "memcpy, kept, after a fork, faults", "faults/GiB"), 12)
        .timed("zeroing", cell("freehold::pool", "memcpy, ring"), 0.036);
    return results;
}

const report_section& zeroing_in(const report_model& model) {
    return *std::find_if(model.sections.begin(), model.sections.end(),
                         [](const auto& section) { return section.id == "zeroing"; });
}

TEST(zeroing_section, lines_stand_with_what_each_filling_takes) {
    const auto model = report_on(lines());
    const auto* table = find_table(model, "zeroing-lines");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->columns.size(), 2U);  // what was not measured has none
    EXPECT_NEAR(*cell_at(*table, "std::make_shared", "memcpy", "g++, kept")->value, 0.52, 1e-9);
    EXPECT_EQ(cell_at(*table, "freehold::pool, huge", "memcpy", "g++, kept")->mark, "lowest");
    EXPECT_EQ(cell_at(*table, "floor", "memcpy", "g++, kept")->mark, "");
    for (const auto& row : table->rows) EXPECT_EQ(row.reference, row.head == "floor") << row.head;
    const auto* detail = find_table(model, "zeroing-memcpy-kept");
    ASSERT_NE(detail, nullptr);
    EXPECT_NEAR(*cell_at(*detail, "std::make_shared", "user", "g++")->value, 0.1, 1e-9);
    EXPECT_NEAR(*cell_at(*detail, "std::make_shared", "system", "g++")->value, 0.42, 1e-9);
    EXPECT_NEAR(*cell_at(*detail, "std::make_shared", "wall", "g++")->value, 0.6, 1e-9);
    EXPECT_NEAR(*cell_at(*detail, "std::make_shared", "faults", "g++")->value, 262144, 1e-6);
    EXPECT_EQ(find_table(model, "zeroing-pread-kept"), nullptr);
}

double part_of(const report_plot& plot, const std::string& part, const std::string& who) {
    for (const auto& series : plot.series) {
        if (series.name != part) continue;
        for (const auto& point : series.points) {
            if (point.category == who) return point.x;
        }
    }
    ADD_FAILURE() << who << " has no " << part;
    return -1;
}

TEST(zeroing_section, parts_of_a_line_add_up_to_it) {
    const auto model = report_on(lines());
    const auto* plot = find_plot(model, "zeroing-shares-kept");
    ASSERT_NE(plot, nullptr);
    EXPECT_TRUE(plot->stacked);
    EXPECT_EQ(plot->series.front().facet, "memcpy, g++");
    const std::string kernel = "page faults and kernel zeroing";
    EXPECT_NEAR(part_of(*plot, "the copy itself", "std::make_shared"), 0.04, 1e-9);
    EXPECT_NEAR(part_of(*plot, "memset", "std::make_shared"), 0.06, 1e-9);
    EXPECT_NEAR(part_of(*plot, kernel, "std::make_shared"), 0.42, 1e-9);
    EXPECT_EQ(part_of(*plot, "memset", "std::make_shared_for_overwrite"), 0);
    EXPECT_NEAR(part_of(*plot, kernel, "std::make_shared_for_overwrite"), 0.42, 1e-9);
    EXPECT_NEAR(part_of(*plot, kernel, "floor"), 0, 1e-9);
    // Without a floor there is nothing that a copy is known to take.
    EXPECT_EQ(find_plot(model, "zeroing-shares-ring"), nullptr);
    const auto page = to_json(model).dump();
    EXPECT_NE(page.find("\"stacked\":true"), std::string::npos);
}

TEST(zeroing_section, a_line_faster_than_the_floor_is_all_copy) {
    results_builder results;
    results.timed("zeroing", cell("floor", "memcpy, ring"), 0.04)
        .timed("zeroing", cell("freehold::pool", "memcpy, ring"), 0.038)
        .timed("zeroing", cell("freehold::pool", "memcpy, ring, memset"), 0.01);
    const auto model = report_on(results);
    const auto* plot = find_plot(model, "zeroing-shares-ring");
    ASSERT_NE(plot, nullptr);
    EXPECT_NEAR(part_of(*plot, "the copy itself", "freehold::pool"), 0.038, 1e-9);
    EXPECT_EQ(part_of(*plot, "memset", "freehold::pool"), 0);
    EXPECT_EQ(part_of(*plot, "page faults and kernel zeroing", "freehold::pool"), 0);
}

TEST(zeroing_section, aims_are_ratios_and_faults) {
    const auto model = report_on(lines());
    const auto* aims = find_table(model, "zeroing-aims");
    ASSERT_NE(aims, nullptr);
    const auto measured = [&](const std::string& what) {
        return cell_at(*aims, what, "measured", "g++");
    };
    const auto reached = [&](const std::string& what) {
        return cell_at(*aims, what, "reached", "g++")->text;
    };
    EXPECT_NEAR(*measured("memcpy, kept: floor")->value, 1.02, 1e-9);
    EXPECT_EQ(reached("memcpy, kept: floor"), "yes");
    EXPECT_NEAR(*measured("memcpy, kept: std::make_shared")->value, 0.0408 / 0.52, 1e-9);
    EXPECT_EQ(reached("memcpy, kept: std::make_shared"), "yes");
    EXPECT_EQ(reached("faults, warm"), "yes");
    EXPECT_EQ(reached("faults, warm, after a fork"), "no");
    EXPECT_EQ(aims->rows.size(), 4U);  // nothing asked for the others
    EXPECT_EQ(zeroing_in(model).finding,
              "A GiB of lines copied to: 0.520 s by std::make_shared and 0.0408 s recycled; aims "
              "reached: 3 of 4 with g++.");
}

TEST(zeroing_section, the_seeds_ratios_stand_beside_ours) {
    results_builder results;
    results
        .timed("zeroing",
               results_builder::cell_of("std::make_shared", "seed, large, written", "s", "threaded",
                                        "g++", 1),
               0.2)
        .timed("zeroing",
               results_builder::cell_of("std::make_shared, constructor", "seed, large, written",
                                        "s", "threaded", "g++", 1),
               0.15)
        .timed("zeroing",
               results_builder::cell_of("std::make_shared_for_overwrite", "seed, large, written",
                                        "s", "threaded", "g++", 1),
               0.14);
    const auto model = report_on(results);
    const auto* table = find_table(model, "zeroing-seed");
    ASSERT_NE(table, nullptr);
    const auto then = [&](const std::string& head) {
        return cell_at(*table, head, "saved", "then")->text;
    };
    EXPECT_EQ(then("100 bytes each, written"), "7 %");
    EXPECT_EQ(then("100 MB each, written"), "19 %");
    EXPECT_EQ(then("100 MB each, written by every thread"), "40 %");
    EXPECT_NEAR(*cell_at(*table, "100 MB each, only made", "no constructor", "then")->value,
                0.104688, 1e-12);
    const std::string head = "100 MB each, written";
    EXPECT_EQ(cell_at(*table, head, "saved", "now, g++")->text, "25 %");
    EXPECT_NEAR(*cell_at(*table, head, "for_overwrite", "now, g++")->value, 0.14, 1e-9);
    EXPECT_FALSE(cell_at(*table, "100 bytes each, written", "saved", "now, g++"));
    const auto* plot = find_plot(model, "zeroing-seed-plot");
    ASSERT_NE(plot, nullptr);
    ASSERT_EQ(plot->series.size(), 2U);
    EXPECT_EQ(plot->series[0].points.size(), 5U);
    EXPECT_NEAR(plot->series[1].points.at(0).x, 25, 1e-9);
    EXPECT_EQ(zeroing_in(model).finding,
              "Neither std::make_shared's lines nor recycled ones were measured.");
}

TEST(zeroing_section, is_left_out_where_it_was_not_measured) {
    results_builder results;
    results.timed("operations", results_builder::cell_of("raw", "move", "ns"), 1);
    for (const auto& section : report_on(results).sections) EXPECT_NE(section.id, "zeroing");
}

}  // namespace
