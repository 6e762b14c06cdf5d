// SPDX-License-Identifier: BSL-1.0
// Functions made of random parts. Each runs with zeroed memory and with memory of another value. If
// the results differ, the function needs its zeroes, and the check must not report it.
// FREEHOLD_CHECK_GENERATED is the number of functions of each kind, FREEHOLD_CHECK_SEED the first
// random number.
#include "generated/parts.hpp"
#include "program/check/exit_status.hpp"
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold::generated_cases_test {
namespace {

namespace fs = std::filesystem;
using generated_cases::generated_function;
using generated_cases::random_parts;

std::size_t number_of(const char* name, std::size_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoul(text, nullptr, 10) : otherwise;
}

struct kind {
    const char* name;
    generated_function (*make)(random_parts&, std::size_t);
    std::size_t functions;
    std::size_t most_in_a_file;  ///< The check gives up a file that takes many seconds.
    friend void PrintTo(const kind& of, std::ostream* to) { *to << of.name; }
};

std::vector<generated_function> functions_of(const kind& of, random_parts& random,
                                             std::size_t wanted) {
    std::vector<generated_function> all;
    while (all.size() < wanted) all.push_back(of.make(random, all.size()));
    return all;
}

std::string entries_for(std::size_t functions) {
    std::string all =
        "struct entry { void (*run)(const u8*, size_t, size_t, header*, size_t*); };\n"
        "extern const entry entries[];\nextern const size_t count;\nconst entry entries[] = {";
    for (std::size_t i = 0; i < functions; ++i) all += "{run" + std::to_string(i) + "}, ";
    return all + "};\nconst size_t count = " + std::to_string(functions) + ";\n";
}

/// What the harness says of each function.
std::map<std::size_t, std::string> tested(const temporary_folder& folder, const kind& of,
                                          const std::vector<generated_function>& functions) {
    std::string text = std::string(generated_cases::prelude) + generated_cases::tested_prelude;
    for (const generated_function& each : functions) text += each.tested;
    const fs::path file = folder.write("tested.cpp", text + entries_for(functions.size()));
    const fs::path main = folder.write("harness.cpp", generated_cases::harness);
    const fs::path program = folder / "tested";
    const support::finished_process compiled =
        support::run({.command = {FREEHOLD_COMPILER, "-std=c++20", "-O0", "-w", "-o",
                                  program.string(), file.string(), main.string()}});
    EXPECT_EQ(compiled.status, 0) << compiled.output;
    const support::finished_process end =
        support::run({.command = {program.string(), of.name}}, false);
    EXPECT_EQ(end.status, 0) << end.output;
    std::map<std::size_t, std::string> result;
    std::istringstream lines(end.output);
    std::size_t number = 0;
    for (std::string says; lines >> number && std::getline(lines, says);)
        result[number] = says.substr(1);
    return result;
}

class generated_cases_ : public testing::TestWithParam<kind> {};

TEST_P(generated_cases_, no_function_that_needs_its_zeroes_is_reported) {
    constexpr std::size_t first_seed = 20260727;
    random_parts random(number_of("FREEHOLD_CHECK_SEED", first_seed));
    const std::size_t wanted = number_of("FREEHOLD_CHECK_GENERATED", GetParam().functions);
    std::map<std::string, int> counts;
    for (std::size_t made = 0; made < wanted; made += GetParam().most_in_a_file) {
        const std::vector<generated_function> functions =
            functions_of(GetParam(), random, std::min(GetParam().most_in_a_file, wanted - made));
        std::string text = generated_cases::prelude;
        std::vector<std::string> lines;
        for (const generated_function& each : functions) text += each.checked;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
        const temporary_folder folder;
        const fs::path file = folder.write("generated.cpp", text);
        const program_end end =
            run_program({"check", "--min-bytes", "1", "--json", file.string(), "--", "-std=c++20"});
        if (!FREEHOLD_CHECK_IS_COMPLETE) GTEST_SKIP() << end.diagnostics;
        ASSERT_NE(end.exit_status, not_checked) << end.diagnostics;
        const auto says = tested(folder, GetParam(), functions);
        ASSERT_EQ(says.size(), functions.size());
        std::set<std::size_t> reported;
        const auto document = nlohmann::json::parse(end.output);
        for (const auto& each : document["findings"]) {
            const std::string& line = lines.at(each["line"].get<std::size_t>() - 1);
            if (line.rfind("/*", 0) != 0) continue;
            const std::size_t number = std::strtoul(line.c_str() + 2, nullptr, 10);
            reported.insert(number);
            EXPECT_NE(says.at(number).substr(0, 7), "differs")
                << "with " << says.at(number) << ": " << line;
        }
        for (const auto& [number, how] : says) {
            ++counts[how.substr(0, how.find(' '))];
            if (reported.count(number) != 0) ++counts["reported"];
        }
    }
    // Both kinds are among the functions, and the check finds something.
    EXPECT_GT(counts["differs"], 0);
    EXPECT_GT(counts["same"], 0);
    EXPECT_GT(counts["reported"], 0);
    for (const auto& [name, count] : counts) RecordProperty(name, count);
}

const std::vector<kind> kinds = {{"sizes", generated_cases::function_of_sizes, 150, 150},
                                 {"loops", generated_cases::function_of_loops, 45, 45},
                                 {"readers", generated_cases::function_of_readers, 60, 60}};
INSTANTIATE_TEST_SUITE_P(, generated_cases_, testing::ValuesIn(kinds),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace freehold::generated_cases_test
