// SPDX-License-Identifier: BSL-1.0
#include "report/model.hpp"

#include "program/report/result_fixture.hpp"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace freehold;
using namespace freehold::test;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

results_builder seven_strategies() {
    results_builder results({"g++", "clang++"});
    for (const auto* lab : {"g++", "clang++"}) {
        results.held("raw", 20, 0.5, "threaded", lab)
            .held("dumb", 20, 0.6, "threaded", lab)
            .held("intrusive", 21, 1.5, "threaded", lab)
            .held("linked", 22, 3, "threaded", lab)
            .held("std::unique_ptr", 20, 0.7, "threaded", lab)
            .held("std::shared_ptr", 40, 15, "threaded", lab)
            .held("raw", 10, 0.25, "single", lab)
            .held("std::shared_ptr", 30, 2, "single", lab);
    }
    return results;
}

TEST(operations_section, exact_lines_give_back_intercept_and_slope) {
    const auto model = report_on(seven_strategies());
    const auto* table = find_table(model, "operations-lines");
    ASSERT_NE(table, nullptr);
    const auto copy = cell_at(*table, "linked", "copy", "clang++");
    ASSERT_TRUE(copy);
    EXPECT_NEAR(*copy->value, 3, 1e-9);
    EXPECT_NEAR(*copy->low, 3, 1e-9);
    EXPECT_EQ(copy->text.substr(0, 4), "3.00");
    EXPECT_NEAR(*cell_at(*table, "linked", "initialisation", "g++")->value, 22, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "linked", "R\u00b2", "g++")->value, 1, 1e-12);
    const auto* plot = find_plot(model, "operations-plot");
    ASSERT_NE(plot, nullptr);
    ASSERT_TRUE(plot->series.front().fit);
    EXPECT_NEAR(plot->series.front().fit->slope, 0.5, 1e-9);
    EXPECT_EQ(plot->series.front().points.size(), 6U);
    EXPECT_EQ(plot->data.rows.size(), 6U);
}

TEST(operations_section, overhead_is_less_raw_of_the_same_process) {
    const auto model = report_on(seven_strategies());
    const auto* table = find_table(model, "operations-overhead");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "linked", "less raw", "g++: copy")->value, 2.5, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "linked", "less dumb", "g++: copy")->value, 2.4, 1e-9);
    // 2 ns less the 0.25 ns that raw takes in a process of one thread.
    EXPECT_NEAR(*cell_at(*table, "std::shared_ptr (one thread)", "less raw", "g++: copy")->value,
                1.75, 1e-9);
    EXPECT_FALSE(cell_at(*table, "dumb", "less dumb", "g++: copy"));
}

TEST(operations_section, finding_names_the_cheapest_and_the_standards_ratio) {
    const auto model = report_on(seven_strategies());
    const auto& finding = model.sections.at(0).finding;
    EXPECT_TRUE(contains(finding, "least with intrusive (1.50 ns); ")) << finding;
    EXPECT_TRUE(contains(finding, "std::shared_ptr takes 10.0 times")) << finding;
    EXPECT_FALSE(contains(finding, "unique_ptr")) << finding;
    EXPECT_EQ(std::count(finding.begin(), finding.end(), '\n'), 0);
}

TEST(operations_section, overlapping_intervals_are_not_told_apart) {
    results_builder results;
    results.held("intrusive", 21, 1.5).held("linked", 22, 1.5);
    // A bent line has wide errors of its slope.
    for (auto& cell : results.file().suites["operations"].measurements) {
        if (cell.n == 16) cell.samples = spread_samples(cell.samples[0][2] + 5);
    }
    const auto model = report_on(results);
    EXPECT_TRUE(contains(model.sections.at(0).finding, "not distinguishable from"))
        << model.sections.at(0).finding;
    EXPECT_FALSE(contains(model.sections.at(0).finding, "takes"));
    const auto* table = find_table(model, "operations-lines");
    EXPECT_EQ(cell_at(*table, "intrusive", "copy", "g++")->mark, "lowest");
    EXPECT_EQ(cell_at(*table, "linked", "copy", "g++")->mark, "lowest");
}

bool noted(const report_section& section, const std::string& part) {
    return std::any_of(section.notes.begin(), section.notes.end(),
                       [&](const std::string& note) { return contains(note, part); });
}

TEST(operations_section, an_initialisation_below_raws_is_no_finding) {
    results_builder results;
    results.held("raw", 20, 0.5).held("intrusive", 12, 1.5).held("linked", 22, 3);
    const auto model = report_on(results);
    const auto* table = find_table(model, "operations-lines");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "intrusive", "initialisation", "g++")->mark, "");
    EXPECT_EQ(cell_at(*table, "linked", "initialisation", "g++")->mark, "");
    EXPECT_EQ(cell_at(*table, "intrusive", "copy", "g++")->mark, "lowest");
    const auto& section = model.sections.at(0);
    EXPECT_TRUE(noted(section, "measured at n = 0: intrusive 12.0 ns (fit 12.0"));
    EXPECT_FALSE(noted(section, "do not lie on a line"));
    for (const auto& series : find_plot(model, "operations-then-now-plot")->series) {
        if (series.name != "now, g++") continue;
        for (const auto& point : series.points) EXPECT_NE(point.category, "intrusive");
    }
}

TEST(operations_section, an_initialisation_that_may_be_nothing_is_no_finding) {
    results_builder results;
    results.held("raw", -1, 0.5).held("intrusive", -0.5, 1.5).held("linked", 22, 3);
    const auto model = report_on(results);
    const auto* table = find_table(model, "operations-lines");
    EXPECT_EQ(cell_at(*table, "intrusive", "initialisation", "g++")->mark, "");
    EXPECT_TRUE(noted(model.sections.at(0), "below raw's or may be zero"));
}

TEST(operations_section, a_bent_line_is_told_with_what_was_measured_without_a_copy) {
    results_builder results;
    results.held("raw", 20, 0.5).held("linked", 22, 3).held("intrusive", 21, 1.5);
    for (auto& cell : results.file().suites["operations"].measurements) {
        if (cell.competitor == "linked" && cell.n == 0) cell.samples = spread_samples(52);
    }
    const auto model = report_on(results);
    EXPECT_TRUE(
        noted(model.sections.at(0), "instead of the fitted initialisation: linked 52.0 ns"));
    EXPECT_FALSE(noted(model.sections.at(0), "intrusive 21"));
    // Where a copy costs nothing, the line explains nothing, and is none the worse for it.
    results_builder flat;
    flat.held("raw", 20, 0).held("intrusive", 21, 1.5);
    for (auto& cell : flat.file().suites["operations"].measurements) {
        if (cell.competitor == "raw" && cell.n == 8) cell.samples = spread_samples(20.1);
    }
    EXPECT_FALSE(noted(report_on(flat).sections.at(0), "do not lie on a line"));
    const auto straight = report_on(seven_strategies());
    EXPECT_FALSE(noted(straight.sections.at(0), "do not lie on a line"));
}

TEST(operations_section, then_and_now_are_ratios_to_raw) {
    const auto model = report_on(seven_strategies());
    const auto* table = find_table(model, "operations-then-now");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "intrusive", "g++", "copy, times raw")->value, 3, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "linked", "MSVC 6.0, 2000", "copy, times raw")->value, 13.6, 1e-9);
    EXPECT_EQ(cell_at(*table, "raw", "g++", "copy, times raw")->text, "1.00");
    EXPECT_FALSE(cell_at(*table, "std::shared_ptr", "g++", "copy, times raw"));
    const auto* plot = find_plot(model, "operations-then-now-plot");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(plot->type, plot_type::dots);
    EXPECT_EQ(plot->series.size(), 4U);
    EXPECT_EQ(plot->series.front().points.front().category, "raw");
}

TEST(operations_section, a_filter_may_leave_out_anything) {
    results_builder only_raw;
    only_raw.held("raw", 20, 0.5);
    const auto model = report_on(only_raw);
    EXPECT_EQ(model.sections.at(0).finding, "No handle that can share ownership was measured.");
    EXPECT_TRUE(model.summary.empty());

    results_builder no_raw;
    no_raw.held("std::shared_ptr", 20, 5);
    const auto without = report_on(no_raw);
    EXPECT_TRUE(contains(without.sections.at(0).finding, "least with std::shared_ptr (5.00 ns)."));
    EXPECT_EQ(find_table(without, "operations-overhead"), nullptr);
    EXPECT_EQ(find_table(without, "operations-then-now"), nullptr);

    results_builder two_sizes;
    two_sizes.held("intrusive", 20, 1);
    auto& cells = two_sizes.file().suites["operations"].measurements;
    cells.resize(2);
    const auto short_line = report_on(two_sizes);
    EXPECT_FALSE(find_plot(short_line, "operations-plot")->series.at(0).fit);
}

TEST(containers_section, ratios_and_what_was_skipped) {
    results_builder results;
    const auto cell = [](const std::string& who, const std::string& test) {
        return results_builder::cell_of(who, test, "s", "threaded", "g++", 300000);
    };
    results.timed("containers", cell("raw", "vector sort"), 0.02)
        .timed("containers", cell("linked", "vector sort"), 0.03)
        .timed("containers", cell("std::shared_ptr", "vector sort"), 0.06);
    results.file().suites["containers"].skipped = {
        {"g++", "Loki linked", "list sort", "it does not compile"}};
    results.file().suites["containers"].complete = false;
    const auto model = report_on(results);
    ASSERT_EQ(model.sections.size(), 1U);
    const auto* ratios = find_table(model, "containers-ratios");
    ASSERT_NE(ratios, nullptr);
    EXPECT_NEAR(*cell_at(*ratios, "linked", "sort", "g++: vector")->value, 1.5, 1e-12);
    const auto* then = find_table(model, "containers-then-now");
    ASSERT_NE(then, nullptr);
    EXPECT_NEAR(*cell_at(*then, "linked", "gcc 2.95.2, 2000", "vector sort")->value, 2.32 / 0.24,
                1e-12);
    const auto& section = model.sections[0];
    EXPECT_TRUE(contains(section.finding, "with linked (0.0300 s); ")) << section.finding;
    EXPECT_TRUE(contains(section.finding, "std::shared_ptr takes 2.00 times")) << section.finding;
    const auto noted = [&](const std::string& part) {
        return std::any_of(section.notes.begin(), section.notes.end(),
                           [&](const std::string& note) { return contains(note, part); });
    };
    EXPECT_TRUE(noted("Skipped with g++: Loki linked, list sort: it does not compile."));
    EXPECT_TRUE(noted("interrupted"));
}

TEST(footprint_section, sizes_and_code_in_the_seeds_notation) {
    results_builder results;
    const auto cell = [](const std::string& who, const std::string& test) {
        return results_builder::cell_of(who, test, "bytes");
    };
    results.exact("footprint", cell("intrusive", "handle"), 8)
        .exact("footprint", cell("intrusive", "beyond the object"), 0)
        .exact("footprint", cell("std::shared_ptr", "beyond the object"), 32);
    auto bytes = cell("intrusive", "op= bytes");
    bytes.note = "I";
    results.exact("footprint", bytes, 31)
        .exact("footprint", cell("intrusive", "op= instructions"), 9);
    const auto model = report_on(results);
    const auto* code = find_table(model, "footprint-code");
    ASSERT_NE(code, nullptr);
    EXPECT_EQ(cell_at(*code, "intrusive", "op=", "g++")->text, "9/31/I");
    EXPECT_EQ(cell_at(*code, "intrusive", "op=", "MSVC 6.0, 2000")->text, "6/11/I");
    const auto* sizes = find_table(model, "footprint-sizes");
    ASSERT_NE(sizes, nullptr);
    EXPECT_EQ(cell_at(*sizes, "intrusive", "handle", "gcc 2.95.2, 2000")->text, "4");
    EXPECT_TRUE(
        contains(model.sections.at(0).finding, "intrusive (0 bytes; std::shared_ptr takes 32)."))
        << model.sections.at(0).finding;
    // Bytes are whole, in the plot's data too.
    const auto* plot = find_plot(model, "footprint-plot");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(cell_at(plot->data, "std::shared_ptr", "g++", "")->text, "32");
}

TEST(cycles_section, times_and_pauses_apart) {
    results_builder results;
    results.timed("cycles", results_builder::cell_of("cyclic", "ring", "ns"), 40)
        .timed("cycles", results_builder::cell_of("Boehm", "ring", "ns"), 80)
        .timed("cycles", results_builder::cell_of("cyclic", "ring pause", "ms"), 0.5)
        .timed("cycles", results_builder::cell_of("Boehm", "ring pause", "ms"), 15);
    const auto model = report_on(results);
    EXPECT_TRUE(contains(model.sections.at(0).finding, "Boehm takes 2.00 times"))
        << model.sections.at(0).finding;
    const auto* pauses = find_table(model, "cycles-pauses");
    ASSERT_NE(pauses, nullptr);
    EXPECT_EQ(cell_at(*pauses, "Boehm", "ring", "g++")->text, "15.0");
    EXPECT_EQ(find_plot(model, "cycles-pauses-plot")->x.scale, axis_scale::logarithmic);
}

TEST(model, several_files_stand_side_by_side) {
    auto old_machine = seven_strategies();
    auto new_machine = seven_strategies();
    new_machine.file().environment.facts[0].value = "Example 2";
    new_machine.file().suites["cycles"].complete = true;
    new_machine.timed("cycles", results_builder::cell_of("cyclic", "ring", "ns", "", "g++"), 40);
    const auto model = build_report({{"old", old_machine.file()}, {"new", new_machine.file()}});
    ASSERT_EQ(model.labs.size(), 4U);
    EXPECT_EQ(model.labs[0].name, "g++, old");
    const auto* table = find_table(model, "operations-lines");
    EXPECT_TRUE(cell_at(*table, "linked", "copy", "clang++, old"));
    EXPECT_TRUE(cell_at(*table, "linked", "copy", "clang++, new"));
    const auto& facts = model.environment;
    EXPECT_NE(std::find(facts.begin(), facts.end(), fact{"processor (new)", "Example 2"}),
              facts.end());
    EXPECT_NE(std::find(facts.begin(), facts.end(), fact{"load", "0.1"}), facts.end());
    const auto& notes = model.sections.back().notes;
    EXPECT_NE(std::find(notes.begin(), notes.end(), "Not measured in old."), notes.end());
    EXPECT_THROW((void)build_report({}), std::invalid_argument);
}

TEST(model, summary_is_computed) {
    auto results = seven_strategies();
    for (const auto* lab : {"g++", "clang++"}) {
        results.held("simple counted", 40, 1.5, "threaded", lab);
    }
    const auto model = report_on(results);
    ASSERT_GE(model.summary.size(), 3U);
    EXPECT_EQ(model.summary[0].value, "15.0 ns");
    EXPECT_TRUE(contains(model.summary[0].note, "10.0 times")) << model.summary[0].note;
    EXPECT_EQ(model.summary[1].value, "1.50 ns");
    EXPECT_EQ(model.summary[2].value, "7.50 times");
}

TEST(model, json_is_what_the_page_is_told) {
    const auto json = to_json(report_on(seven_strategies()));
    EXPECT_EQ(json.at("title"), "What owning memory costs");
    EXPECT_EQ(json.at("created"), "2026-01-02T03:04:05Z");
    const auto& section = json.at("sections").at(0);
    EXPECT_EQ(section.at("id"), "operations");
    const auto& plot = section.at("blocks").at(0);
    EXPECT_EQ(plot.at("kind"), "plot");
    EXPECT_EQ(plot.at("type"), "lines");
    EXPECT_EQ(plot.at("series").at(0).at("points").at(1).at("x"), 2);
    EXPECT_TRUE(plot.at("series").at(0).at("points").at(1).at("y").is_number());
    EXPECT_EQ(plot.at("table").at("kind"), "table");
    bool saw_category = false;
    for (const auto& block : section.at("blocks")) {
        if (block.at("kind") == "table") {
            for (const auto& row : block.at("rows")) {
                EXPECT_EQ(row.at("cells").size(), block.at("columns").size());
            }
        } else if (block.at("y").at("scale") == "category") {
            saw_category = true;
            EXPECT_TRUE(block.at("series").at(0).at("points").at(0).at("y").is_string());
        }
    }
    EXPECT_TRUE(saw_category);
    EXPECT_TRUE(section.at("blocks").at(1).at("rows").at(0).at("reference"));
}

}  // namespace
