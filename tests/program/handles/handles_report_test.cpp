// SPDX-License-Identifier: BSL-1.0
// What a run of `freehold handles` shows: its text, its file and its page.
#include "handles/handles_report.hpp"

#include "handles/handles_file.hpp"
#include "handles/handles_terminal.hpp"
#include "program/temporary_folder.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold::handles_report_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Each of the lines copies so often, on several threads. A copy takes 5 ns.
handles_run run_of(const std::vector<std::uint64_t>& copies) {
    handles_run run;
    run.command = {"./server"};
    run.costs = {.plain = 1,
                 .locked = {5, 2, 9},
                 .plain_in_variable = 1,
                 .locked_in_variable = {5, 2, 9},
                 .locking = {4, 1, 6},
                 .weak_lock = 7,
                 .allocation = 20};
    for (const std::uint64_t each : copies) {
        counted_line line;
        line.handle = "std::shared_ptr (libstdc++)";
        line.pointee = "shape" + std::to_string(run.counts.lines.size());
        line.function = "work";
        line.file = "work.cpp";
        line.line = static_cast<int>(run.counts.lines.size()) + 1;
        line.copies = each;
        run.counts.lines.push_back(line);
    }
    name_files(run.counts.lines);
    return run;
}

TEST(handles_report, has_all_advice_in_its_file_also_of_little_gain) {
    const handles_run run = run_of({1000000, 10});
    const given_advice advice = advise_on(run);
    EXPECT_EQ(advice.shown_pieces, 1U);
    const temporary_folder folder;
    save_run(run, advice, folder.path() / "run.json");
    std::ifstream file(folder.path() / "run.json");
    EXPECT_EQ(nlohmann::json::parse(file).at("advice").size(), 2U);
}

TEST(handles_report, names_the_lambdas_of_which_one_captures) {
    handles_run run = run_of({100});
    run.counts.lines[0].lambdas = {7, 9};
    run.counts.pairs.push_back(
        {.copy = 0, .release = 0, .count = 100, .distance = 100, .captured = 100});
    const auto codes_of = [](const given_advice& advice) {
        std::string all;
        for (const handles_advice& each : advice.pieces) all += each.code;
        return all;
    };
    EXPECT_THAT(codes_of(advise_on(run)),
                HasSubstr("the capture of one of the lambdas at lines 7, 9,"));
    run.counts.lines[0].lambdas = {7};
    EXPECT_THAT(codes_of(advise_on(run)), HasSubstr("the capture of the lambda at line 7,"));
}

TEST(handles_report, advises_no_reference_to_void) {
    handles_run run = run_of({100});
    run.counts.lines[0].pointee = "void";
    run.counts.pairs.push_back({.copy = 0, .release = 0, .count = 100, .distance = 100});
    run.counts.pairs[0].converted = 100;
    std::string codes;
    for (const handles_advice& each : advise_on(run).pieces) codes += each.code;
    EXPECT_THAT(codes, AllOf(HasSubstr("or void*, if it only looks"), Not(HasSubstr("void&"))));
}

TEST(handles_report, counts_what_it_does_not_show) {
    const handles_run one = run_of({1000000, 10});
    EXPECT_THAT(terminal_text(one, advise_on(one)), HasSubstr("1 more change gains less"));
    const handles_run two = run_of({1000000, 10, 10});
    EXPECT_THAT(terminal_text(two, advise_on(two)), HasSubstr("2 more changes gain less"));
}

TEST(handles_report, tells_intervals_alone_of_costs_that_were_not_steady) {
    handles_run run = run_of({1000000});
    EXPECT_THAT(terminal_text(run, advise_on(run)), HasSubstr("4 ms (1 ms to 6 ms)"));
    for (const auto& [name, figure] : cost_figures) (run.costs.*figure).is_steady = false;
    const std::string text = terminal_text(run, advise_on(run));
    EXPECT_THAT(text, AllOf(HasSubstr("They take about 2 ms to 9 ms"), HasSubstr("1 ms to 6 ms"),
                            Not(HasSubstr("4 ms")), Not(HasSubstr("5 ms"))));
}

TEST(handles_report, has_bars_in_a_unit_that_fits_the_longest) {
    const handles_run run = run_of({5000, 300, 1});
    std::vector<const report_plot*> bars;
    const report_model model = handles_report(run, advise_on(run), "2026-01-01T00:00:00Z");
    for (const report_section& section : model.sections)
        for (const auto& block : section.blocks)
            if (const auto* plot = std::get_if<report_plot>(&block)) bars.push_back(plot);
    ASSERT_EQ(bars.size(), 2U);
    for (const report_plot* each : bars) {
        EXPECT_EQ(each->x.unit, "µs");
        ASSERT_EQ(each->series.size(), 1U);
        std::vector<double> lengths;
        for (const plot_point& point : each->series[0].points) lengths.push_back(point.x);
        // 5 ns cannot be seen beside 25 µs.
        EXPECT_THAT(lengths, testing::ElementsAre(testing::DoubleEq(25), testing::DoubleEq(1.5)));
    }
}

TEST(operation_costs, are_those_of_the_quickest_rounds_if_three_agree) {
    using testing::ElementsAre;
    using testing::IsEmpty;
    EXPECT_THAT(quickest_that_agree({10, 10.5}), IsEmpty());
    EXPECT_THAT(quickest_that_agree({30, 10, 20, 10.9, 25}), IsEmpty());
    EXPECT_THAT(quickest_that_agree({30, 10, 20, 10.9, 25, 10.5}), ElementsAre(1, 5, 3));
}

TEST(operation_costs, of_several_rounds_are_the_middle_and_the_whole_interval) {
    std::vector<operation_costs> rounds(3);
    rounds[0].locked = {5, 2, 9};
    rounds[1].locked = {4, 1, 6};
    rounds[2].locked = {15, 3, 20};
    const operation_costs all = joined(rounds, false);
    EXPECT_DOUBLE_EQ(all.locked.usual, 5);
    EXPECT_DOUBLE_EQ(all.locked.least, 1);
    EXPECT_DOUBLE_EQ(all.locked.most, 20);
    EXPECT_FALSE(all.locked.is_steady);
    EXPECT_TRUE(joined(rounds, true).locked.is_steady);
}

}  // namespace
}  // namespace freehold::handles_report_test
