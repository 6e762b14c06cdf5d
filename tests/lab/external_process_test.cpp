// SPDX-License-Identifier: BSL-1.0
// How the lab talks to an external process, and what it says of one that does not talk as
// specified.
#include "runner/external_process.hpp"

#include "lab/scripted_processes.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace external_process_test {
namespace {

using lab::external_process;
using lab::process_error;
using lab::process_kind;
using namespace lab_tests;

constexpr std::chrono::seconds long_enough{60};
constexpr std::chrono::milliseconds not_at_all{50};

class a_process : public testing::Test {
protected:
    std::filesystem::path write(const std::string& script) const {
        return write_process(folder_, "scripted", script);
    }

    std::string error_at_start(const std::string& script,
                               lab::process_patience patience = {long_enough}) const {
        return error_at_start_of(write(script), patience);
    }

    static std::string error_at_start_of(const std::filesystem::path& executable,
                                         lab::process_patience patience = {long_enough}) {
        try {
            const external_process started(executable, process_kind::single, patience);
        } catch (const process_error& error) {
            return error.what();
        }
        return "no error";
    }

    std::string error_at_request(const std::string& script,
                                 std::chrono::milliseconds to_measure = long_enough,
                                 std::chrono::milliseconds to_end = long_enough) const {
        external_process started(write(says(description_of_one("a")) + script),
                                 process_kind::single, {long_enough, to_measure, to_end});
        EXPECT_EQ(started.failure(), "");
        std::string first;
        try {
            started.measure(0, 1);
            return "no error";
        } catch (const process_error& error) {
            first = error.what();
        }
        EXPECT_EQ(started.failure(), first);
        EXPECT_THROW(started.measure(0, 1), process_error) << "it has ended";
        return first;
    }

    freehold::temporary_folder folder_;
};

TEST_F(a_process, describes_itself) {
    const auto path = write(says(description_of(
        subject("a") + "," + subject("the b", R"(,"version":"7.8","missing":"install it")"),
        cell("a", "t") + "," + cell("the_b", "u", R"(,"n":5,"once":true)"))));
    const external_process started(path, process_kind::single);
    const lab::process_description& told = started.description();
    EXPECT_EQ(told.compiler, "sh 1");
    EXPECT_EQ(told.flags, "-e");
    EXPECT_EQ(told.standard_library, "none");
    ASSERT_EQ(told.subjects.size(), 2u);
    EXPECT_EQ(told.subjects[1].key, "the_b");
    EXPECT_EQ(told.subjects[1].family, lab::family::other);
    EXPECT_EQ(told.subjects[1].version, "7.8");
    EXPECT_EQ(told.why_missing("a"), "");
    EXPECT_EQ(told.why_missing("the_b"), "install it");
    ASSERT_EQ(told.cells.size(), 2u);
    EXPECT_EQ(told.cells[0].suite, "construction");
    EXPECT_EQ(told.cells[0].subject, "a");
    EXPECT_EQ(told.cells[0].n, std::nullopt);
    EXPECT_EQ(told.cells[0].scale, 1e9);
    EXPECT_FALSE(told.cells[0].once);
    EXPECT_EQ(told.cells[1].case_key, "u");
    EXPECT_EQ(told.cells[1].n, 5);
    EXPECT_TRUE(told.cells[1].once);
}

TEST_F(a_process, is_told_the_kind_of_process_and_each_cell_and_iterations) {
    const auto path =
        write(says(description_of(subject("a"), cell("a", "t") + "," + cell("a", "u"))) +
              "[ \"$*\" = '--process threaded' ] || exit 1\n"
              "while read index iterations; do echo $index.0$iterations; done\n");
    external_process started(path, process_kind::threaded);
    EXPECT_EQ(started.measure(1, 3), 1.03);
    EXPECT_EQ(started.measure(0, 25), 0.025);
    EXPECT_EQ(started.failure(), "");
}

TEST_F(a_process, may_print_more_to_standard_error_than_a_pipe_holds) {
    const auto path = write(says(description_of_one("a")) +
                            "read index iterations\n"
                            "head -c 300000 /dev/zero >&2\n"
                            "echo 0.5\n");
    EXPECT_EQ(external_process(path, process_kind::single).measure(0, 1), 0.5);
}

TEST_F(a_process, that_does_not_start_says_why) {
    EXPECT_EQ(error_at_start_of(folder_ / "absent"),
              "the process absent cannot be started: No such file or directory");
    EXPECT_EQ(error_at_start("echo no memory >&2; exit 1"),
              "the process scripted ended with status 1: no memory");
    EXPECT_EQ(error_at_start("exit 0"), "the process scripted ended too early");
    EXPECT_EQ(error_at_start("kill -SEGV $$"),
              "the process scripted was ended by a signal (Segmentation fault)");
}

TEST_F(a_process, that_describes_something_else_is_refused) {
    const std::string refusal = "the process scripted does not describe itself: ";
    EXPECT_EQ(error_at_start("echo Hello").rfind(refusal, 0), 0u);
    EXPECT_EQ(error_at_start("echo '{}'").rfind(refusal, 0), 0u);
    EXPECT_EQ(error_at_start(says(R"({"format":"freehold-process","version":1})")),
              refusal + "its format is not freehold-process, version 2");
    EXPECT_EQ(
        error_at_start(says(description_of("", R"({"suite":"construction"})"))).rfind(refusal, 0),
        0u);
    EXPECT_EQ(error_at_start(says(description_of(subject("a"), cell("b", "t")))),
              refusal + "its subject 'b' has no identity");
    EXPECT_EQ(error_at_start(says(description_of(R"({"name":"a","family":"aunts"})", ""))),
              refusal + "there is no family 'aunts'");
    EXPECT_EQ(error_at_start("exec sleep 60", {not_at_all}),
              "the process scripted does not answer");
}

TEST_F(a_process, that_breaks_off_says_how) {
    EXPECT_EQ(error_at_request("read it; echo out of memory >&2; exit 1"),
              "the process scripted ended with status 1: out of memory");
    EXPECT_EQ(error_at_request("read it; kill -KILL $$"),
              "the process scripted was ended by a signal (Killed)");
    EXPECT_EQ(error_at_request("exec <&- >&- sleep 60", long_enough, not_at_all),
              "the process scripted closed its output");
    EXPECT_EQ(error_at_request("exec sleep 60", not_at_all),
              "the process scripted does not answer");
}

TEST_F(a_process, that_answers_no_seconds_says_what_it_answers) {
    for (const std::string answer : {"soon", "-1", "0", "nan", "1 2", ""}) {
        EXPECT_EQ(error_at_request("read it; echo '" + answer + "'"),
                  "the process scripted answers no number of seconds: " + answer);
    }
}

const std::string joint = R"({"suite":"zeroing","subject":"a","figures":["t","t.faults"]})";

TEST_F(a_process, has_cells_of_several_figures_behind_the_others) {
    external_process started(
        write(says(description_of(subject("a"), cell("a", "t") + "," + joint)) +
              "while read index iterations; do echo 0.5 $index$iterations; done\n"),
        process_kind::single);
    const lab::process_description& told = started.description();
    ASSERT_EQ(told.cells.size(), 1u);
    ASSERT_EQ(told.joint_cells.size(), 1u);
    EXPECT_EQ(told.joint_cells[0].suite, "zeroing");
    EXPECT_EQ(told.joint_cells[0].cases, (std::vector<std::string>{"t", "t.faults"}));
    EXPECT_EQ(started.measure_jointly(0, 64), (std::vector<double>{0.5, 164}));

    const std::string refusal = "the process scripted does not describe itself: ";
    EXPECT_EQ(error_at_start(says(description_of(subject("a"), joint + "," + cell("a", "t")))),
              refusal + "a cell with one figure follows a cell with several");
    EXPECT_EQ(error_at_start(says(description_of(
                  subject("a"), R"({"suite":"zeroing","subject":"a","figures":[]})"))),
              refusal + "a cell has no figures");
}

TEST_F(a_process, that_answers_other_than_all_its_figures_says_what_it_answers) {
    for (const std::string answer : {"1", "1 2 3", "1 -2", "1 nan", "1 two", ""}) {
        external_process started(
            write(says(description_of(subject("a"), joint)) + "read it; echo '" + answer + "'"),
            process_kind::single);
        try {
            started.measure_jointly(0, 1);
            ADD_FAILURE() << answer;
        } catch (const process_error& error) {
            EXPECT_EQ(error.what(), "the process scripted answers no 2 figures: " + answer);
        }
        EXPECT_NE(started.failure(), "");
    }
    external_process zero(write(says(description_of(subject("a"), joint)) + "read it; echo 0 0"),
                          process_kind::single);
    EXPECT_EQ(zero.measure_jointly(0, 1), (std::vector<double>{0, 0}));
}

TEST_F(a_process, sees_the_end_of_its_input_when_it_is_done_with) {
    freehold::temporary_folder folder;
    const auto left = folder / "left";
    {
        external_process started(write(says(description_of_one("a")) + answers_all +
                                       "echo end > '" + left.string() + "'"),
                                 process_kind::single);
        EXPECT_GT(started.measure(0, 1), 0);
    }
    EXPECT_EQ(freehold::text_of(left), "end\n");
}

}  // namespace
}  // namespace external_process_test
