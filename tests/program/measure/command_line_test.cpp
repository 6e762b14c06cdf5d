// SPDX-License-Identifier: BSL-1.0
#include "program/measure/program_run.hpp"
#include "program/results/example_results.hpp"
#include "results/result_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::command_line_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Exit status 1 and one line on standard error, which it returns.
std::string error_of(const std::vector<std::string>& arguments) {
    const program_end end = run_program(arguments);
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.output, IsEmpty());
    EXPECT_THAT(end.diagnostics, StartsWith("freehold: "));
    EXPECT_EQ(std::count(end.diagnostics.begin(), end.diagnostics.end(), '\n'), 1)
        << end.diagnostics;
    return end.diagnostics;
}

/// The names that `freehold --help` lists.
std::vector<std::string> commands() {
    std::istringstream help(run_program({"--help"}).output);
    std::vector<std::string> names;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
        if (line.starts_with("Subcommands:") || line.starts_with("SUBCOMMANDS:")) {
            listed = true;
        } else if (listed && line.starts_with("  ") && line[2] != ' ') {
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        } else if (line.empty()) {
            listed = false;
        }
    }
    return names;
}

TEST(CommandLine, EveryCommandHasHelpWithAnExample) {
    ASSERT_GE(commands().size(), 6U);
    for (const std::string& command : commands()) {
        const program_end end = run_program({command, "--help"});
        EXPECT_EQ(end.exit_status, 0) << command;
        EXPECT_THAT(end.output, HasSubstr("Example:\n  freehold " + command));
        EXPECT_THAT(end.diagnostics, IsEmpty());
    }
}

TEST(CommandLine, VersionIsPrinted) {
    const program_end end = run_program({"--version"});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.output, testing::MatchesRegex("freehold [0-9.]+ \\([^)]+\\)\n"));
}

TEST(CommandLine, WithoutACommandItSaysWhatToBeginWith) {
    const program_end end = run_program({});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.output, HasSubstr("\n  freehold measure "));
    EXPECT_THAT(end.diagnostics, IsEmpty());
}

TEST(CommandLine, TheManualPageAndTheCompletionsHaveEveryCommand) {
    const program_end page = run_program({"--man-page"});
    const program_end completion = run_program({"--bash-completion"});
    EXPECT_EQ(page.exit_status, 0);
    const program_end fish = run_program({"--fish-completion"});
    EXPECT_EQ(completion.exit_status, 0);
    EXPECT_EQ(fish.exit_status, 0);
    for (const std::string& command : commands()) {
        EXPECT_THAT(page.output, HasSubstr(".SS freehold " + command + "\n"));
        EXPECT_THAT(completion.output, HasSubstr(" " + command + ",*) "));
        EXPECT_THAT(fish.output, HasSubstr(" -a " + command + " "));
    }
}

TEST(CommandLine, AMisuseIsOneLineWithAHint) {
    EXPECT_THAT(error_of({"messure"}), HasSubstr("`freehold --help`"));
    EXPECT_THAT(error_of({"measure", "--quick", "--full"}), HasSubstr("`freehold measure --help`"));
    EXPECT_THAT(error_of({"measure", "--fast"}), HasSubstr("--fast"));
    EXPECT_THAT(error_of({"compare", "only-one.json"}), HasSubstr("`freehold compare --help`"));
    EXPECT_THAT(error_of({"compare", "1.json", "2.json", "3.json"}),
                AllOf(HasSubstr("3.json"), HasSubstr("`freehold compare --help`")));
    EXPECT_THAT(error_of({"report"}), HasSubstr("`freehold report --help`"));
    EXPECT_THAT(error_of({"doctor", "now"}), HasSubstr("`freehold doctor --help`"));
}

TEST(CommandLine, AMistypedWordIsAnErrorThatNamesTheNearest) {
    EXPECT_THAT(error_of({"chek"}), HasSubstr("`check`"));
    EXPECT_THAT(error_of({"chek", "--help"}), HasSubstr("`check`"));
    EXPECT_THAT(error_of({"help", "chek"}), HasSubstr("`check`"));
    EXPECT_THAT(error_of({"advise x"}), HasSubstr("`advise`"));
    EXPECT_THAT(error_of({"Doctor"}), HasSubstr("`doctor`"));
    EXPECT_THAT(error_of({"hlep"}), HasSubstr("`help`"));
    EXPECT_THAT(error_of({"--verison"}), HasSubstr("`--version`"));
    EXPECT_THAT(error_of({"-v"}), HasSubstr("`--version`"));
    EXPECT_THAT(error_of({"--man"}), HasSubstr("`--man-page`"));
    EXPECT_THAT(error_of({"measure", "--quik"}), HasSubstr("`--quick`"));
    EXPECT_THAT(error_of({"check", "--min-byte=3", "file.cpp"}), HasSubstr("`--min-bytes`"));
    // The words of a command after it are no mistake.
    for (const std::string command : {"handles", "record"})
        EXPECT_THAT(error_of({command, "--jsn", "x", "--", "true"}),
                    AllOf(HasSubstr("`--jsn` is not an option"), testing::Not(HasSubstr("true"))));
    for (const std::string far : {"xyzzy", "--xyzzy", "-", "--", ""})
        EXPECT_THAT(error_of({far}), testing::Not(HasSubstr("did you mean")));
}

TEST(CommandLine, HelpOfACommandIsPrintedBothWays) {
    EXPECT_EQ(run_program({"help"}).output, run_program({"--help"}).output);
    EXPECT_EQ(run_program({"help", "help"}).output, run_program({"--help"}).output);
    for (const std::string& command : commands()) {
        const program_end end = run_program({"help", command});
        EXPECT_EQ(end.exit_status, 0);
        EXPECT_EQ(end.output, run_program({command, "--help"}).output);
    }
}

TEST(CommandLine, ACommandThatIsSuggestedCanBePasted) {
    const temporary_folder folder;
    const std::string file = folder / "it's a ü.json";
    save_results(example_results(), file);
    const std::string told = run_program({"report", file, "-o", folder / "page.html"}).output;
    const auto begin = told.find("`freehold report ") + 17;
    ASSERT_LT(begin, told.size()) << told;
    const std::string word = told.substr(begin, told.find(" --suite", begin) - begin);
    EXPECT_EQ(std::system(("test -f " + word).c_str()), 0) << word;
}

TEST(CommandLine, ReportAndCompareRefuseABadFileInOneLine) {
    const temporary_folder folder;
    save_results(example_results(), folder / "good.json");
    const std::string good = text_of(folder / "good.json");
    folder.write("cut-off.json", good.substr(0, good.size() / 2));
    folder.write("not-json.json", "hello");
    folder.write("other.json", "{\"format\": \"other\"}");
    std::string later = good;
    later.replace(later.find("\"version\": 2"), 12, "\"version\": 9");
    folder.write("later.json", later);
    for (const std::string name :
         {"cut-off.json", "not-json.json", "other.json", "later.json", "absent.json"}) {
        const std::string path = folder / name;
        const std::string page = folder / "report.html";
        EXPECT_THAT(error_of({"report", path, "-o", page}), HasSubstr(path));
        EXPECT_FALSE(std::filesystem::exists(page));
        EXPECT_THAT(error_of({"compare", path, folder / "good.json"}), HasSubstr(path));
        EXPECT_THAT(error_of({"compare", folder / "good.json", path}), HasSubstr(path));
    }
}

TEST(CommandLine, DoctorDescribesTheMachineAndTheLab) {
    const temporary_folder folder;
    std::filesystem::create_directories(folder / "g++");
    std::filesystem::create_symlink(FAKE_LAB, folder / "g++/freehold-lab");
    const program_end end = run_program({"doctor", "--lab", folder / "g++/freehold-lab"});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.output,
                AllOf(HasSubstr("processor "), HasSubstr("kernel "), HasSubstr("g++ 1.2.3, -O3"),
                      HasSubstr("Boost 1.74.0"), HasSubstr("without loki_linked")));
}

TEST(CommandLine, AStandardOutputThatIsFullIsAnError) {
    program_run run({"--help"}, {}, "/dev/full");
    const program_end end = run.wait();
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace freehold::command_line_test
