// SPDX-License-Identifier: BSL-1.0
// Two runs of `freehold handles` side by side, and the files that they come from.
#include "handles/compare_handles.hpp"

#include "code/known_handles.hpp"
#include "handles/handles_file.hpp"
#include "program/temporary_folder.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::compare_handles_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

handles_run run_of(std::vector<std::pair<int, std::uint64_t>> copies_at) {
    handles_run run;
    run.command = {"./server", "--once"};
    run.costs = {.plain = 1,
                 .locked = 5,
                 .plain_in_variable = 1,
                 .locked_in_variable = 5,
                 .locking = 4,
                 .weak_lock = 7,
                 .allocation = 20};
    for (const auto& [number, copies] : copies_at) {
        counted_line line;
        line.handle = "std::shared_ptr (libstdc++)";
        line.pointee = "shape";
        line.function = "work";
        line.file = "work.cpp";
        line.line = number;
        line.copies = copies;
        run.counts.lines.push_back(line);
    }
    name_files(run.counts.lines);
    return run;
}

double change_in(const report_table& table, std::size_t row) {
    return table.rows.at(row).cells.back()->value.value();
}

TEST(compared_handles, that_counted_the_same_have_not_changed) {
    const handles_comparison found = compare_runs(run_of({{1, 10}}), run_of({{1, 10}}));
    EXPECT_THAT(found.types.rows, IsEmpty());
    EXPECT_THAT(found.lines.rows, IsEmpty());
    EXPECT_FALSE(found.is_regression);
}

TEST(compared_handles, are_told_by_type_and_by_line) {
    const handles_comparison found =
        compare_runs(run_of({{1, 10}, {4, 100}}), run_of({{1, 10}, {4, 50}}));
    ASSERT_EQ(found.types.rows.size(), 1U);
    EXPECT_NEAR(change_in(found.types, 0), -50.0 / 110, 1e-9);
    ASSERT_EQ(found.lines.rows.size(), 1U);
    EXPECT_DOUBLE_EQ(change_in(found.lines, 0), -0.5);
    EXPECT_FALSE(found.is_regression);
}

TEST(compared_handles, of_a_function_that_moved_are_the_same) {
    const handles_comparison found =
        compare_runs(run_of({{1, 10}, {4, 100}}), run_of({{3, 10}, {6, 100}}));
    EXPECT_THAT(found.lines.rows, IsEmpty());
}

TEST(compared_handles, of_one_file_are_the_same_if_one_run_shows_its_folder) {
    handles_run before = run_of({{1, 10}, {4, 100}});
    before.counts.lines[0].file = "/a/node/work.cpp";
    before.counts.lines[1].file = "/a/detail/work.cpp";
    before.counts.lines[1].function = "other";
    name_files(before.counts.lines);
    handles_run after = run_of({{1, 5}});
    after.counts.lines[0].file = "/b/node/work.cpp";
    name_files(after.counts.lines);
    const handles_comparison found = compare_runs(before, after);
    ASSERT_EQ(found.lines.rows.size(), 2U);
    EXPECT_THAT(found.lines.rows[1].head, HasSubstr("node/work.cpp:1"));
    EXPECT_DOUBLE_EQ(change_in(found.lines, 1), -0.5);
}

TEST(compared_handles, that_count_more_are_a_regression_whatever_an_operation_costs) {
    handles_run after = run_of({{1, 12}});
    after.costs.locked = 0.1;
    EXPECT_TRUE(compare_runs(run_of({{1, 10}}), after).is_regression);
}

TEST(handle_lines, are_told_apart_where_two_files_have_one_name) {
    handles_run run = run_of({{1, 10}, {4, 100}, {5, 1}});
    run.counts.lines[0].file = "/a/node/impl.h";
    run.counts.lines[1].file = "/a/detail/impl.h";
    name_files(run.counts.lines);
    EXPECT_EQ(place_of(run.counts.lines[0]), "node/impl.h:1");
    EXPECT_EQ(place_of(run.counts.lines[1]), "detail/impl.h:4");
    EXPECT_EQ(place_of(run.counts.lines[2]), "work.cpp:5");
}

class handles_file : public testing::Test {
protected:
    temporary_folder folder_;
};

TEST_F(handles_file, is_read_as_it_was_written) {
    handles_run run = run_of({{1, 10}, {4, 100}});
    run.cpu_seconds = 2.5;
    run.counts.lines[1].made_apart = 3;
    const auto file = folder_.path() / "handles.json";
    save_run(run, advise_on(run), file);
    EXPECT_TRUE(is_handles_file(file));
    const handles_run read = load_run(file);
    EXPECT_EQ(read.command, run.command);
    EXPECT_EQ(read.cpu_seconds, run.cpu_seconds);
    EXPECT_EQ(read.counts.lines.at(1).made_apart, 3U);
    EXPECT_DOUBLE_EQ(read.nanoseconds(), run.nanoseconds());
}

TEST_F(handles_file, that_is_none_is_refused_by_its_name) {
    const auto file = folder_.path() / "other.json";
    std::ofstream(file) << "{\"format\": \"other\"}";
    EXPECT_FALSE(is_handles_file(file));
    try {
        (void)load_run(file);
        FAIL();
    } catch (const handles_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("other.json"));
    }
    EXPECT_THROW((void)load_run(folder_.path() / "missing.json"), handles_error);
}

}  // namespace
}  // namespace freehold::compare_handles_test
