// SPDX-License-Identifier: BSL-1.0
#include "program/analyse/simulated_noise.hpp"
#include "program/report/result_fixture.hpp"
#include "report/compare_command.hpp"

#include <functional>
#include <sstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace compare_test {
namespace {

using namespace freehold;
using namespace freehold::test;

using truth = std::function<double(const std::string& subject, double value)>;

const std::vector<std::string> subjects{
    "raw",    "dumb",           "simple_counted", "intrusive",       "linked",
    "cyclic", "std.unique_ptr", "std.shared_ptr", "boost.shared_ptr"};

/// The operations suite on a machine whose noise is simulated.
result_file measured(unsigned seed, const truth& change, noise_levels levels = {}) {
    results_builder results;
    std::vector<double> truths;
    std::vector<measurement> cells;
    for (const auto& who : subjects) {
        for (const std::int64_t n : {0, 2, 4, 8, 16, 32}) {
            cells.push_back(results_builder::cell_of(who, "hold", "ns", "threaded", "g++", n));
            truths.push_back(change(who, 20.0 + static_cast<double>(n)));
        }
    }
    auto samples = noisy_machine(seed, levels).measure(truths, 5, 8);
    for (const char* foreign : {"raw", "std.unique_ptr", "std.shared_ptr", "boost.shared_ptr"})
        results.introduce(subject_of(foreign, foreign, "standard"));
    for (const char* own : {"dumb", "simple_counted", "intrusive", "linked", "cyclic"})
        results.introduce(subject_of(own, own, "strategy"));
    for (std::size_t i = 0; i != cells.size(); ++i) {
        results.timed("operations", cells[i], 1);
        results.file().suites["operations"].measurements.back().samples = std::move(samples[i]);
    }
    return results.file();
}

double unchanged(const std::string&, double value) {
    return value;
}

file_comparison compared(result_file base, result_file changed) {
    const run_pair one{std::move(base), std::move(changed)};
    return compare_files({&one, 1});
}

std::string printed(const file_comparison& found, bool all = false) {
    std::ostringstream out;
    print_comparison(out, found, all, {});
    return out.str();
}

TEST(compare, a_second_run_of_the_same_is_no_change) {
    const auto found = compared(measured(1, unchanged), measured(2, unchanged));
    EXPECT_EQ(found.exit_status(), 0);
    EXPECT_EQ(found.unchanged, subjects.size() * 6);
    EXPECT_TRUE(found.changes.empty());
    EXPECT_EQ(found.conclusion(), "54 unchanged.");
}

TEST(compare, shares_are_not_judged) {
    const auto with_share = [](unsigned seed, double percent) {
        result_file file = measured(seed, unchanged);
        measurement share = results_builder::cell_of("cyclic", "copy", "%", "threaded", "g++");
        share.samples = spread_samples(percent);
        file.suites["operations"].measurements.push_back(std::move(share));
        return file;
    };
    EXPECT_EQ(compared(with_share(1, 20), with_share(2, 80)).conclusion(), "54 unchanged.");
}

TEST(compare, a_regression_is_named_with_its_size) {
    const auto slower_linked = [](const std::string& who, double value) {
        return who == "linked" ? value * 1.2 : value;
    };
    const auto found = compared(measured(1, unchanged), measured(2, slower_linked));
    EXPECT_EQ(found.exit_status(), 2);
    EXPECT_EQ(found.slower, 6U);
    EXPECT_EQ(found.faster, 0U);
    ASSERT_EQ(found.changes.size(), 1U);
    EXPECT_EQ(found.changes[0].id, "operations");
    for (const auto& row : found.changes[0].rows) {
        EXPECT_TRUE(row.head.starts_with("g++ linked, hold ")) << row.head;
        EXPECT_NEAR(*row.cells[2]->value, 0.2, 0.03);
        EXPECT_EQ(row.cells[4]->text, "slower");
    }
    const auto text = printed(found);
    EXPECT_NE(text.find("6 slower or larger and 48 unchanged."), std::string::npos) << text;
}

TEST(compare, equal_figures_have_not_changed) {
    // Two of four processes were disturbed in one file, and none in the other.
    results_builder base;
    results_builder changed;
    for (const auto& who : subjects) {
        const auto cell = results_builder::cell_of(who, "copy", "ns", "threaded", "g++");
        base.timed("operations", cell, 2).timed("containers", cell, 3);
        changed.timed("operations", cell, 2).timed("containers", cell, 3);
    }
    auto& cells = changed.file().suites["operations"].measurements;
    cells.front().samples = {{1.93}, {1.93}, {9.7}, {1.93}};
    base.file().suites["operations"].measurements.front().samples = {
        {1.93}, {1.94}, {1.93}, {1.92}};
    const auto found = compared(base.file(), changed.file());
    EXPECT_EQ(found.slower + found.faster, 0U);
    for (const auto& table : found.noisy)
        for (const auto& row : table.rows) EXPECT_NEAR(*row.cells[2]->value, 0, 0.01) << row.head;
}

TEST(compare, a_slower_machine_is_told_apart) {
    const auto slow = [](const std::string&, double value) { return value * 1.3; };
    const auto found = compared(measured(1, unchanged), measured(2, slow));
    EXPECT_EQ(found.exit_status(), 0);
    ASSERT_EQ(found.shifts.size(), 1U);
    EXPECT_TRUE(found.shifts[0].starts_with("operations, g++, threaded: +")) << found.shifts[0];
}

TEST(compare, noise_is_admitted) {
    const noise_levels loud{.repetition = 0.3, .process = 0.1, .cell_in_process = 0.1};
    const auto found = compared(measured(1, unchanged, loud), measured(2, unchanged, loud));
    EXPECT_EQ(found.exit_status(), 3);
    ASSERT_EQ(found.noisy.size(), 1U);
    EXPECT_LE(found.noisy[0].rows.size(), 10U);
    EXPECT_NE(printed(found).find("--full"), std::string::npos);
}

TEST(compare, sizes_are_exact_and_cells_come_and_go) {
    results_builder base;
    results_builder changed;
    const auto handle = [](const std::string& who) {
        return results_builder::cell_of(who, "handle", "bytes");
    };
    base.exact("footprint", handle("linked"), 24).exact("footprint", handle("cyclic"), 8);
    changed.exact("footprint", handle("linked"), 25).exact("footprint", handle("intrusive"), 8);
    const auto found = compared(base.file(), changed.file());
    EXPECT_EQ(found.slower, 1U);
    EXPECT_EQ(found.appeared, 1U);
    EXPECT_EQ(found.disappeared, 1U);
    EXPECT_EQ(found.changes.at(0).rows.at(0).cells.at(4)->text, "larger");
    EXPECT_EQ(found.changes.at(0).rows.at(0).cells.at(1)->text, "25 bytes");
    EXPECT_EQ(found.conclusion(),
              "1 slower or larger, 1 only in the new file and 1 only in the base.");
    EXPECT_EQ(found.changes.at(0).rows.size(), 1U);
    EXPECT_EQ(printed(found).find("intrusive"), std::string::npos);
    EXPECT_NE(printed(found, true).find("intrusive"), std::string::npos);
}

TEST(compare, says_what_makes_it_doubtful) {
    auto base = measured(1, unchanged);
    auto changed = measured(2, unchanged);
    changed.environment.facts = {{"processor", "Example 2"}, {"load", "3.5"}};
    changed.labs[0].flags = "-O2";
    changed.mode = "quick";
    const auto doubts = compared(base, changed).doubts;
    EXPECT_EQ(doubts, (std::vector<std::string>{"g++ flags: -O3, now -O2",
                                                "mode of measuring: default, now quick",
                                                "processor: Example 1, now Example 2"}));
}

TEST(compare, runs_by_turns_tell_what_one_of_each_cannot) {
    const noise_levels loud{.repetition = 0.1, .process = 0.1, .cell_in_process = 0.08};
    const auto slower_linked = [](const std::string& who, double value) {
        return who == "linked" ? value * 1.15 : value;
    };
    std::vector<run_pair> runs;
    for (unsigned seed = 1; seed != 21; seed += 2) {
        runs.push_back({measured(seed, unchanged, loud), measured(seed + 1, slower_linked, loud)});
    }
    EXPECT_EQ(compare_files({runs.data(), 1}).slower, 0U);
    const auto found = compare_files(runs);
    EXPECT_EQ(found.slower, 6U);
    EXPECT_EQ(found.faster, 0U);
    EXPECT_EQ(found.exit_status(), 2);
}

TEST(compare, a_doubt_of_several_runs_is_said_once) {
    auto other = measured(2, unchanged);
    other.mode = "quick";
    const std::vector<run_pair> runs(3, {measured(1, unchanged), other});
    EXPECT_EQ(compare_files(runs).doubts,
              std::vector<std::string>{"mode of measuring: default, now quick"});
}

TEST(compare, nothing_measured_is_said) {
    const auto found = compared(results_builder().file(), results_builder().file());
    EXPECT_EQ(found.exit_status(), 0);
    EXPECT_EQ(found.conclusion(), "Neither file measured anything.");
}

TEST(compare, a_missing_file_is_an_error) {
    const std::vector<std::pair<std::string, std::string>> files{
        {"no-such-file.json", "nor-this.json"}};
    EXPECT_THROW((void)compare_command(files, false), result_error);
}

}  // namespace
}  // namespace compare_test
