// SPDX-License-Identifier: BSL-1.0
// How the lab talks to a peer, and what it says of one that does not talk as specified.
#include "runner/peer.hpp"

#include "lab/scripted_peers.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using lab::peer;
using lab::peer_error;
using lab::process_kind;
using namespace lab_tests;

constexpr std::chrono::seconds long_enough{60};
constexpr std::chrono::milliseconds not_at_all{50};

class a_peer : public testing::Test {
protected:
    std::filesystem::path write(const std::string& script) const {
        return write_peer(folder_, "scripted", script);
    }

    std::string error_at_start(const std::string& script,
                               lab::peer_patience patience = {long_enough}) const {
        return error_at_start_of(write(script), patience);
    }

    static std::string error_at_start_of(const std::filesystem::path& executable,
                                         lab::peer_patience patience = {long_enough}) {
        try {
            const peer started(executable, process_kind::single, patience);
        } catch (const peer_error& error) {
            return error.what();
        }
        return "no error";
    }

    std::string error_at_request(const std::string& script,
                                 std::chrono::milliseconds to_measure = long_enough,
                                 std::chrono::milliseconds to_end = long_enough) const {
        peer started(write(says(description_of(cell("a", "t"))) + script), process_kind::single,
                     {long_enough, to_measure, to_end});
        EXPECT_EQ(started.failure(), "");
        std::string first;
        try {
            started.measure(0, 1);
            return "no error";
        } catch (const peer_error& error) {
            first = error.what();
        }
        EXPECT_EQ(started.failure(), first);
        EXPECT_THROW(started.measure(0, 1), peer_error) << "it has ended";
        return first;
    }

private:
    freehold::temporary_folder folder_;
};

TEST_F(a_peer, describes_itself) {
    const auto path =
        write(says(description_of(cell("a", "t") + "," + cell("b", "u", R"("n":5,"once":true)"))));
    const peer started(path, process_kind::single);
    const lab::peer_description& told = started.description();
    EXPECT_EQ(told.compiler, "sh 1");
    EXPECT_EQ(told.flags, "-e");
    EXPECT_EQ(told.standard_library, "none");
    EXPECT_EQ(told.missing, "");
    ASSERT_EQ(told.peers.size(), 1u);
    EXPECT_EQ(told.peers[0].name, "Shell");
    EXPECT_EQ(told.peers[0].version, "7.8");
    ASSERT_EQ(told.cells.size(), 2u);
    EXPECT_EQ(told.cells[0].suite, "construction");
    EXPECT_EQ(told.cells[0].competitor, "a");
    EXPECT_EQ(told.cells[0].n, std::nullopt);
    EXPECT_EQ(told.cells[0].unit, "ns");
    EXPECT_EQ(told.cells[0].scale, 1e9);
    EXPECT_FALSE(told.cells[0].once);
    EXPECT_EQ(told.cells[1].test, "u");
    EXPECT_EQ(told.cells[1].n, 5);
    EXPECT_TRUE(told.cells[1].once);
}

TEST_F(a_peer, says_why_its_cells_are_missing) {
    std::string line = description_of(cell("a", "t"));
    line.insert(1, R"("missing":"install it",)");
    EXPECT_EQ(peer(write(says(line)), process_kind::single).description().missing, "install it");
}

TEST_F(a_peer, is_told_the_kind_of_process_and_each_cell_and_iterations) {
    const auto path = write(says(description_of(cell("a", "t") + "," + cell("b", "t"))) +
                            "[ \"$*\" = '--process threaded' ] || exit 1\n"
                            "while read index iterations; do echo $index.0$iterations; done\n");
    peer started(path, process_kind::threaded);
    EXPECT_EQ(started.measure(1, 3), 1.03);
    EXPECT_EQ(started.measure(0, 25), 0.025);
    EXPECT_EQ(started.failure(), "");
}

TEST_F(a_peer, may_print_more_to_standard_error_than_a_pipe_holds) {
    const auto path = write(says(description_of(cell("a", "t"))) +
                            "read index iterations\n"
                            "head -c 300000 /dev/zero >&2\n"
                            "echo 0.5\n");
    EXPECT_EQ(peer(path, process_kind::single).measure(0, 1), 0.5);
}

TEST_F(a_peer, that_does_not_start_says_why) {
    const auto path = write("");
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    EXPECT_EQ(error_at_start_of(path.parent_path() / "absent"),
              "peer absent cannot be started: No such file or directory");
    EXPECT_EQ(error_at_start("echo no memory >&2; exit 1"),
              "peer scripted ended with status 1: no memory");
    EXPECT_EQ(error_at_start("exit 0"), "peer scripted ended too early");
    EXPECT_EQ(error_at_start("kill -SEGV $$"),
              "peer scripted was ended by a signal (Segmentation fault)");
}

TEST_F(a_peer, that_describes_something_else_is_refused) {
    const std::string refusal = "peer scripted does not describe itself as a peer: ";
    EXPECT_EQ(error_at_start("echo Hello").rfind(refusal, 0), 0u);
    EXPECT_EQ(error_at_start("echo '{}'").rfind(refusal, 0), 0u);
    EXPECT_EQ(error_at_start(says(R"({"format":"freehold-peer","version":2})")),
              refusal + "its format is not freehold-peer, version 1");
    EXPECT_EQ(error_at_start(says(description_of(R"({"suite":"construction"})"))).rfind(refusal, 0),
              0u);
    EXPECT_EQ(error_at_start("exec sleep 60", {not_at_all}), "peer scripted does not answer");
}

TEST_F(a_peer, that_breaks_off_says_how) {
    EXPECT_EQ(error_at_request("read it; echo out of memory >&2; exit 1"),
              "peer scripted ended with status 1: out of memory");
    EXPECT_EQ(error_at_request("read it; kill -KILL $$"),
              "peer scripted was ended by a signal (Killed)");
    EXPECT_EQ(error_at_request("exec <&- >&- sleep 60", long_enough, not_at_all),
              "peer scripted closed its output");
    EXPECT_EQ(error_at_request("exec sleep 60", not_at_all), "peer scripted does not answer");
}

TEST_F(a_peer, that_answers_no_seconds_says_what_it_answers) {
    for (const std::string answer : {"soon", "-1", "0", "nan", "1 2", ""}) {
        EXPECT_EQ(error_at_request("read it; echo '" + answer + "'"),
                  "peer scripted answers no number of seconds: " + answer);
    }
}

const std::string joint =
    R"({"suite":"zeroing","competitor":"a",)"
    R"("figures":[{"test":"t","unit":"s/GiB"},{"test":"t, faults","unit":"faults/GiB"}]})";

TEST_F(a_peer, has_cells_of_several_figures_behind_the_others) {
    peer started(write(says(description_of(cell("a", "t") + "," + joint)) +
                       "while read index iterations; do echo 0.5 $index$iterations; done\n"),
                 process_kind::single);
    const lab::peer_description& told = started.description();
    ASSERT_EQ(told.cells.size(), 1u);
    ASSERT_EQ(told.joint_cells.size(), 1u);
    EXPECT_EQ(told.joint_cells[0].suite, "zeroing");
    EXPECT_EQ(told.joint_cells[0].competitor, "a");
    ASSERT_EQ(told.joint_cells[0].figures.size(), 2u);
    EXPECT_EQ(told.joint_cells[0].figures[1].test, "t, faults");
    EXPECT_EQ(told.joint_cells[0].figures[1].unit, "faults/GiB");
    EXPECT_EQ(started.measure_jointly(0, 64), (std::vector<double>{0.5, 164}));

    const std::string refusal = "peer scripted does not describe itself as a peer: ";
    EXPECT_EQ(error_at_start(says(description_of(joint + "," + cell("a", "t")))),
              refusal + "a cell of one figure stands behind one of several");
    EXPECT_EQ(error_at_start(
                  says(description_of(R"({"suite":"zeroing","competitor":"a","figures":[]})"))),
              refusal + "a cell has no figures");
}

TEST_F(a_peer, that_answers_other_than_all_its_figures_says_what_it_answers) {
    for (const std::string answer : {"1", "1 2 3", "1 -2", "1 nan", "1 two", ""}) {
        peer started(write(says(description_of(joint)) + "read it; echo '" + answer + "'"),
                     process_kind::single);
        try {
            started.measure_jointly(0, 1);
            ADD_FAILURE() << answer;
        } catch (const peer_error& error) {
            EXPECT_EQ(error.what(), "peer scripted answers no 2 figures: " + answer);
        }
        EXPECT_NE(started.failure(), "");
    }
    peer zero(write(says(description_of(joint)) + "read it; echo 0 0"), process_kind::single);
    EXPECT_EQ(zero.measure_jointly(0, 1), (std::vector<double>{0, 0}));
}

TEST_F(a_peer, sees_the_end_of_its_input_when_it_is_done_with) {
    freehold::temporary_folder folder;
    const auto left = folder / "left";
    {
        peer started(write(says(description_of(cell("a", "t"))) + answers_all + "echo end > '" +
                           left.string() + "'"),
                     process_kind::single);
        EXPECT_GT(started.measure(0, 1), 0);
    }
    EXPECT_EQ(freehold::text_of(left), "end\n");
}

}  // namespace
