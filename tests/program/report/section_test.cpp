// SPDX-License-Identifier: BSL-1.0
// What the pages in lab/suites/*/suite.json make of figures that are known.
#include "program/report/result_fixture.hpp"
#include "report/model.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace section_test {
namespace {

using namespace freehold;
using namespace freehold::test;
using testing::HasSubstr;
using testing::Not;

std::string notes_of(const report_section& section) {
    std::string all;
    for (const auto& note : section.notes) all += note + "\n";
    return all;
}

results_builder strategies(const std::vector<std::string>& labs = {"g++", "clang++"}) {
    results_builder results(labs);
    results.introduce(subject_of("raw", "raw", "lower_bound"))
        .introduce(subject_of("dumb", "dumb", "lower_bound"))
        .introduce(subject_of("intrusive", "intrusive", "strategy"))
        .introduce(subject_of("linked", "linked", "strategy"))
        .introduce(subject_of("std.unique_ptr", "std::unique_ptr", "standard"))
        .introduce({"std.make_shared", "std::make_shared", "standard", false, true, {}, {}, {}});
    for (const auto& lab : labs) {
        results.held("raw", 20, 0.5, "threaded", lab)
            .held("dumb", 20, 0.6, "threaded", lab)
            .held("intrusive", 21, 1.5, "threaded", lab)
            .held("linked", 22, 3, "threaded", lab)
            .held("std.make_shared", 40, 15, "threaded", lab)
            .held("raw", 10, 0.25, "single", lab)
            .held("std.make_shared", 30, 2, "single", lab);
        for (const auto& [who, time] :
             {std::pair("intrusive", 1.5), {"linked", 3.}, {"std.make_shared", 15.}})
            results.timed("operations",
                          results_builder::cell_of(who, "copy", "ns", "threaded", lab),
                          lab == "g++" ? time : 2 * time);
        results.timed("operations",
                      results_builder::cell_of("std.unique_ptr", "copy", "ns", "threaded", lab),
                      0.5);
    }
    return results;
}

TEST(section, a_pointee_costs_what_was_measured_and_a_copy_the_slope_of_a_line) {
    const auto model = report_on(strategies(), true);
    const auto* table = find_table(model, "operations-hold");
    ASSERT_NE(table, nullptr);
    const auto copy = cell_at(*table, "linked", "copy", "clang++");
    ASSERT_TRUE(copy);
    EXPECT_NEAR(*copy->value, 3, 1e-9);
    EXPECT_GT(*copy->low, 2.9);
    EXPECT_LT(*copy->high, 3.1);
    const auto start = cell_at(*table, "linked", "initialisation", "g++");
    EXPECT_NEAR(*start->value, 22, 1e-9);
    EXPECT_NEAR(*start->high - *start->low, 0.44, 0.01) << "that of the samples, not of the line";
    for (const char* copies : {"1st and 2nd copy", "5th to 8th", "17th to 32nd"})
        EXPECT_NEAR(*cell_at(*table, "linked", copies, "g++")->value, 3, 1e-9) << copies;
    const auto* plot = find_plot(model, "operations-plot");
    ASSERT_NE(plot, nullptr);
    ASSERT_TRUE(plot->series.front().fit);
    EXPECT_NEAR(plot->series.front().fit->slope, 0.5, 1e-9);
    EXPECT_EQ(plot->series.front().points.size(), 6U);
}

TEST(section, a_difference_is_to_the_same_kind_of_process) {
    const auto model = report_on(strategies());
    const auto* table = find_table(model, "operations-overhead");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "linked", "less raw", "g++: copy")->value, 2.5, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "linked", "less dumb", "g++: copy")->value, 2.4, 1e-9);
    // 2 ns less the 0.25 ns that raw takes in a process of one thread.
    EXPECT_NEAR(*cell_at(*table, "std::make_shared (one thread)", "less raw", "g++: copy")->value,
                1.75, 1e-9);
    EXPECT_FALSE(cell_at(*table, "dumb", "less dumb", "g++: copy"));
}

TEST(section, the_lowest_is_named_and_marked_among_those_that_share) {
    const auto model = report_on(strategies());
    const auto& finding = section_of(model, "operations").finding;
    EXPECT_THAT(finding, HasSubstr("with intrusive (1.50 ns); std::make_shared takes 10.0"));
    const auto* table = find_table(model, "operations-single");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "intrusive", "copy", "g++")->mark, "lowest");
    EXPECT_EQ(cell_at(*table, "std::unique_ptr", "copy", "g++")->mark, "");
    EXPECT_EQ(cell_at(*table, "linked", "copy", "g++")->mark, "");
}

TEST(section, where_the_times_are_on_no_line_a_copy_costs_what_the_last_ones_do) {
    auto results = strategies({"g++"});
    // Stores that are forwarded: the first copies cost nothing. And a point that is only noisy.
    for (auto& cell : results.file().suites["operations"].measurements) {
        if (cell.subject == "linked" && cell.n && *cell.n != 0)
            cell.samples = spread_samples(20 + 4 * std::max(0.0, double(*cell.n) - 8));
        if (cell.subject == "intrusive" && cell.n == 8) cell.samples = spread_samples(40, 0.9);
    }
    const auto model = report_on(results);
    const auto* table = find_table(model, "operations-hold");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "linked", "copy", "g++")->value, 4, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "linked", "5th to 8th", "g++")->value, 0, 1e-9);
    EXPECT_THAT(cell_at(*table, "linked", "5th to 8th", "g++")->text, HasSubstr("(0"));
    EXPECT_NEAR(*cell_at(*table, "intrusive", "copy", "g++")->value, 1.5, 0.01);
    const auto notes = notes_of(section_of(model, "operations"));
    EXPECT_THAT(notes, HasSubstr("not on a line: linked."));
    for (const auto& series : find_plot(model, "operations-plot")->series)
        EXPECT_EQ(series.fit.has_value(), series.name != "linked") << series.name;
}

TEST(section, then_and_now_are_ratios_to_the_same_compilers_raw) {
    const auto model = report_on(strategies());
    const auto* table = find_table(model, "operations-then-now");
    ASSERT_NE(table, nullptr);
    const auto now = cell_at(*table, "linked", "g++", "copy, times raw");
    ASSERT_TRUE(now);
    EXPECT_NEAR(*now->value, 6, 1e-9);
    EXPECT_TRUE(cell_at(*table, "linked", "gcc 2.95.2, 2000", "initialisation, times raw"));
    EXPECT_FALSE(cell_at(*table, "std::make_shared", "g++", "copy, times raw"));
}

TEST(section, of_another_compiler_the_page_tells_what_differs) {
    const auto model = report_on(strategies());
    EXPECT_FALSE(cell_at(*find_table(model, "operations-single"), "linked", "copy", "clang++"));
    const auto* differences = find_table(model, "operations-compilers");
    ASSERT_NE(differences, nullptr);
    for (const auto& row : differences->rows) {
        EXPECT_THAT(row.head, HasSubstr(", copy"));
        EXPECT_NEAR(*row.cells[2]->value, 2, 0.1);
    }
    EXPECT_EQ(differences->rows.size(), 3U);
    const auto whole = report_on(strategies(), true);
    EXPECT_TRUE(cell_at(*find_table(whole, "operations-single"), "linked", "copy", "clang++"));
    EXPECT_EQ(find_table(whole, "operations-compilers"), nullptr);
}

TEST(section, what_a_compiler_deleted_is_no_figure) {
    results_builder results;
    const auto article = [](const char* who) {
        return results_builder::cell_of(who, "article.o3.libstdc++", "ns");
    };
    results.timed("construction", article("new_and_delete.kept"), 10)
        .timed("construction", article("std.make_unique"), 0.3)
        .timed("construction", article("std.make_shared"), 15);
    const auto model = report_on(results);
    const auto* table = find_table(model, "construction-article");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "std.make_unique", "libstdc++", "g++ -O3")->text, "deleted");
    EXPECT_NEAR(*cell_at(*table, "std.make_shared", "libstdc++", "g++ -O3")->value, 1.5, 0.01);
    EXPECT_EQ(cell_at(*table, "std.make_shared", "optimised", "2016")->text, "about 1.1");
}

TEST(section, sizes_are_columns_and_rates_reach_lines) {
    results_builder results;
    for (const std::int64_t threads : {1, 2})
        results.timed("threads",
                      results_builder::cell_of("intrusive", "one_object", "ns", "", "", threads),
                      5. * static_cast<double>(threads));
    results.timed("packets", results_builder::cell_of("freehold.pool", "across.64_bytes", "ns"),
                  20);
    const auto model = report_on(results);
    const auto* threads = find_table(model, "threads-times");
    ASSERT_NE(threads, nullptr);
    EXPECT_NEAR(*cell_at(*threads, "intrusive", "2 threads", "g++: one object")->value, 10, 0.1);
    EXPECT_TRUE(cell_at(*threads, "intrusive", "1 thread", "g++: one object"));
    const auto* packets = find_table(model, "packets-across-times");
    ASSERT_NE(packets, nullptr);
    EXPECT_NEAR(*cell_at(*packets, "freehold.pool", "million/s", "g++")->value, 50, 0.1);
    EXPECT_EQ(cell_at(*packets, "freehold.pool", "line", "g++")->text, "25G");
    EXPECT_EQ(find_plot(model, "packets-across")->levels.size(), 4U);
}

TEST(section, parts_of_a_cost_add_up_to_it) {
    results_builder results;
    const auto cell = [](const char* who, const char* test_case) {
        return results_builder::cell_of(who, test_case, "s/GiB");
    };
    results.timed("zeroing", cell("lower_bound", "memcpy.kept"), 0.1)
        .timed("zeroing", cell("std.make_shared", "memcpy.kept"), 0.5)
        .timed("zeroing", cell("std.make_shared", "memcpy.kept.memset"), 0.15);
    const auto model = report_on(results);
    const auto* plot = find_plot(model, "zeroing-shares-kept");
    ASSERT_NE(plot, nullptr);
    double sum = 0;
    for (const auto& series : plot->series)
        for (const auto& point : series.points)
            if (point.category == "std.make_shared") sum += point.x;
    EXPECT_NEAR(sum, 0.5, 1e-9);
}

TEST(section, a_time_that_depends_on_the_place_of_the_code_says_so) {
    auto results = strategies();
    results.file().labs.front().placements = 2;
    for (auto& cell : results.file().suites.at("operations").measurements) {
        if (cell.subject == "linked" && cell.test_case == "copy" && cell.lab == "g++")
            cell.samples = {{5}, {6}, {5}, {6}};
        else
            cell.samples.push_back(cell.samples.front());
    }
    const auto model = report_on(results);
    const auto* table = find_table(model, "operations-single");
    ASSERT_NE(table, nullptr);
    EXPECT_TRUE(cell_at(*table, "linked", "copy", "g++")->text.ends_with(" \u21c4"));
    EXPECT_FALSE(cell_at(*table, "intrusive", "copy", "g++")->text.ends_with(" \u21c4"));
    EXPECT_THAT(table->note, HasSubstr("\u21c4: where the linker places the code"));
    EXPECT_THAT(find_table(report_on(strategies()), "operations-single")->note,
                testing::Not(HasSubstr("\u21c4")));
}

TEST(section, exact_sizes_have_no_interval) {
    results_builder results;
    const auto cell = [](const char* who, const char* test_case) {
        return results_builder::cell_of(who, test_case, "bytes");
    };
    auto bytes = cell("intrusive", "assign.bytes");
    bytes.note = "I";
    results.exact("footprint", bytes, 31)
        .exact("footprint", cell("intrusive", "assign.instructions"), 9)
        .exact("footprint", cell("intrusive", "beyond_the_object"), 8)
        .exact("footprint", cell("std.shared_ptr", "beyond_the_object"), 32);
    const auto model = report_on(results);
    const auto* code = find_table(model, "footprint-code");
    ASSERT_NE(code, nullptr);
    EXPECT_EQ(cell_at(*code, "intrusive", "op=", "g++")->text, "9/31/I");
    EXPECT_EQ(cell_at(*code, "intrusive", "op=", "MSVC 6.0, 2000")->text, "6/11/I");
    EXPECT_THAT(section_of(model, "footprint").finding,
                HasSubstr("intrusive (8.00 bytes); std.shared_ptr takes 4.00 times as much"));
}

TEST(section, the_article_of_2006_is_held_against_what_it_printed) {
    results_builder results;
    const auto cell = [](std::int64_t step) {
        return results_builder::cell_of("keep_largest", "published.buffers", "buffers", "", "",
                                        step);
    };
    results.exact("buffers", cell(0), 1).exact("buffers", cell(100), 8);
    const auto model = report_on(results);
    ASSERT_NE(find_table(model, "buffers-article-flawed"), nullptr);
    EXPECT_EQ(find_table(model, "buffers-article-mended"), nullptr);
    EXPECT_THAT(section_of(model, "buffers").finding, HasSubstr("1 of the article's 2 figures"));
}

TEST(section, a_front_is_interpolated_between_settings) {
    results_builder results;
    const auto add = [&](const char* who, std::int64_t n, double idle, double hits, double used) {
        const auto cell = [&](const char* test_case, const char* unit) {
            return results_builder::cell_of(who, test_case, unit, "", "", n);
        };
        results.exact("buffers", cell("article.idle", "bytes"), idle * 1024)
            .exact("buffers", cell("article.hit_rate", "%"), hits)
            .exact("buffers", cell("article.used", "%"), used);
    };
    add("greedy_dual_fit", 1, 8, 80, 99);
    add("greedy_dual_fit", 2, 16, 90, 99);
    add("netty", 1, 12, 95, 60);
    add("jetty", 1, 24, 70, 98);
    const auto model = report_on(results);
    // At 12 KiB: half way between its settings; Netty wastes too much, Jetty keeps too much.
    EXPECT_THAT(section_of(model, "buffers").finding,
                testing::AllOf(HasSubstr("85.0 %"), HasSubstr("35.0 %")));
    const auto* table = find_table(model, "buffers-policies");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "jetty", "hits", "article")->text, "70.0");
}

TEST(section, the_predicted_order_is_judged) {
    results_builder results;
    const auto way = [](const char* who) {
        return results_builder::cell_of(who, "six_ways", "ns");
    };
    results.timed("packets", way("std.allocate_shared.pool"), 10)
        .timed("packets", way("std.make_shared"), 8)
        .timed("packets", way("std.shared_ptr.new"), 30);
    const auto model = report_on(results);
    EXPECT_THAT(notes_of(section_of(model, "packets")),
                HasSubstr("std.allocate_shared.pool takes 1.25 times as long as std.make_shared"));
}

TEST(section, several_files_stand_side_by_side) {
    auto old_machine = strategies();
    auto new_machine = strategies();
    new_machine.file().environment.facts[0].value = "Example 2";
    new_machine.timed("cycles", results_builder::cell_of("cyclic", "ring", "ns", "", "g++"), 40);
    const auto model = build_report({{"old", old_machine.file()}, {"new", new_machine.file()}});
    const auto* table = find_table(model, "operations-single");
    EXPECT_TRUE(cell_at(*table, "linked", "copy", "g++, old"));
    EXPECT_TRUE(cell_at(*table, "linked", "copy", "g++, new"));
    EXPECT_THAT(model.environment, testing::Contains(fact{"processor (new)", "Example 2"}));
    EXPECT_THAT(model.environment, testing::Contains(fact{"load", "0.1"}));
    EXPECT_THAT(notes_of(section_of(model, "cycles")), HasSubstr("Not measured in old."));
    EXPECT_THROW((void)build_report({}), std::invalid_argument);
}

TEST(section, what_was_skipped_or_interrupted_is_told) {
    auto results = strategies({"g++"});
    auto& suite = results.file().suites["operations"];
    suite.complete = false;
    suite.skipped = {{"g++", "linked", "move", "it does not compile"}};
    const auto notes = notes_of(section_of(report_on(results), "operations"));
    EXPECT_THAT(notes, HasSubstr("Skipped with g++: linked, move: it does not compile."));
    EXPECT_THAT(notes, HasSubstr("interrupted"));
}

TEST(section, many_subjects_stand_by_family) {
    results_builder results;
    for (int i = 0; i != 20; ++i) {
        const auto key = "subject_" + std::to_string(i);
        auto which = subject_of(key, key, i < 10 ? "boost" : "freehold");
        which.folded = i % 2 == 0;
        results.introduce(which);
        results.timed("operations", results_builder::cell_of(key, "copy", "ns"), i + 1);
    }
    const auto model = report_on(results);
    EXPECT_TRUE(find_table(model, "operations-single")->grouped);
    ASSERT_EQ(model.subjects.size(), 20U);
    EXPECT_EQ(model.subjects[0].family, "Boost");
    EXPECT_FALSE(model.subjects[0].central);
    EXPECT_TRUE(model.subjects[1].central);
    EXPECT_FALSE(find_table(report_on(strategies()), "operations-single")->grouped);
}

/// Every case of a suite with figures of a few subjects.
results_builder whole(const std::string& suite) {
    results_builder results;
    for (const char* key : {"raw", "lower_bound", "std.make_shared", "freehold.make_shared",
                            "new_and_delete.kept", "freehold.buffer_cache", "glibc", "keep_largest",
                            "greedy_dual_fit", "libcurl.std.make_shared", "intrusive"})
        results.introduce(
            subject_of(key, key, std::string(key) == "raw" ? "lower_bound" : "other"));
    for (const auto& each : described(suite).cases)
        for (const auto& who : std::vector<subject>(results.file().subjects))
            for (const std::int64_t n : {0, 1, 2, 8, 32}) {
                auto cell = results_builder::cell_of(who.key, each.key, each.unit);
                if (!each.parameter.empty()) cell.n = n;
                if (each.parameter.empty() && n != 0) continue;
                results.timed(suite, cell, 10 + static_cast<double>(n));
            }
    return results;
}

class every_suite : public testing::TestWithParam<std::string> {};

/// A table or plot of the page that nothing fills would be a misspelt key.
TEST_P(every_suite, has_a_page_whose_every_block_is_filled) {
    const auto model = report_on(whole(GetParam()));
    const auto page = nlohmann::json::parse(described(GetParam()).text).at("page");
    for (const auto& block : page.at("blocks")) {
        if (block.contains("table")) {
            const auto* table = find_table(model, block.at("table"));
            ASSERT_NE(table, nullptr) << block.at("table");
            EXPECT_GE(table->rows.size(), 1U);
        }
        if (block.contains("plot") && !block.contains("every")) {
            EXPECT_NE(find_plot(model, block.at("plot")), nullptr) << block.at("plot");
        }
    }
    EXPECT_THAT(section_of(model, GetParam()).finding, Not(HasSubstr("{")));
}

std::vector<std::string> suites_there_are() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(FREEHOLD_SUITES))
        if (std::filesystem::exists(entry.path() / "suite.json"))
            names.push_back(entry.path().filename());
    return names;
}

INSTANTIATE_TEST_SUITE_P(section, every_suite, testing::ValuesIn(suites_there_are()),
                         [](const auto& suite) { return suite.param; });

/// What build_report says of a page of `operations` with this member.
std::string refusal_of(const nlohmann::json& page) {
    auto results = strategies({"g++"});
    auto& description = results.file().suites["operations"].description;
    auto document = nlohmann::json::parse(description.text);
    document["page"] = page;
    description.text = document.dump();
    try {
        (void)report_on(results);
    } catch (const result_error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(page, what_is_wrong_in_it_is_named_with_its_place) {
    const auto with_column = [](const nlohmann::json& column) {
        return nlohmann::json{
            {"blocks", {{{"table", "t"}, {"caption", "c"}, {"columns", {column}}}}}};
    };
    const std::string at = "suites.operations.description.page";
    EXPECT_THAT(refusal_of(with_column({{"case", "copie"}})),
                testing::AllOf(HasSubstr(at), HasSubstr("\"copie\"")));
    EXPECT_THAT(refusal_of(with_column({{"case", "copy"}, {"timse", "raw"}})),
                HasSubstr(at + ".blocks[0].columns[0].timse"));
    EXPECT_THAT(refusal_of(with_column({{"case", "copy"}, {"show", "nicely"}})),
                HasSubstr("\"nicely\""));
    EXPECT_THAT(refusal_of({{"blocks", {{{"special", "magic"}}}}}),
                HasSubstr("no block \"magic\""));
    EXPECT_THAT(refusal_of({{"blocks", {{{"picture", "p"}}}}}), HasSubstr(at + ".blocks[0]"));
    EXPECT_EQ(refusal_of(with_column({{"case", "copy"}})), "accepted");
}

}  // namespace
}  // namespace section_test
