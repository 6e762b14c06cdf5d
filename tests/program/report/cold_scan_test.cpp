// SPDX-License-Identifier: BSL-1.0
// The section on the cold scan: what it costs, its course, where its time goes, and the aims.
#include "program/report/result_fixture.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace {

using namespace freehold;
using namespace freehold::test;

const std::string suite_name = "cold_scan";
const std::string shared = "libcurl, std::make_shared";
const std::string cached = "freehold::line_cache";

measurement cell(const std::string& who, const std::string& test, const std::string& unit = "s/GiB",
                 std::optional<std::int64_t> n = std::nullopt) {
    return results_builder::cell_of(who, test, unit, "threaded", "g++", n);
}

void add_scan(results_builder& results, const std::string& who, double wall, double user,
              double system) {
    results.timed(suite_name, cell(who, "cold, wall"), wall)
        .timed(suite_name, cell(who, "cold, processor"), user + system)
        .timed(suite_name, cell(who, "cold, user"), user)
        .timed(suite_name, cell(who, "cold, system"), system)
        .timed(suite_name, cell(who, "cold, faults", "faults/GiB"), 2000)
        .timed(suite_name, cell(who, "cold, memory", "bytes"), 80 << 20);
}

results_builder scans() {
    results_builder results;
    add_scan(results, "floor", 0.3, 0.1, 0.1);
    add_scan(results, shared, 3, 0.3, 0.9);
    add_scan(results, "libcurl, one buffer", 1, 0.25, 0.25);
    add_scan(results, cached, 1.5, 0.2, 0.28);
    return results;
}

const report_section& section_in(const report_model& model) {
    return *std::find_if(model.sections.begin(), model.sections.end(),
                         [](const auto& section) { return section.id == suite_name; });
}

TEST(cold_scan_section, is_not_there_where_nothing_was_measured) {
    results_builder results;
    results.timed("packets", cell("floor", "across, 64 bytes", "ns"), 3);
    const auto model = report_on(results);
    EXPECT_TRUE(std::none_of(model.sections.begin(), model.sections.end(),
                             [](const auto& section) { return section.id == suite_name; }));
}

TEST(cold_scan_section, costs_stand_in_full_and_as_parts_of_bars) {
    const auto model = report_on(scans());
    const auto* table = find_table(model, "cold-scan-costs");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, shared, "cold", "g++")->value, 3, 1e-9);
    EXPECT_NEAR(*cell_at(*table, shared, "CPU", "g++")->value, 1.2, 1e-9);
    EXPECT_NEAR(*cell_at(*table, cached, "memory", "g++")->value, 80, 1e-9);
    EXPECT_EQ(cell_at(*table, cached, "CPU", "g++")->mark, "lowest");
    EXPECT_EQ(cell_at(*table, "floor", "CPU", "g++")->mark, "");
    const auto* plot = find_plot(model, "cold-scan-processor");
    ASSERT_NE(plot, nullptr);
    EXPECT_TRUE(plot->stacked);
    ASSERT_EQ(plot->series.size(), 2U);
    EXPECT_EQ(plot->series[0].name, "user");
    EXPECT_EQ(plot->series[1].name, "system");
    EXPECT_EQ(plot->series[0].points.size(), 4U);
    EXPECT_EQ(section_in(model).finding,
              "Cold over S3, lines by make_shared take 2.50 times the processor time of line_cache "
              "and 2.00 times the time; aims reached: 3 of 3 with g++.");
}

TEST(cold_scan_section, the_course_is_drawn_over_the_time_that_the_scan_took) {
    auto results = scans();
    for (std::int64_t part = 1; part <= 40; ++part) {
        const auto used = static_cast<double>(part);
        results.timed(suite_name, cell(cached, "cold, user over time", "%", part), used)
            .timed(suite_name, cell(cached, "cold, system over time", "%", part), 2 * used);
    }
    const auto model = report_on(results);
    const auto* plot = find_plot(model, "cold-scan-course");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(plot->type, plot_type::lines);
    EXPECT_TRUE(plot->stacked);
    ASSERT_EQ(plot->series.size(), 2U);  // of the only way that has a course
    EXPECT_EQ(plot->series[0].facet, cached);
    const auto& system = plot->series[1];
    EXPECT_EQ(system.name, "system");
    ASSERT_EQ(system.points.size(), 40U);
    EXPECT_NEAR(system.points.front().x, 1.5 / 80, 1e-9);
    EXPECT_NEAR(system.points.back().x, 1.5 - 1.5 / 80, 1e-9);
    EXPECT_NEAR(system.points.back().y, 80, 1e-9);
    // In the table, the mean of each tenth.
    EXPECT_EQ(plot->data.rows.size(), 10U);
    EXPECT_NEAR(*plot->data.rows[0].cells[0]->value, 2.5, 1e-9);
    EXPECT_NEAR(*plot->data.rows[9].cells[1]->value, 77, 1e-9);
}

TEST(cold_scan_section, the_profile_s_causes_are_parts_of_the_processor_time) {
    auto results = scans();
    results.timed(suite_name, cell(shared, "profile, page faults"), 0.6)
        .timed(suite_name, cell(shared, "profile, the scan"), 0.1)
        .timed(suite_name, cell(cached, "profile, the scan"), 0.1);
    const auto model = report_on(results);
    const auto* plot = find_plot(model, "cold-scan-profile");
    ASSERT_NE(plot, nullptr);
    ASSERT_EQ(plot->series.size(), 2U);
    EXPECT_EQ(plot->series[0].name, "page faults");
    ASSERT_EQ(plot->series[0].points.size(), 1U);
    EXPECT_EQ(plot->series[0].points[0].category, shared);
    EXPECT_EQ(plot->series[1].points.size(), 2U);
    EXPECT_EQ(find_plot(report_on(scans()), "cold-scan-profile"), nullptr);
}

TEST(cold_scan_section, warm_gets_have_a_column_for_each_number_of_threads) {
    auto results = scans();
    for (const std::int64_t threads : {1, 2, 4}) {
        results.timed(suite_name, cell(cached, "warm get", "ns", threads),
                      20.0 + static_cast<double>(threads));
    }
    const auto model = report_on(results);
    const auto* table = find_table(model, "cold-scan-warm-get");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->columns.size(), 3U);
    EXPECT_NEAR(*cell_at(*table, cached, "1 thread", "g++")->value, 21, 1e-9);
    EXPECT_NEAR(*cell_at(*table, cached, "4 threads", "g++")->value, 24, 1e-9);
}

TEST(cold_scan_section, aims_are_ratios_and_limits) {
    auto results = scans();
    results.timed(suite_name, cell(cached, "warm get", "ns", 1), 80)
        .timed(suite_name, cell(cached, "warm get", "ns", 2), 30)
        .timed(suite_name, cell(cached, "cold, line memory", "bytes"), 64 << 20, 0)
        .exact(suite_name, cell(cached, "line memory, bound", "bytes"), 64 << 20)
        .timed(suite_name, cell(cached, "requests of 64 readers", "requests"), 1, 0);
    const auto model = report_on(results);
    const auto* table = find_table(model, "cold-scan-aims");
    ASSERT_NE(table, nullptr);
    const auto reached = [&](const std::string& what) {
        const auto measured = cell_at(*table, what, "reached", "g++");
        return measured ? measured->text : "not there";
    };
    EXPECT_NEAR(*cell_at(*table, "line_cache, CPU: make_shared", "measured", "g++")->value, 0.4,
                1e-9);
    EXPECT_EQ(reached("line_cache, CPU: make_shared"), "yes");
    EXPECT_EQ(reached("line_cache, time: make_shared"), "yes");
    EXPECT_EQ(reached("line_cache, CPU: one buffer"), "yes");
    EXPECT_EQ(reached("line_cache, line memory: its bound"), "yes");
    EXPECT_EQ(reached("requests of 64 readers of a line"), "yes");
    EXPECT_EQ(reached("warm get, 1 thread"), "no");  // the limit is that of one thread
    // Nobody measured a cache that keeps all.
    EXPECT_EQ(reached("faults in a warm GiB"), "not there");
}

TEST(cold_scan_section, compares_like_with_like_in_a_note) {
    auto results = scans();
    const auto noted = [](const report_model& model) {
        const auto& notes = section_in(model).notes;
        return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
            return note.find(
                       "takes 0.500 of make_shared's processor time where both keep all "
                       "lines, in memory that is new, and 0.600 where both are bounded") !=
                   std::string::npos;
        });
    };
    EXPECT_FALSE(noted(report_on(results)));
    add_scan(results, "freehold::line_cache, all kept", 2, 0.2, 0.4);
    add_scan(results, shared + ", bounded", 2, 0.4, 0.4);
    EXPECT_TRUE(noted(report_on(results)));
}

TEST(cold_scan_section, a_bound_that_was_exceeded_is_told) {
    auto results = scans();
    results.timed(suite_name, cell(cached, "cold, line memory", "bytes"), 65 << 20, 0)
        .exact(suite_name, cell(cached, "line memory, bound", "bytes"), 64 << 20);
    const auto model = report_on(results);
    EXPECT_EQ(cell_at(*find_table(model, "cold-scan-aims"), "line_cache, line memory: its bound",
                      "reached", "g++")
                  ->text,
              "no");
}

}  // namespace
