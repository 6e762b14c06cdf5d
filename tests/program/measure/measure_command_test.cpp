// SPDX-License-Identifier: BSL-1.0
// `freehold measure` as a user runs it, with labs whose figures are made up.
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "results/result_file.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::measure_command_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

class MeasureCommand : public testing::Test {
protected:
    MeasureCommand() {
        for (const char* name : {"g++", "clang++"}) {
            fs::create_directories(folder_ / name);
            fs::create_symlink(FAKE_LAB, folder_ / name / "freehold-lab");
        }
    }

    [[nodiscard]] std::vector<std::string> arguments(const std::vector<std::string>& more) const {
        std::vector<std::string> all = {"measure", "--quick"};
        all.insert(all.end(), more.begin(), more.end());
        all.insert(all.end(), {"--lab", lab("g++"), "--lab", lab("clang++"), "-o", output_});
        return all;
    }
    [[nodiscard]] program_run::variables variables(const std::string& fault) const {
        return {{"FAKE_LAB_LOG", log_}, {"FAKE_LAB_FAULT", fault}};
    }
    [[nodiscard]] program_end measure(const std::vector<std::string>& more = {},
                                      const std::string& fault = {}) const {
        return run_program(arguments(more), variables(fault));
    }
    [[nodiscard]] std::string lab(const std::string& name) const {
        return folder_ / name / "freehold-lab";
    }
    /// "g++ alpha threaded", one for each run of a lab so far.
    [[nodiscard]] std::vector<std::string> runs() const {
        std::vector<std::string> all;
        std::istringstream lines(text_of(log_));
        for (std::string line; std::getline(lines, line);) {
            std::string executable, run, suite, option, process;
            std::istringstream(line) >> executable >> run >> suite >> option >> process;
            all.push_back(fs::path(executable).parent_path().filename().string() + " " + suite +
                          " " + process);
        }
        return all;
    }
    /// Of an error: exit status 1, and the last line that was printed.
    [[nodiscard]] static std::string last_line(const program_end& end) {
        EXPECT_EQ(end.exit_status, 1);
        const std::string text =
            end.diagnostics.substr(0, end.diagnostics.find_last_not_of('\n') + 1);
        return text.substr(text.rfind('\n') + 1);
    }

    temporary_folder folder_;
    fs::path output_ = folder_ / "results.json";
    fs::path log_ = folder_ / "log";
};

const measurement& cell(const suite& suite, std::string_view lab, std::string_view process,
                        std::string_view test) {
    const auto& all = suite.measurements;
    return *std::find_if(all.begin(), all.end(), [&](const measurement& each) {
        return each.lab == lab && each.process == process && each.test_case == test;
    });
}

TEST_F(MeasureCommand, MeasuresEverySuiteWithEveryLabInEveryProcess) {
    const program_end end = measure();
    ASSERT_EQ(end.exit_status, 0) << end.diagnostics;
    EXPECT_EQ(end.output, output_.string() + "\n");

    const result_file results = load_results(output_);
    EXPECT_EQ(results.mode, "quick");
    EXPECT_EQ(results.library.commit, "abcdef");
    EXPECT_EQ(results.labs.size(), 2U);
    EXPECT_FALSE(results.environment.facts.empty());
    ASSERT_EQ(results.suites.size(), 3U);
    const suite& alpha = results.suites.at("alpha");
    EXPECT_TRUE(alpha.complete);
    EXPECT_GT(alpha.seconds, 0);
    EXPECT_EQ(alpha.measurements.size(), 2U * 2 * 3 * 2);  // labs, processes, subjects, cases
    EXPECT_EQ(alpha.skipped.size(), 2U);
    const measurement& timed = cell(alpha, "clang++", "single", "hold");
    ASSERT_GE(timed.samples.size(), 2U);  // rounds
    EXPECT_EQ(timed.samples[0], timed.samples[1]);
    EXPECT_EQ(timed.samples[0].front(), 10);
    EXPECT_EQ(timed.n, 4);
    const measurement& exact = cell(alpha, "g++", "threaded", "handle");
    EXPECT_TRUE(exact.exact);
    EXPECT_EQ(exact.samples, std::vector<std::vector<double>>{{8}});
    EXPECT_EQ(exact.note, "I");
}

TEST_F(MeasureCommand, LabsTakeTurnsForwardsAndBackwards) {
    ASSERT_EQ(measure({"alpha"}).exit_status, 0);
    auto all = runs();
    ASSERT_GE(all.size(), 8U);
    all.resize(8);
    EXPECT_THAT(
        all, ElementsAre("g++ alpha threaded", "g++ alpha single", "clang++ alpha threaded",
                         "clang++ alpha single", "clang++ alpha single", "clang++ alpha threaded",
                         "g++ alpha single", "g++ alpha threaded"));
}

TEST_F(MeasureCommand, TheRoundsRunThePlacementsOfALabInTurn) {
    fs::create_symlink(FAKE_LAB, folder_ / "g++" / "freehold-lab-placed-2");
    fs::create_symlink(FAKE_LAB, folder_ / "g++" / "freehold-lab-placed-3");
    ASSERT_EQ(measure({"beta"}).exit_status, 0);
    std::vector<std::string> executables;
    std::istringstream log(text_of(log_));
    for (std::string line; std::getline(log, line);) {
        const fs::path executable = line.substr(0, line.find(' '));
        if (executable.parent_path().filename() == "g++")
            executables.push_back(executable.filename());
    }
    EXPECT_THAT(executables, ElementsAre("freehold-lab", "freehold-lab-placed-2",
                                         "freehold-lab-placed-3", "freehold-lab"));
    const result_file results = load_results(output_);
    EXPECT_EQ(results.labs[0].placements, 3);
    EXPECT_EQ(results.labs[1].placements, 1);
}

TEST_F(MeasureCommand, CellsThatThreeProcessesAgreeOnAreLeftOutOfTheOtherRounds) {
    ASSERT_EQ(measure({"beta"}).exit_status, 0);
    std::istringstream log(text_of(log_));
    int all = 0;
    int with_cells_left_out = 0;
    for (std::string line; std::getline(log, line);) {
        ++all;
        with_cells_left_out += line.find("--leave-out") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(all, 2 * 4);  // labs and rounds
    EXPECT_EQ(with_cells_left_out, 2);
    const suite beta = load_results(output_).suites.at("beta");
    EXPECT_TRUE(beta.complete);
    for (const measurement& each : beta.measurements)
        EXPECT_EQ(each.samples.size(), each.exact ? 1U : 3U);
}

TEST_F(MeasureCommand, EachPlacementMeasuresACellEquallyOften) {
    // Three processes agree after one and a half turns.
    fs::create_symlink(FAKE_LAB, folder_ / "g++" / "freehold-lab-placed-2");
    ASSERT_EQ(measure({"beta"}).exit_status, 0);
    const suite beta = load_results(output_).suites.at("beta");
    for (const measurement& each : beta.measurements) {
        if (each.exact) continue;
        EXPECT_EQ(each.samples.size(), each.lab == "g++" ? 4U : 3U);
    }
}

TEST_F(MeasureCommand, TheFilterReachesTheLabAndTheFile) {
    ASSERT_EQ(measure({"gamma", "--filter", "^link"}).exit_status, 0);
    const result_file results = load_results(output_);
    EXPECT_EQ(results.filter, "^link");
    for (const measurement& each : results.suites.at("gamma").measurements)
        EXPECT_TRUE(each.subject == "raw" || each.subject == "linked") << each.subject;
}

TEST_F(MeasureCommand, TheLabIsToldWhatTheScheduleOfTheModeSays) {
    for (const char* mode : {"--quick", "--full"}) {
        fs::remove(output_);
        fs::remove(log_);
        const program_end end = run_program(
            {"measure", "beta", mode, "--lab", lab("g++"), "-o", output_}, variables({}));
        ASSERT_EQ(end.exit_status, 0) << end.diagnostics;
        const bool full = std::string(mode) == "--full";
        const std::string log = text_of(log_);
        EXPECT_EQ(log.find("--data 128") != std::string::npos, full) << log;
        EXPECT_NE(log.find("--repetitions 2 --min-time 0.001"), std::string::npos) << log;
    }
}

TEST_F(MeasureCommand, TheRoundsOfOneKindOfProcessShareAFileOfIterationsThatIsGoneAfterwards) {
    ASSERT_EQ(measure({"alpha"}).exit_status, 0);
    std::map<std::string, std::set<std::string>> files;
    std::istringstream log(text_of(log_));
    for (std::string line; std::getline(log, line);) {
        std::istringstream words(line);
        std::string executable, word, process, file;
        words >> executable;
        while (words >> word) {
            if (word == "--process") words >> process;
            if (word == "--iterations") words >> file;
        }
        if (!process.empty()) files[executable + " " + process].insert(file);
    }
    ASSERT_EQ(files.size(), 4U);  // labs and kinds of process
    std::set<std::string> all;
    for (const auto& [process, of_its_rounds] : files) {
        ASSERT_EQ(of_its_rounds.size(), 1U) << process;
        all.insert(*of_its_rounds.begin());
        EXPECT_FALSE(fs::exists(fs::path(*of_its_rounds.begin()).parent_path()));
    }
    EXPECT_EQ(all.size(), 4U);
}

TEST_F(MeasureCommand, AMissingFolderForTemporaryFilesIsToldWithItsRemedy) {
    auto with = variables({});
    with.emplace_back("TMPDIR", folder_ / "missing");
    EXPECT_THAT(last_line(run_program(arguments({"alpha"}), with)), HasSubstr("set TMPDIR"));
}

TEST_F(MeasureCommand, AFilterThatIsNoRegularExpressionIsRefusedBeforeAnythingRuns) {
    EXPECT_THAT(last_line(measure({"--filter", "(raw"})),
                AllOf(HasSubstr("'(raw'"), HasSubstr("regular expression")));
    EXPECT_TRUE(runs().empty());
    EXPECT_FALSE(fs::exists(output_));
}

TEST_F(MeasureCommand, AnUnknownSuiteListsTheKnownOnes) {
    EXPECT_THAT(last_line(measure({"alpha", "delta"})),
                AllOf(HasSubstr("\"delta\""), HasSubstr("alpha, beta, gamma")));
    EXPECT_FALSE(fs::exists(output_));
}

TEST_F(MeasureCommand, ALabThatFailsIsNamedWithItsSuiteAndItsLastWords) {
    struct expectation {
        const char* kind;
        const char* message;
    };
    for (const auto& [kind, message] :
         {expectation{"crash", "the last words"},
          expectation{"exit", "exit status 1: freehold-lab: no memory"},
          expectation{"garbage", "no JSON: `Segmentation fault, or so`"},
          expectation{"cut off", "ended before it was done"}, expectation{"short", "planned"}}) {
        fs::remove(output_);
        const std::string line = last_line(measure({"gamma", "beta"}, std::string("beta=") + kind));
        EXPECT_THAT(line, AllOf(testing::StartsWith("freehold: lab g++, suite beta (threaded): "),
                                HasSubstr(message)));
        const result_file results = load_results(output_);
        EXPECT_TRUE(results.suites.at("gamma").complete);
        EXPECT_FALSE(results.suites.at("beta").complete);
        EXPECT_TRUE(results.suites.at("beta").measurements.empty());
    }
}

TEST_F(MeasureCommand, AnInterruptKeepsWhatIsFinishedAndTheSameCommandGoesOn) {
    for (const int signal : {SIGINT, SIGTERM}) {
        fs::remove(output_);
        fs::remove(log_);
        program_run run(arguments({}), variables("beta=hang"));
        while (runs().empty() || runs().back() != "g++ beta threaded")
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        run.send(signal);
        const program_end end = run.wait();
        EXPECT_THAT(last_line(end),
                    AllOf(HasSubstr("interrupted"), HasSubstr("-o " + output_.string())));
        const suite alpha = load_results(output_).suites.at("alpha");
        EXPECT_TRUE(alpha.complete);

        fs::remove(log_);
        const program_end continued = measure();
        ASSERT_EQ(continued.exit_status, 0) << continued.diagnostics;
        EXPECT_THAT(runs(), Not(Contains(HasSubstr(" alpha "))));
        const result_file results = load_results(output_);
        EXPECT_EQ(results.suites.at("alpha"), alpha);
        for (const auto& [name, suite] : results.suites) EXPECT_TRUE(suite.complete) << name;
        EXPECT_EQ(results.suites.size(), 3U);
    }
}

TEST_F(MeasureCommand, AnInterruptedLabIsGone) {
    program_run run(arguments({"beta"}), variables("beta=hang"));
    while (runs().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    run.send(SIGTERM);
    EXPECT_EQ(run.wait().exit_status, 1);
    for (const auto& process : fs::directory_iterator("/proc"))
        EXPECT_THAT(text_of(process.path() / "cmdline"), Not(HasSubstr(lab("g++"))));
}

TEST_F(MeasureCommand, ACompleteFileIsNotMeasuredAnew) {
    ASSERT_EQ(measure({"gamma"}).exit_status, 0);
    const std::string before = text_of(output_);
    const auto runs_before = runs();
    EXPECT_EQ(measure({"gamma"}).exit_status, 0);
    EXPECT_EQ(runs(), runs_before);
    EXPECT_EQ(text_of(output_), before);
}

TEST_F(MeasureCommand, AnotherSuiteIsAddedToTheFile) {
    ASSERT_EQ(measure({"gamma"}).exit_status, 0);
    ASSERT_EQ(measure({"beta"}).exit_status, 0);
    const result_file results = load_results(output_);
    for (const auto& [name, suite] : results.suites) EXPECT_EQ(suite.complete, name != "alpha");
}

TEST_F(MeasureCommand, AFileThatWasMeasuredInAnotherWayIsLeftAlone) {
    ASSERT_EQ(measure({"gamma"}).exit_status, 0);
    const std::string before = text_of(output_);
    const auto refused = [&](const std::vector<std::string>& command,
                             const program_run::variables& environment, const char* what) {
        const std::string line = last_line(run_program(command, environment));
        EXPECT_THAT(line, AllOf(HasSubstr(output_.string()), HasSubstr(what)));
        EXPECT_EQ(text_of(output_), before);
    };
    const std::vector<std::string> labs = {"--lab", lab("g++"), "--lab", lab("clang++")};
    const auto with_labs = [&](std::vector<std::string> command) {
        command.insert(command.end(), labs.begin(), labs.end());
        command.insert(command.end(), {"-o", output_});
        return command;
    };
    refused(with_labs({"measure", "beta"}), {}, "its mode is quick, now it would be default");
    refused(with_labs({"measure", "--quick", "--filter", "x"}), {}, "its filter is none");
    refused(with_labs({"measure", "--quick"}), {{"FAKE_LAB_COMMIT", "fedcba"}}, "(abcdef), now");
}

TEST_F(MeasureCommand, AnotherLabsFiguresAreAddedBesideTheFirst) {
    const auto with = [&](const std::string& name) {
        return run_program({"measure", "beta", "--quick", "--lab", lab(name), "-o", output_},
                           variables({}));
    };
    ASSERT_EQ(with("g++").exit_status, 0);
    const auto first = load_results(output_).suites.at("beta").measurements;
    ASSERT_EQ(with("clang++").exit_status, 0);
    const result_file results = load_results(output_);
    ASSERT_EQ(results.labs.size(), 2U);
    const auto& all = results.suites.at("beta").measurements;
    ASSERT_EQ(all.size(), 2 * first.size());
    EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin()));
}

TEST_F(MeasureCommand, ASuiteIsMeasuredAnewOnceTheLabHasMoreSubjects) {
    const auto measured = [&](const char* scope) {
        fs::remove(log_);
        auto environment = variables({});
        environment.emplace_back("FAKE_LAB_SCOPE", scope);
        const program_end end = run_program(
            {"measure", "beta", "--quick", "--lab", lab("g++"), "-o", output_}, environment);
        EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
        return fs::exists(log_);
    };
    EXPECT_TRUE(measured("first"));
    EXPECT_EQ(load_results(output_).find_subject("linked")->missing, "it is not in this lab");
    EXPECT_FALSE(measured("first"));
    EXPECT_TRUE(measured("whole"));
    EXPECT_FALSE(measured("whole"));
    EXPECT_FALSE(measured("first"));  // it has fewer: nothing is lost
    const result_file results = load_results(output_);
    EXPECT_FALSE(results.find_subject("linked")->missing);
    EXPECT_EQ(results.suites.at("beta").measured_by.at("g++"), 3);
}

TEST_F(MeasureCommand, ThePageIsWrittenAfterEachSuite) {
    const fs::path page = folder_ / "page.html";
    auto command = arguments({"beta", "gamma", "--page", page});
    program_run run(command, variables("gamma=hang"));
    while (runs().empty() || runs().back() != "g++ gamma threaded")
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_THAT(text_of(page), AllOf(HasSubstr("\"beta\""), HasSubstr("suite gamma")));
    run.send(SIGTERM);
    EXPECT_EQ(run.wait().exit_status, 1);
}

TEST_F(MeasureCommand, AnOutputThatIsNoResultFileIsLeftAlone) {
    folder_.write("results.json", "my thesis");
    EXPECT_THAT(last_line(measure()), HasSubstr("is not JSON"));
    EXPECT_EQ(text_of(output_), "my thesis");
}

TEST_F(MeasureCommand, AnOutputThatCannotBeWrittenIsRefusedBeforeAnythingRuns) {
    output_ = folder_ / "absent" / "results.json";
    EXPECT_THAT(last_line(measure()), HasSubstr(output_.string() + ": cannot be written"));
    EXPECT_TRUE(runs().empty());
}

TEST_F(MeasureCommand, WhatIsNoLabIsRefused) {
    const auto refusal = [&](const std::string& executable) {
        return last_line(run_program({"measure", "--lab", executable, "-o", output_}));
    };
    EXPECT_THAT(refusal(folder_ / "absent"), HasSubstr("No such file or directory"));
    EXPECT_THAT(refusal("/bin/false"), HasSubstr("not a freehold lab: exit status 1"));
    EXPECT_THAT(refusal("/bin/echo"), HasSubstr("not JSON"));
    EXPECT_FALSE(fs::exists(output_));
}

TEST_F(MeasureCommand, TwoLabsOfOneNameAreRefused) {
    fs::create_directories(folder_ / "other/g++");
    fs::create_symlink(FAKE_LAB, folder_ / "other/g++/freehold-lab");
    EXPECT_THAT(last_line(run_program({"measure", "--lab", lab("g++"), "--lab",
                                       folder_ / "other/g++/freehold-lab", "-o", output_})),
                HasSubstr("two labs are called \"g++\""));
}

TEST_F(MeasureCommand, WithoutATerminalProgressIsPlainLines) {
    const program_end end = measure({"gamma"});
    EXPECT_THAT(end.diagnostics, AllOf(HasSubstr(" %, "), HasSubstr("gamma, round 1 of"),
                                       HasSubstr("gamma: done in"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace freehold::measure_command_test
