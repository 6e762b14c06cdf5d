// SPDX-License-Identifier: BSL-1.0
#include "report/terminal.hpp"

#include "program/report/result_fixture.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

namespace terminal_test {
namespace {

using namespace freehold;
using namespace freehold::test;

std::string printed(const report_model& model, const terminal_style& style) {
    std::ostringstream out;
    print_report(out, model, style);
    return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

results_builder small() {
    results_builder results({"g++", "clang++"});
    results.introduce(subject_of("raw", "raw", "lower_bound"))
        .introduce(subject_of("std.make_shared", "std::make_shared", "standard"))
        .introduce(subject_of("freehold.make_shared", "freehold::make_shared", "freehold"));
    for (const auto* lab : {"g++", "clang++"}) {
        const auto cell = [&](const char* who, const char* test_case, const char* unit = "ns") {
            return results_builder::cell_of(who, test_case, unit, "threaded", lab);
        };
        results.held("raw", 20, 0.5, "threaded", lab)
            .held("std.make_shared", 40, 11, "threaded", lab)
            .timed("operations", cell("std.make_shared", "copy"), 12)
            .timed("operations", cell("freehold.make_shared", "copy"), 14)
            .timed("construction", cell("std.make_shared", "one"), 10)
            .timed("construction", cell("freehold.make_shared", "one"), 1)
            .timed("containers", cell("raw", "vector_sort", "s"), 0.02)
            .timed("containers", cell("std.make_shared", "vector_sort", "s"), 0.07);
    }
    results.file().environment.warnings = {
        {"The governor is powersave.", "Set it to performance while measuring."}};
    return results;
}

TEST(terminal, the_answer_fits_a_screen_and_names_what_speaks_against_freehold) {
    auto results = small();
    for (int i = 0; i != 200; ++i) {
        auto absent =
            subject_of("absent_" + std::to_string(i), "absent " + std::to_string(i), "other");
        absent.missing = "install package " + std::to_string(i);
        results.introduce(absent);
    }
    for (const std::size_t width : {80, 100, 160}) {
        std::ostringstream out;
        print_summary(out, report_on(results), {.emphasis = false, .width = width});
        const auto lines = lines_of(out.str());
        EXPECT_LE(lines.size(), 57U) << out.str();  // the command adds three
        EXPECT_NE(out.str().find("!  1.17"), std::string::npos) << out.str();
    }
}

TEST(terminal, a_warning_without_a_remedy_ends_with_its_problem) {
    auto model = report_on(small());
    model.warnings = {{"1 event was lost", ""}, {"A sentence.", ""}, {"noise", "stop it"}};
    EXPECT_NE(printed(model, {}).find("\n! 1 event was lost\n! A sentence.\n! noise; stop it\n"),
              std::string::npos);
}

TEST(terminal, samples_on_shared_cores_are_told_first_if_they_are_many) {
    auto results = small();
    std::int64_t samples = 0;
    for (const auto& [name, suite] : results.file().suites)
        for (const auto& cell : suite.measurements)
            for (const auto& process : cell.samples)
                samples += static_cast<std::int64_t>(process.size());
    const auto first_warning = [&](sample_counts counts) {
        results.file().suites.at("operations").counts = counts;
        return report_on(results).warnings.front();
    };
    const std::string own = results.file().environment.warnings.front().problem;
    EXPECT_EQ(first_warning({}).problem, own);
    EXPECT_EQ(first_warning({samples / 100, samples / 100}).problem, own);
    EXPECT_NE(first_warning({samples / 10, 0}).problem.find("in 10 % of the samples"),
              std::string::npos);
    EXPECT_EQ(first_warning({samples / 10, 0}).remedy.rfind("none is needed", 0), 0U);
    const warning disturbed = first_warning({samples / 10, samples / 4});
    EXPECT_EQ(disturbed.problem.rfind("25 % of the samples", 0), 0U) << disturbed.problem;
    EXPECT_NE(disturbed.problem.find("10 % more"), std::string::npos) << disturbed.problem;
}

TEST(terminal, emphasis_changes_nothing_but_escape_sequences) {
    const auto model = report_on(small());
    auto text = printed(model, {.emphasis = true});
    EXPECT_NE(text.find("\x1b[1m"), std::string::npos);
    for (auto at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at)) {
        text.erase(at, text.find('m', at) - at + 1);
    }
    EXPECT_EQ(text, printed(model, {}));
}

TEST(terminal, fits_the_width_it_is_given) {
    const auto model = report_on(small());
    for (const std::size_t width : {60, 80, 100, 160}) {
        for (const auto& line : lines_of(printed(model, {.width = width}))) {
            EXPECT_LE(display_width(line), width) << line;
        }
    }
}

TEST(terminal, width_counts_characters_and_not_bytes) {
    EXPECT_EQ(display_width("1.0 \u00b1 0.1"), 9U);
    EXPECT_EQ(display_width("R\u00b2"), 2U);
    EXPECT_EQ(display_width(""), 0U);
}

TEST(terminal, numbers_are_aligned_at_the_right) {
    report_table table{.id = "t", .caption = "Caption", .row_header = "who"};
    table.columns = {{"a", "", "ns"}};
    table.rows = {{"long name", false, {table_cell{"1.00 \u00b1 0.02", 1.0, {}, {}, {}}}},
                  {"x", false, {table_cell{"105", 105.0, {}, {}, {}}}}};
    std::ostringstream out;
    print_table(out, table, {});
    const auto lines = lines_of(out.str());
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], "Caption");
    EXPECT_EQ(display_width(lines[2]), display_width(lines[3]));
    EXPECT_EQ(lines[3].substr(lines[3].size() - 3), "105");
}

TEST(terminal, a_row_with_a_wide_head_has_its_figures_below) {
    report_table table{.id = "t", .caption = "Caption", .row_header = "type"};
    table.columns = {{"before", "", ""}, {"after", "", ""}};
    const std::optional<table_cell> cell = table_cell{"76,240,804", 76240804.0, {}, {}, {}};
    const std::string wide = "std::map<int, " + std::string(60, 'x') + ">::of";
    table.rows = {{wide, false, {cell, cell}}, {"x", false, {cell, cell}}};
    std::ostringstream out;
    print_table(out, table, {.width = 60});
    const auto lines = lines_of(out.str());
    ASSERT_EQ(lines.size(), 6U) << out.str();
    EXPECT_EQ(lines[2] + " " + lines[3], wide);
    EXPECT_EQ(lines[4].substr(1), lines[5].substr(1));
}

TEST(terminal, paragraphs_break_at_blanks) {
    EXPECT_EQ(paragraph_text("one two three", {.emphasis = false, .width = 7}), "one two\nthree\n");
    EXPECT_EQ(paragraph_text("one two", {.emphasis = false, .width = 6}, 2), "one\n  two\n");
    EXPECT_EQ(paragraph_text("unbreakable", {.emphasis = false, .width = 3}), "unbreakable\n");
}

}  // namespace
}  // namespace terminal_test
