// SPDX-License-Identifier: BSL-1.0
// `freehold record`, of real programs by the real recorder; skipped where LTTng is not installed.
#include "program/record/recording_test.hpp"
#include "program/traces/read_trace.hpp"
#include "skip.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace freehold::record_command_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

using record_command_ = recording_test;

std::uint64_t bytes_of(const whole_trace& trace) {
    std::uint64_t bytes = 0;
    for (const trace_event& event : trace.events)
        if (event.what == trace_event::kind::allocate) bytes += event.size;
    return bytes;
}

bool has_process(const whole_trace& trace, const std::string& beginning) {
    return std::any_of(trace.processes.begin(), trace.processes.end(), [&](const auto& process) {
        return process.name.compare(0, beginning.size(), beginning) == 0;
    });
}

/// Prints the process id of the daemon.
const std::vector<std::string> command_that_leaves_a_daemon = {
    "sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!; sleep 0.5"};

TEST_F(record_command_, records_a_compiler_with_all_that_it_starts) {
    const auto source = folder.write("source.cpp", "#include <string>\nstd::string s(10, 'x');\n");
    const whole_trace trace = recorded(
        "trace", {FREEHOLD_COMPILER, "-c", source.string(), "-o", (folder / "object.o").string()});
    EXPECT_TRUE(std::filesystem::exists(folder / "object.o"));
    EXPECT_GT(trace.events.size(), 10000U);
    EXPECT_GT(trace.processes.size(), 1U);
    EXPECT_TRUE(trace.losses.has_threads);
    EXPECT_EQ(trace.losses.lost_events, 0U);
    EXPECT_FALSE(trace.losses.truncated);
}

TEST_F(record_command_, records_a_script_of_python_with_its_threads) {
    if (!succeeds("python3 -c 'import threading'"))
        return tests::skip_without("python3", "Python 3 is not installed");
    const auto script = folder.write("script.py",
                                     "import threading\n"
                                     "def work():\n"
                                     "    for i in range(50): bytearray(100000 + i)\n"
                                     "threads = [threading.Thread(target=work) for _ in range(3)]\n"
                                     "for each in threads: each.start()\n"
                                     "for each in threads: each.join()\n");
    const whole_trace trace = recorded("trace", {"python3", script.string()});
    EXPECT_TRUE(has_process(trace, "python"));
    std::set<std::uint32_t> threads;
    std::size_t found = 0;
    for (const trace_event& event : trace.events)
        if (event.what == trace_event::kind::allocate && event.size > 100000 &&
            event.size < 100100) {
            threads.insert(event.thread);
            ++found;
        }
    EXPECT_GE(found, 147U);
    EXPECT_EQ(threads.size(), 3U);
}

TEST_F(record_command_, records_sqlite_the_same_twice) {
    if (!succeeds("sqlite3 -version"))
        return tests::skip_without("sqlite3", "sqlite3 is not installed");
    const std::vector<std::string> command = {
        "sqlite3", ":memory:",
        "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c "
        "where "
        "x < 2000) insert into t select x, hex(x) from c; select count(*) from t order by 1;"};
    const whole_trace first = recorded("first", command);
    const whole_trace second = recorded("second", command);
    EXPECT_GT(first.events.size(), 1000U);
    // The environment's length is all that may differ.
    const auto events = static_cast<double>(first.events.size());
    EXPECT_NEAR(static_cast<double>(second.events.size()), events, events / 100);
    const auto bytes = static_cast<double>(bytes_of(first));
    EXPECT_NEAR(static_cast<double>(bytes_of(second)), bytes, bytes / 100);
    EXPECT_EQ(first.losses.unknown_frees, second.losses.unknown_frees);
}

TEST_F(record_command_, ends_as_the_command_does_and_hands_its_output_on) {
    const program_end end = record("trace", {"sh", "-c", "echo said; echo told >&2; exit 7"});
    EXPECT_EQ(end.exit_status, 7);
    EXPECT_EQ(end.output, "said\n");
    EXPECT_THAT(end.diagnostics, HasSubstr("told\n"));
    EXPECT_THAT(end.diagnostics, HasSubstr("freehold: recorded "));
    EXPECT_EQ(record("killed", {"sh", "-c", "kill -9 $$"}).exit_status, 128 + SIGKILL);
}

TEST_F(record_command_, leaves_nothing_running_after_an_interrupt_and_what_was_recorded_readable) {
    // What freehold leaves behind becomes a child of this test.
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    const auto began = folder / "began";
    program_run run(
        arguments("trace", {"sh", "-c", "echo > '" + began.string() + "'; exec sleep 600"}));
    for (int i = 0; i != 600 && !std::filesystem::exists(began); ++i)
        std::this_thread::sleep_for(50ms);
    ASSERT_TRUE(std::filesystem::exists(began));
    run.send(SIGTERM);
    const program_end end = run.wait();
    EXPECT_EQ(end.exit_status, 128 + SIGTERM) << end.diagnostics;
    EXPECT_FALSE(read_trace(folder / "trace").events.empty());

    // Zombies are taken away; what still runs is not.
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

/// A disk of so many MiB, where a test may mount one.
class small_disk {
public:
    small_disk(std::filesystem::path at, int size) : path_(std::move(at)) {
        std::filesystem::create_directory(path_);
        is_there_ = succeeds("mount -t tmpfs -o size=" + std::to_string(size) + "M tmpfs '" +
                             path_.string() + "'");
    }
    small_disk(const small_disk&) = delete;
    small_disk& operator=(const small_disk&) = delete;
    ~small_disk() {
        if (is_there_) succeeds("umount '" + path_.string() + "'");
    }
    [[nodiscard]] bool is_there() const { return is_there_; }

private:
    std::filesystem::path path_;
    bool is_there_ = false;
};

TEST_F(record_command_, ends_the_recording_and_not_the_command_when_the_disk_is_full) {
    if (!succeeds("python3 --version"))
        return tests::skip_without("python3", "Python 3 is not installed");
    const small_disk disk(folder / "disk", 80);
    if (!disk.is_there()) return tests::skip_without("mount", "nothing can be mounted here");
    const program_end end = record("disk/trace", {"python3", "-c",
                                                  "for i in range(1500000): bytearray(600)\n"
                                                  "print('done')"});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_EQ(end.output, "done\n");
    EXPECT_THAT(end.diagnostics, HasSubstr("disk/trace: the disk is full: the recording ends"));
    EXPECT_GT(read_trace(folder / "disk/trace").events.size(), 100000U);
}

TEST_F(record_command_, begins_no_recording_on_a_disk_without_room) {
    const small_disk disk(folder / "disk", 8);
    if (!disk.is_there()) return tests::skip_without("mount", "nothing can be mounted here");
    const program_end end = record("disk/trace", {"echo", "run"});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_EQ(end.output, "");
    EXPECT_THAT(end.diagnostics, HasSubstr("disk/trace: less than 64 MiB are free there"));
}

TEST_F(record_command_, says_when_the_command_removes_its_recording) {
    const program_end end = record("trace", {"rm", "-rf", (folder / "trace").string()});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("trace: another program removed it"));
}

TEST_F(record_command_, says_why_nothing_was_recorded_of_a_static_program) {
    const auto source = folder.write("source.cpp", "int main() { return 0; }\n");
    const std::string program = folder / "program";
    if (!succeeds(std::string(FREEHOLD_COMPILER) + " -static -o '" + program + "' '" +
                  source.string() + "'"))
        return tests::skip_without("static_libc", "nothing can be linked statically here");
    // A program of an earlier recording that still runs is not part of this one.
    const int earlier = std::atoi(record("earlier", command_that_leaves_a_daemon).output.c_str());
    ASSERT_GT(earlier, 0);
    const program_end end = record("trace", {program});
    EXPECT_EQ(::kill(earlier, SIGKILL), 0);
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("nothing was recorded: into a program that is linked"));
}

TEST_F(record_command_, says_which_daemon_it_leaves_unrecorded) {
    const program_end end = record("t sp", command_that_leaves_a_daemon);
    ASSERT_GT(std::atoi(end.output.c_str()), 0);
    ASSERT_EQ(::kill(std::atoi(end.output.c_str()), SIGKILL), 0);
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.diagnostics,
                HasSubstr("sleep (" + end.output.substr(0, end.output.size() - 1)));
    EXPECT_THAT(end.diagnostics,
                HasSubstr("freehold advise '" + (folder / "t sp").string() + "'`"));
    EXPECT_THAT(record("ended", {"sh", "-c", "sleep 0 & wait"}).diagnostics,
                testing::Not(HasSubstr("still runs")));
}

TEST_F(record_command_, overwrites_nothing_and_leaves_no_folder_where_nothing_was_run) {
    const auto kept = folder.write("kept/file", "text");
    program_end end = record("kept", {"true"});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("/kept: "));
    EXPECT_EQ(text_of(kept), "text");

    end = record("new", {"/no/such/command"});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("/no/such/command: cannot be run"));
    EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

TEST(record_command_without_lttng, says_how_to_install_it) {
    const temporary_folder folder;
    const program_end end = run_program({"record", "-o", (folder / "trace").string(), "true"},
                                        {{"PATH", folder.path().string()}});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("scripts/install of Freehold"));
    EXPECT_FALSE(std::filesystem::exists(folder / "trace"));
}

TEST(record_command_without_lttng, says_that_its_wrapper_makes_every_program_crash) {
    const temporary_folder folder;
    const auto write = [&](const char* name, const char* does) {
        std::ofstream(folder / name) << "#!/bin/sh\n" << does << '\n';
        std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
    };
    write("lttng", "exit 0");
    write("lttng-sessiond", "exit 0");
    write("true", "kill -SEGV $$");
    const program_end end = run_program({"record", "-o", (folder / "trace").string(), "true"},
                                        {{"PATH", folder.path().string()}});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("record with heaptrack"));
    EXPECT_FALSE(std::filesystem::exists(folder / "trace"));
}

}  // namespace
}  // namespace freehold::record_command_test
