// SPDX-License-Identifier: BSL-1.0
#include "report/terminal.hpp"

#include "program/report/result_fixture.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

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
    for (const auto* lab : {"g++", "clang++"}) {
        results.held("raw", 20, 0.5, "threaded", lab)
            .held("simple counted", 36, 1.2, "threaded", lab)
            .held("intrusive", 21, 1.1, "threaded", lab)
            .held("std::shared_ptr", 40, 11, "threaded", lab)
            .held("std::shared_ptr", 36, 1.4, "single", lab);
        results.timed("containers",
                      results_builder::cell_of("raw", "vector sort", "s", "threaded", lab, 300000),
                      0.02);
        results.timed("containers",
                      results_builder::cell_of("std::shared_ptr", "vector sort", "s", "threaded",
                                               lab, 300000),
                      0.07);
        const auto cell = [&](const char* who, const char* test, std::int64_t threads = 0) {
            auto made = results_builder::cell_of(who, test, "ns", "threaded", lab);
            if (threads != 0) made.n = threads;
            return made;
        };
        results.timed("operations", cell("locked pair", "copy"), 10)
            .timed("operations", cell("std::make_shared", "copy"), 12)
            .timed("operations", cell("freehold::arc", "copy"), 10.1)
            .timed("construction", cell("std::make_shared", "one"), 10)
            .timed("construction", cell("freehold::arc", "one"), 1)
            .timed("construction", cell("new and delete, kept", "seed -O3 libstdc++"), 10)
            .timed("construction", cell("std::make_shared", "seed -O3 libstdc++"), 11)
            .timed("threads", cell("std::make_shared", "one object", 2), 60)
            .timed("threads", cell("freehold::arc", "hand-over"), 11);
    }
    results.file().environment.warnings = {
        {"The governor is powersave.", "Set it to performance while measuring."}};
    return results;
}

// The whole output, as it stands in golden/report.txt: a change of it must be looked at.
TEST(terminal, prints_the_golden_report) {
    std::ifstream file(FREEHOLD_GOLDEN_FOLDER "/report.txt", std::ios::binary);
    ASSERT_TRUE(file) << "golden/report.txt is missing";
    const std::string expected{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(printed(report_on(small()), {}), expected);
}

TEST(terminal, a_warning_and_its_remedy_are_told_apart) {
    auto results = small();
    results.file().environment.warnings = {{"the load is 3", "wait until it is less"}};
    EXPECT_NE(printed(report_on(results), {}).find("! the load is 3; wait until it is less\n"),
              std::string::npos);
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

TEST(terminal, paragraphs_break_at_blanks) {
    EXPECT_EQ(paragraph_text("one two three", {.emphasis = false, .width = 7}), "one two\nthree\n");
    EXPECT_EQ(paragraph_text("one two", {.emphasis = false, .width = 6}, 2), "one\n  two\n");
    EXPECT_EQ(paragraph_text("unbreakable", {.emphasis = false, .width = 3}), "unbreakable\n");
}

}  // namespace
