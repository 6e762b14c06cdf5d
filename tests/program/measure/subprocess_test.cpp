// SPDX-License-Identifier: BSL-1.0
#include "measure/subprocess.hpp"

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace freehold::subprocess_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Subprocess : public testing::Test {
protected:
    subprocess_end run(const std::string& script) {
        subprocess what;
        what.command = {"/bin/sh", "-c", script};
        what.read_line = [this](std::string_view line) { lines_.emplace_back(line); };
        what.time_limit = time_limit_;
        return run_subprocess(what, interrupts_);
    }

    interrupts interrupts_;
    std::vector<std::string> lines_;
    std::optional<std::chrono::milliseconds> time_limit_;
};

TEST_F(Subprocess, ItsLinesAreRead) {
    const auto end = run("echo one; echo; printf 'last without end'");
    EXPECT_TRUE(end.succeeded());
    EXPECT_THAT(lines_, ElementsAre("one", "", "last without end"));
}

TEST_F(Subprocess, AllThatItPrintsBeforeItsEndIsRead) {
    EXPECT_TRUE(run("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done").succeeded());
    ASSERT_EQ(lines_.size(), 20000U);
    EXPECT_EQ(lines_.back(), "19999");
}

TEST_F(Subprocess, ItsStatusAndLastDiagnosticAreKept) {
    const auto end = run("echo first >&2; echo 'the reason' >&2; echo >&2; exit 3");
    EXPECT_FALSE(end.succeeded());
    EXPECT_EQ(end.description(), "exit status 3: the reason");
}

TEST_F(Subprocess, ASignalIsNamed) {
    EXPECT_THAT(run("kill -ABRT $$").description(), HasSubstr("killed by signal 6 (Aborted)"));
}

TEST_F(Subprocess, AProgramThatIsNotThereIsAnError) {
    subprocess absent;
    absent.command = {"/nowhere/program"};
    EXPECT_THROW(run_subprocess(absent, interrupts_), subprocess_error);
}

TEST_F(Subprocess, AnInterruptEndsIt) {
    ::raise(SIGINT);
    EXPECT_TRUE(interrupts_.arrived());
    EXPECT_TRUE(run("while :; do sleep 1; done").interrupted);
}

TEST_F(Subprocess, ItIsEndedWhenItTakesTooLong) {
    time_limit_ = std::chrono::milliseconds(100);
    EXPECT_THROW(run("while :; do sleep 1; done"), subprocess_error);
}

TEST_F(Subprocess, WhatItLeavesBehindIsNotWaitedFor) {
    EXPECT_TRUE(run("sleep 1000 & echo $!").succeeded());
    ASSERT_EQ(lines_.size(), 1U);
    const auto left_behind = static_cast<pid_t>(std::stol(lines_[0]));
    bool running = true;
    for (int i = 0; i < 60'000 && running; ++i) {
        std::ifstream stat("/proc/" + std::to_string(left_behind) + "/stat");
        std::string number, name, state;
        running = static_cast<bool>(stat >> number >> name >> state) && state != "Z";
        ::usleep(1000);
    }
    EXPECT_FALSE(running);
}

TEST_F(Subprocess, ALineWithoutEndIsAnError) {
    EXPECT_THROW(
        run("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"),
        subprocess_error);
}

TEST_F(Subprocess, AReaderThatThrowsEndsIt) {
    subprocess what;
    what.command = {"/bin/sh", "-c", "while :; do echo on and on; done"};
    what.read_line = [](std::string_view) { throw std::domain_error("enough"); };
    EXPECT_THROW(run_subprocess(what, interrupts_), std::domain_error);
}

}  // namespace
}  // namespace freehold::subprocess_test
