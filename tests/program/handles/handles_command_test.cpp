// SPDX-License-Identifier: BSL-1.0
// `freehold handles` as a user runs it, over programs whose lines say in comments what they count.
// Skipped where the packages are missing that the counting takes.
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "skip.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* lacking = FREEHOLD_HANDLES_LACKS;

using figures = std::map<std::string, std::uint64_t>;

std::map<int, figures> expected_in(const fs::path& path) {
    std::map<int, figures> result;
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        constexpr std::string_view mark = "// counts: ";
        const auto at = line.find(mark);
        if (at == std::string::npos) continue;
        std::istringstream words(line.substr(at + mark.size()));
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            result[number][word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
        }
    }
    return result;
}

class handles : public testing::Test {
protected:
    void SetUp() override {
        if (*lacking != '\0') return tests::skip_without("handles", lacking);
    }

    fs::path compiled(const std::string& name, const std::vector<std::string>& flags,
                      const std::string& compiler = FREEHOLD_COMPILER) {
        const fs::path program = folder_.path() / name;
        support::program_to_start child;
        child.command = {compiler, "-std=c++17", "-pthread"};
        child.command.insert(child.command.end(), flags.begin(), flags.end());
        child.command.insert(child.command.end(),
                             {"-o", program.string(),
                              (fs::path(FREEHOLD_HANDLES_CASES) / (name + ".cpp")).string()});
        const support::finished_process compilation = support::run(child);
        EXPECT_EQ(compilation.status, 0) << compilation.output;
        return program;
    }

    json counted(const fs::path& program) {
        const fs::path output = folder_.path() / "counts.json";
        const program_end end =
            run_program({"handles", "--json", output.string(), "--", program.string()});
        EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
        diagnostics_ = end.diagnostics;
        std::ifstream file(output);
        return json::parse(file);
    }

    void expect_figures_of_comments(const std::string& name, const json& result) {
        const std::string source = name + ".cpp";
        for (const auto& [number, expected] :
             expected_in(fs::path(FREEHOLD_HANDLES_CASES) / source))
            for (const auto& [figure, value] : expected) {
                std::uint64_t found = 0;
                for (const json& each : result.at("lines"))
                    if (fs::path(each.at("file").get<std::string>()).filename() == source &&
                        each.at("line") == number)
                        found += each.at(figure).get<std::uint64_t>();
                EXPECT_EQ(found, value) << source << ":" << number << " " << figure;
            }
    }

    static std::uint64_t total(const json& result, const std::string& figure) {
        std::uint64_t sum = 0;
        for (const json& each : result.at("lines"))
            // libc++'s shared object counts its own locales by the same functions.
            if (!each.at("pointee").get<std::string>().empty())
                sum += each.at(figure).get<std::uint64_t>();
        return sum;
    }

    temporary_folder folder_;
    std::string diagnostics_;
};

void expect_totals_of_one_thread(const json& result,
                                 std::uint64_t (*total)(const json&, const std::string&)) {
    EXPECT_EQ(total(result, "copies"), 1050U);
    EXPECT_EQ(total(result, "locks"), 100U);
    // 1000 copies, 100 locks, 50 elements, 10 numbers, and the first owner.
    EXPECT_EQ(total(result, "releases"), 1161U);
    EXPECT_EQ(total(result, "last_releases"), 11U);
}

TEST_F(handles, are_counted_exactly_on_every_level_of_optimisation) {
    for (const char* level : {"-O1", "-O2", "-O3", "-Os"}) {
        SCOPED_TRACE(level);
        const json result = counted(compiled("one_thread", {level, "-g"}));
        expect_figures_of_comments("one_thread", result);
        expect_totals_of_one_thread(result, total);
    }
}

TEST_F(handles, are_counted_exactly_in_a_static_program) {
    const json result = counted(compiled("one_thread", {"-O2", "-g", "-static"}));
    expect_figures_of_comments("one_thread", result);
    expect_totals_of_one_thread(result, total);
}

TEST_F(handles, are_counted_exactly_with_the_second_compiler) {
    if (*FREEHOLD_CLANG == '\0') return tests::skip_without("clang", "clang++ is not installed");
    for (const char* level : {"-O1", "-O2", "-Os"}) {
        SCOPED_TRACE(level);
        expect_totals_of_one_thread(counted(compiled("one_thread", {level, "-g"}, FREEHOLD_CLANG)),
                                    total);
    }
}

TEST_F(handles, of_the_second_library_are_counted_exactly) {
    if (*FREEHOLD_CLANG == '\0' || *FREEHOLD_LIBCXX == '\0')
        return tests::skip_without("libcxx", "libc++ is not installed");
    expect_totals_of_one_thread(
        counted(compiled("one_thread", {"-O2", "-g", "-stdlib=libc++"}, FREEHOLD_CLANG)), total);
}

TEST_F(handles, are_counted_in_threads_and_children) {
    const json result = counted(compiled("two_threads", {"-O2", "-g"}));
    expect_figures_of_comments("two_threads", result);
    EXPECT_EQ(result.at("processes"), 2);
    EXPECT_EQ(result.at("threads"), 2);
    EXPECT_EQ(result.at("exit_status"), 7);
    EXPECT_THAT(diagnostics_, HasSubstr("status 7"));
}

TEST_F(handles, show_a_pair_that_can_be_removed) {
    const json result = counted(compiled("one_thread", {"-O2", "-g"}));
    std::uint64_t most = 0;
    for (const json& each : result.at("pairs"))
        most = std::max(most, each.at("count").get<std::uint64_t>());
    EXPECT_EQ(most, 1000U);
}

TEST_F(handles, are_refused_where_there_is_no_program) {
    const program_end end = run_program({"handles", "--", "/no/such/program"});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("/no/such/program"));
}

TEST_F(handles, are_told_to_be_missing) {
    const program_end end = run_program({"handles", "--", "true"});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.output, HasSubstr("no owners"));
}

}  // namespace
}  // namespace freehold
