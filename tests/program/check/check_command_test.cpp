// SPDX-License-Identifier: BSL-1.0
// `freehold check` as a user runs it, over the files of cases/. A comment `// finds: WORDS` expects
// a finding on its line whose message has these words, and `// mends: WORDS` one that --fix
// replaces; `// flags:` in the first line is how the
// file is compiled, where `-Iinclude` is the library's folder. Skipped where no clang-tidy has the
// development files of the plug-in.
#include "program/check/exit_status.hpp"
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold::check_command_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string after(const std::string& line, const std::string& mark) {
    const auto found = line.find(mark);
    return found == std::string::npos ? "" : line.substr(found + mark.size());
}

std::vector<std::string> flags_of(const fs::path& path) {
    std::istringstream lines(text_of(path));
    std::string line;
    std::getline(lines, line);
    std::istringstream words(after(line, "flags: "));
    std::vector<std::string> result;
    for (std::string word; words >> word;)
        result.push_back(word == "-Iinclude" ? std::string("-I") + FREEHOLD_INCLUDE : word);
    return result;
}

using words_of_lines = std::map<int, std::string>;

words_of_lines expected_in(const fs::path& path, const std::vector<std::string>& marks) {
    words_of_lines result;
    std::istringstream lines(text_of(path));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        for (const std::string& mark : marks) {
            const std::string words = after(line, mark);
            if (!words.empty()) result[number] = words;
        }
    }
    return result;
}

class check_command_ : public testing::TestWithParam<const char*> {
protected:
    /// The end of a check of a file without findings.
    static const program_end& probe() {
        static const program_end end = [] {
            temporary_folder folder;
            const auto file = folder.write("probe.cpp", "int probe() { return 0; }\n");
            return run_program({"check", file.string(), "--", "-std=c++17"});
        }();
        return end;
    }

    void SetUp() override {
        const program_end& end = probe();
        if (end.exit_status == nothing_found) return;
        if (FREEHOLD_CHECK_IS_COMPLETE) FAIL() << end.diagnostics;
        GTEST_SKIP() << end.diagnostics;
    }

    static program_end check(std::vector<std::string> arguments, const fs::path& file) {
        arguments.insert(arguments.begin(), "check");
        arguments.push_back(file.string());
        arguments.emplace_back("--");
        for (const std::string& each : flags_of(file)) arguments.push_back(each);
        return run_program(arguments);
    }

    /// With --fix, the command finds first, as without it, and then replaces.
    static void expect_findings(const fs::path& file, const words_of_lines& expected,
                                std::vector<std::string> options = {}) {
        options.emplace_back("--json");
        const program_end end = check(options, file);
        ASSERT_EQ(end.exit_status, expected.empty() ? nothing_found : something_found)
            << end.diagnostics;
        words_of_lines found;
        const auto document = nlohmann::json::parse(end.output);
        for (const auto& each : document["findings"]) found[each["line"]] = each["message"];
        for (const auto& [line, words] : expected)
            EXPECT_THAT(found[line], HasSubstr(words)) << "line " << line;
        for (const auto& [line, message] : found)
            EXPECT_EQ(expected.count(line), 1U) << "line " << line << ": " << message;
    }

    static void expect_compiles(const fs::path& file) {
        std::vector<std::string> compile = {FREEHOLD_COMPILER, "-fsyntax-only", "-Wall", "-Werror"};
        for (const std::string& each : flags_of(file)) compile.push_back(each);
        compile.push_back(file.string());
        const support::finished_process compiled = support::run({.command = compile});
        EXPECT_EQ(compiled.status, 0) << compiled.output;
    }

    static void expect_findings_of_comments(const fs::path& file,
                                            const std::vector<std::string>& options = {}) {
        expect_findings(file, expected_in(file, {"// finds: ", "// mends: "}), options);
    }

    [[nodiscard]] fs::path copy_of(const std::string& name) const {
        return folder.write(name, text_of(fs::path(FREEHOLD_CHECK_CASES) / name));
    }

    temporary_folder folder;
};

TEST_P(check_command_, finds_what_the_comments_say_and_nothing_else) {
    expect_findings_of_comments(copy_of(GetParam()));
}

// The others are checked where they are fixed.
INSTANTIATE_TEST_SUITE_P(cases, check_command_,
                         testing::Values("passes_of_loops.cpp", "needed.cpp", "needed_by_sizes.cpp",
                                         "needed_by_readers.cpp", "needed_by_filled_counts.cpp",
                                         "needed_by_changing_numbers.cpp", "needed_by_streams.cpp",
                                         "needed_by_errors.cpp", "throwing_streams.cpp",
                                         "owns_itself.cpp", "owns_another.cpp"));

class mended_file : public check_command_ {};
class partly_mended_file : public check_command_ {};
class noted_file : public check_command_ {};

using check_program = check_command_;

TEST_P(mended_file, fix_leaves_nothing_to_find_in_what_has_replacements) {
    const fs::path file = copy_of(GetParam());
    expect_findings_of_comments(file, {"--fix"});
    const std::string once = text_of(file);
    // A file that does not compile would end with not_checked.
    const program_end second = check({"--fix"}, file);
    EXPECT_EQ(second.exit_status, nothing_found) << second.output << second.diagnostics;
    EXPECT_EQ(text_of(file), once);
    expect_compiles(file);  // by the compiler of the tests, too
}

INSTANTIATE_TEST_SUITE_P(cases, mended_file,
                         testing::Values("mended_cpp20.cpp", "mended_vectors.cpp",
                                         "owns_itself_mended.cpp"));

// libstdc++ has these functions, and std::string::resize_and_overwrite, from 12 on.
#ifdef __cpp_lib_smart_ptr_for_overwrite
INSTANTIATE_TEST_SUITE_P(newer_cases, mended_file,
                         testing::Values("mended_shared_cpp20.cpp", "mended_strings.cpp"));
#endif

TEST_P(partly_mended_file, fix_replaces_what_has_a_replacement_and_only_that) {
    const fs::path file = copy_of(GetParam());
    expect_findings_of_comments(file, {"--fix"});
    const std::string once = text_of(file);
    expect_compiles(file);
    expect_findings(file, expected_in(file, {"// finds: "}), {"--fix"});
    EXPECT_EQ(text_of(file), once);
}

INSTANTIATE_TEST_SUITE_P(cases, partly_mended_file,
                         testing::Values("columns_and_members.cpp", "filled_counts.cpp",
                                         "fillers.cpp"));

TEST_P(noted_file, fix_leaves_alone_what_has_no_replacement_in_its_standard) {
    const fs::path file = copy_of(GetParam());
    const std::string before = text_of(file);
    expect_findings_of_comments(file, {"--fix"});
    EXPECT_EQ(text_of(file), before);
}

INSTANTIATE_TEST_SUITE_P(cases, noted_file,
                         testing::Values("noted.cpp", "noted_cpp23.cpp", "algorithms.cpp",
                                         "owns_itself_noted.cpp"));

TEST_F(check_program, a_vector_keeps_its_allocator_where_freehold_cannot_be_included) {
    const fs::path file =
        folder.write("vector.cpp",
                     "// flags: -std=c++20\n#include <cstring>\n#include <vector>\n"
                     "void use(const char*);\nvoid copy(const char* from, unsigned long n) {\n"
                     "    std::vector<char> bytes(n);\n    std::memcpy(bytes.data(), from, n);\n"
                     "    use(bytes.data());\n}\n");
    const std::string before = text_of(file);
    EXPECT_EQ(check({"--fix"}, file).exit_status, something_found);
    EXPECT_EQ(text_of(file), before);
}

constexpr const char* one_finding =
    "#include <cstring>\n#include <memory>\nvoid use(const char*);\n"
    "void copy(const char* from, unsigned long n) {\n"
    "    auto bytes = std::make_unique<char[]>(n);\n"
    "    std::memcpy(bytes.get(), from, n);\n    use(bytes.get());\n}\n";

TEST_F(check_program, prints_a_warning_and_a_summary) {
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end = run_program({"check", file.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, something_found);
    EXPECT_THAT(end.output, HasSubstr("one.cpp:5:18: warning: "));
    EXPECT_THAT(end.output, HasSubstr("[freehold-hidden-zeroing]"));
    EXPECT_THAT(end.output, HasSubstr("1 finding of hidden zeroing"));
    EXPECT_THAT(end.output, HasSubstr("n elements of 1 byte"));
}

TEST_F(check_program, writes_sarif) {
    const auto file = folder.write("one.cpp", one_finding);
    const fs::path sarif = folder / "findings.sarif";
    run_program({"check", file.string(), "--sarif", sarif.string(), "--", "-std=c++20"});
    const auto document = nlohmann::json::parse(text_of(sarif));
    EXPECT_EQ(document["version"], "2.1.0");
    const auto& result = document["runs"][0]["results"][0];
    EXPECT_EQ(result["ruleId"], "freehold-hidden-zeroing");
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
}

constexpr const char* one_ring =
    "#include <functional>\n#include <memory>\n"
    "struct socket {\n    std::function<void()> on_close;\n    int id = 0;\n};\n"
    "void watch(std::shared_ptr<socket> given) {\n"
    "    given->on_close = [given] { ++given->id; };\n}\n";

TEST_F(check_program, tells_the_way_around_a_ring) {
    const auto file = folder.write("ring.cpp", one_ring);
    const fs::path sarif = folder / "findings.sarif";
    const program_end end =
        run_program({"check", "--sarif", sarif.string(), file.string(), "--", "-std=c++17"});
    EXPECT_EQ(end.exit_status, something_found) << end.diagnostics;
    EXPECT_THAT(end.output,
                AllOf(HasSubstr("ring.cpp:8:24: warning: this closure owns 'given', which keeps it "
                                "in 'on_close': neither is ever destroyed [freehold-owns-itself]"),
                      HasSubstr("ring.cpp:8:5: note: 'given' keeps it here, in 'on_close'"),
                      HasSubstr("capture 'weak_given = std::weak_ptr<socket>(given)'"),
                      HasSubstr("1 finding of callbacks that own what keeps them"),
                      testing::Not(HasSubstr("hidden zeroing"))));
    const auto result = nlohmann::json::parse(text_of(sarif))["runs"][0]["results"][0];
    EXPECT_EQ(result["ruleId"], "freehold-owns-itself");
    EXPECT_EQ(result["relatedLocations"].size(), 2U);
    const auto document = nlohmann::json::parse(
        run_program({"check", "--json", file.string(), "--", "-std=c++17"}).output);
    EXPECT_EQ(document["findings"][0]["check"], "freehold-owns-itself");
    EXPECT_FALSE(document["findings"][0].contains("construct"));
}

/// The exit status of the compiled file.
int status_of_run(const fs::path& file, const fs::path& program) {
    std::vector<std::string> compile = {FREEHOLD_COMPILER, file.string(), "-o", program.string()};
    for (const std::string& each : flags_of(file)) compile.push_back(each);
    const support::finished_process compiled = support::run({.command = compile});
    EXPECT_EQ(compiled.status, 0) << compiled.output;
    return support::run({.command = {program.string()}}).status;
}

TEST_F(check_program, opens_rings_whose_objects_are_then_destroyed) {
    constexpr int some_are_left = 2;
    const fs::path file = copy_of("owns_itself_mended.cpp");
    EXPECT_EQ(status_of_run(file, folder / "before"), some_are_left);
    EXPECT_EQ(check({"--fix"}, file).exit_status, something_found);
    EXPECT_EQ(status_of_run(file, folder / "after"), 0) << text_of(file);
}

TEST_F(check_program, knows_the_weak_handles_of_freehold) {
    const auto file =
        folder.write("arc.cpp",
                     "// flags: -std=c++20 -Iinclude\n#include <freehold/handle/arc.hpp>\n"
                     "#include <freehold/handle/shared_ptr.hpp>\n#include <functional>\n"
                     "struct socket {\n    std::function<void()> on_close;\n    int id = 0;\n};\n"
                     "void watch(freehold::arc<socket> one, freehold::shared_ptr<socket> two) {\n"
                     "    one->on_close = [one] { ++one->id; };\n"
                     "    two->on_close = [two] { ++two->id; };\n}\n");
    EXPECT_EQ(check({"--fix"}, file).exit_status, something_found);
    EXPECT_THAT(text_of(file), AllOf(HasSubstr("[weak_one = freehold::weak_arc<socket>(one)]"),
                                     HasSubstr("[weak_two = freehold::weak_ptr<socket>(two)]")));
    expect_compiles(file);
}

TEST_F(check_program, min_bytes_is_the_least_that_is_told) {
    const auto file = folder.write(
        "small.cpp",
        "#include <unistd.h>\nvoid use(const char*, long);\nvoid read_some(int from) {\n"
        "    char bytes[300] = {};\n    long got = read(from, bytes, sizeof bytes);\n"
        "    if (got > 0) use(bytes, got);\n}\n");
    const auto end_with = [&](const char* bytes) {
        return run_program({"check", "--min-bytes", bytes, file.string(), "--", "-std=c++17"})
            .exit_status;
    };
    EXPECT_EQ(end_with("300"), something_found);
    EXPECT_EQ(end_with("301"), nothing_found);
}

TEST_F(check_program, takes_functions_that_fill_from_the_configuration) {
    const auto file =
        folder.write("own.cpp",
                     "#include <vector>\nnamespace io { bool load(int, char*, unsigned long); }\n"
                     "void use(const std::vector<char>&);\nvoid load(int from, unsigned long n) {\n"
                     "    std::vector<char> bytes(n);\n    if (io::load(from, bytes.data(), n)) "
                     "use(bytes);\n}\n");
    const auto status = [&] {
        return run_program({"check", file.string(), "--", "-std=c++17"}).exit_status;
    };
    EXPECT_EQ(status(), nothing_found);
    folder.write(".clang-tidy",
                 "CheckOptions:\n  - key: freehold-hidden-zeroing.FillFunctions\n"
                 "    value: 'io::load:1:2:nonzero'\n");
    EXPECT_EQ(status(), something_found);
}

std::string configuration_with(const std::string& fill_functions) {
    return "CheckOptions:\n  - key: freehold-hidden-zeroing.FillFunctions\n    value: '" +
           fill_functions + "'\n";
}

TEST_F(check_program, promises_the_findings_that_follow_from_entries_for_own_functions) {
    const fs::path file = copy_of("own_fillers.cpp");
    const words_of_lines promised = expected_in(file, {"// promised: ", "/* promised: "});
    const program_end before = check({"--json"}, file);
    EXPECT_EQ(before.exit_status, nothing_found) << before.diagnostics;
    words_of_lines found;
    std::string entries;
    std::size_t least = promised.size();
    const auto document = nlohmann::json::parse(before.output);
    for (const auto& each : document["proposed_fillers"]) {
        const std::string entry = each["fill_functions"];
        entries += (entries.empty() ? "" : ";") + entry;
        EXPECT_EQ(each["function"], entry.substr(0, entry.find(':', entry.rfind("::") + 2)));
        EXPECT_EQ(each["findings"], each["places"].size());
        EXPECT_LE(each["places"].size(), least) << "most first";
        least = each["places"].size();
        for (const std::string place : each["places"]) {
            const std::size_t column = place.rfind(':');
            const std::size_t line = place.rfind(':', column - 1);
            EXPECT_EQ(place.substr(0, line), file.string());
            found[std::stoi(place.substr(line + 1))] = entry;
        }
    }
    for (const auto& [line, entry] : promised)
        EXPECT_EQ(found[line], entry.substr(0, entry.find(' '))) << "line " << line;
    EXPECT_EQ(found.size(), promised.size());

    folder.write(".clang-tidy", configuration_with(entries));
    words_of_lines zeroed;
    for (const auto& [line, entry] : promised) zeroed[line] = " zeroes ";
    expect_findings(file, zeroed);
    EXPECT_EQ(nlohmann::json::parse(check({"--json"}, file).output)["proposed_fillers"].size(), 0U);
}

constexpr const char* own_fillers =
    "#pragma once\n#include <vector>\nvoid use(const std::vector<char>&);\n"
    "namespace io { bool load(char*, unsigned long); }\nbool get(char*, unsigned long);\n"
    "inline void load(unsigned long n) {\n    std::vector<char> bytes(n);\n"
    "    if (io::load(bytes.data(), n)) use(bytes);\n}\n";

TEST_F(check_program, prints_lines_for_the_configuration_that_keep_what_it_has) {
    folder.write("own.hpp", own_fillers);
    const std::string function =
        "#include \"own.hpp\"\nvoid NAME(unsigned long n) {\n    std::vector<char> bytes(n);\n"
        "    if (FILLER(bytes.data(), n)) use(bytes);\n}\n";
    const auto source = [&](const std::string& name, const std::string& filler) {
        std::string text = function;
        text.replace(text.find("NAME"), 4, name);
        text.replace(text.find("FILLER"), 6, filler);
        return folder.write(name + ".cpp", text).string();
    };
    const std::vector<std::string> command = {"check",
                                              source("one", "io::load"),
                                              source("two", "io::load"),
                                              source("three", "get"),
                                              "--",
                                              "-std=c++17"};
    fs::create_directory(folder / ".git");  // The header belongs to the project.
    folder.write(".clang-tidy", configuration_with("get:0:1:nonzero;own_fill"));
    const program_end before = run_program(command);
    EXPECT_EQ(before.exit_status, something_found);
    EXPECT_THAT(before.output, HasSubstr("1 finding of hidden zeroing"));
    EXPECT_THAT(before.output,
                HasSubstr("If `io::load` fills its buffer whenever its result is not 0, 3 more "
                          "findings follow.\n"));
    const std::string lines = before.output.substr(before.output.find("CheckOptions:"));
    EXPECT_EQ(lines, configuration_with("get:0:1:nonzero;own_fill;io::load:0:1:nonzero"));
    folder.write(".clang-tidy", lines);
    const program_end after = run_program(command);
    EXPECT_THAT(after.output, HasSubstr("4 findings of hidden zeroing"));
    EXPECT_THAT(after.output, testing::Not(HasSubstr("more finding")));
}

TEST_F(check_program, says_that_there_are_more_proposals_than_it_prints) {
    std::string text = "#include <vector>\nvoid use(const std::vector<char>&);\n";
    for (const char* name : {"get_a", "get_b", "get_c", "get_d", "get_e", "get_f"})
        text += std::string("bool ") + name + "(char*, unsigned long);\nvoid use_" + name +
                "(unsigned long n) {\n    std::vector<char> bytes(n);\n    if (" + name +
                "(bytes.data(), n)) use(bytes);\n}\n";
    const auto file = folder.write("six.cpp", text);
    const fs::path sarif = folder / "findings.sarif";
    const program_end end =
        run_program({"check", "--sarif", sarif.string(), file.string(), "--", "-std=c++17"});
    EXPECT_EQ(end.exit_status, nothing_found) << end.diagnostics;
    EXPECT_THAT(end.output, AllOf(HasSubstr("If `get_e` "), HasSubstr("1 more finding follows.\n"),
                                  HasSubstr("--json shows 1 more such function"),
                                  testing::Not(HasSubstr("get_f"))));
    EXPECT_THAT(text_of(sarif), testing::Not(HasSubstr("get_")));
}

TEST_F(check_program, says_what_cannot_be_compiled) {
    const auto file = folder.write("broken.cpp", "int broken( {\n");
    const program_end end = run_program({"check", file.string(), "--", "-std=c++17"});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(end.diagnostics, AllOf(HasSubstr("broken.cpp:1:"), HasSubstr(": error: expected")));
    EXPECT_THAT(end.diagnostics, HasSubstr("not every file was checked"));
}

TEST_F(check_program, takes_flags_that_only_gcc_knows) {
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end =
        run_program({"check", file.string(), "--", "-std=c++20", "-Wall", "-Werror",
                     "-Wno-maybe-uninitialized", "--param=large-function-insns=1000"});
    EXPECT_EQ(end.exit_status, something_found) << end.diagnostics;
}

TEST_F(check_program, takes_code_that_only_gcc_takes) {
    const auto file =
        folder.write("narrowing.cpp",
                     "void use(const char*);\nvoid print(int c) {\n    const char text[] = "
                     "{c, 0};\n    use(text);\n}\n");
    const program_end end = run_program({"check", file.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, nothing_found) << end.diagnostics;
}

TEST_F(check_program, mends_the_files_that_compile) {
    const auto broken = folder.write("broken.cpp", "int broken( {\n");
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end =
        run_program({"check", "--fix", broken.string(), file.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(text_of(file), HasSubstr("make_unique_for_overwrite"));
}

TEST_F(check_program, tells_a_macro_once_with_the_number_of_its_uses) {
    std::string text =
        "#include <cstring>\n#include <memory>\nvoid use(const char*);\n"
        "#define COPIED(from, n) \\\n    auto bytes = std::make_unique<char[]>(n); \\\n"
        "    std::memcpy(bytes.get(), from, n); \\\n    use(bytes.get())\n";
    for (const char* name : {"one", "two", "three"})
        text +=
            std::string("void ") + name + "(const char* a, unsigned long n) { COPIED(a, n); }\n";
    const auto first = folder.write("first.cpp", "#include \"macro.hpp\"\n");
    const auto second = folder.write("second.cpp", "#include \"macro.hpp\"\n");
    folder.write("macro.hpp", text);
    const program_end end =
        run_program({"check", "--json", first.string(), second.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, something_found) << end.diagnostics;
    const auto document = nlohmann::json::parse(end.output);
    ASSERT_EQ(document["findings"].size(), 1U) << end.output;
    EXPECT_EQ(document["findings"][0]["line"], 5);
    EXPECT_EQ(document["findings"][0]["uses"], 6);
    EXPECT_THAT(document["findings"][0]["message"], HasSubstr("in 6 uses of the macro 'COPIED'"));
}

TEST_F(check_program, encodes_the_name_of_a_file_in_sarif) {
    const auto file = folder.write("one 50%#?.cpp", one_finding);
    const fs::path sarif = folder / "findings.sarif";
    run_program({"check", file.string(), "--sarif", sarif.string(), "--", "-std=c++20"});
    const auto document = nlohmann::json::parse(text_of(sarif));
    const std::string uri = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
                                    ["artifactLocation"]["uri"];
    EXPECT_THAT(uri, HasSubstr("/one%2050%25%23%3F.cpp"));
}

TEST_F(check_program, mends_lines_with_the_line_ends_of_their_file) {
    std::string text =
        "#include <cstring>\n#include <vector>\nvoid use(const char*);\n"
        "void copy(const char* from, unsigned long n) {\n    std::vector<char> bytes(n);\n"
        "    std::memcpy(bytes.data(), from, n);\n    use(bytes.data());\n}\n";
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
        text.insert(at, "\r");
    const auto file = folder.write("windows.cpp", text);
    const program_end end = run_program({"check", "--fix", file.string(), "--", "-std=c++20",
                                         std::string("-I") + FREEHOLD_INCLUDE});
    EXPECT_EQ(end.exit_status, something_found) << end.diagnostics;
    const std::string fixed = text_of(file);
    EXPECT_THAT(fixed, HasSubstr("default_init_allocator"));
    for (std::size_t at = 0; (at = fixed.find('\n', at)) != std::string::npos; ++at)
        EXPECT_EQ(fixed[at - 1], '\r') << fixed.substr(0, at);
}

TEST_F(check_program, skips_flags_that_clang_does_not_know_and_mends_with_them) {
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end =
        run_program({"check", "--fix", file.string(), "--", "-std=c++20", "-fanalyzer",
                     "-fconcepts", "-fno-ipa-sra", "-fdump-tree-all", "-mindirect-branch=thunk"});
    EXPECT_EQ(end.exit_status, something_found) << end.diagnostics;
    EXPECT_THAT(text_of(file), HasSubstr("make_unique_for_overwrite"));
}

TEST_F(check_program, says_that_a_file_is_c_and_checks_the_others) {
    const auto c = folder.write("one.c", "int one(void) { return 1; }\n");
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end = run_program({"check", c.string(), file.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(end.diagnostics, HasSubstr("one.c: is C"));
    EXPECT_THAT(end.output, HasSubstr("one.cpp:5:18: warning: "));
    const program_end as_cpp = run_program({"check", c.string(), "--", "-x", "c++"});
    EXPECT_EQ(as_cpp.exit_status, nothing_found) << as_cpp.diagnostics;
}

TEST_F(check_program, says_what_is_wrong_with_a_compilation_database) {
    const auto file = folder.write("one.cpp", one_finding);
    const auto diagnostics_with = [&](const std::string& database) {
        folder.write("compile_commands.json", database);
        const program_end end = run_program({"check", file.string()});
        EXPECT_EQ(end.exit_status, not_checked) << database;
        return end.diagnostics;
    };
    EXPECT_THAT(diagnostics_with("[]"), HasSubstr("names no file"));
    EXPECT_THAT(diagnostics_with(""), HasSubstr("is not a compilation database"));
    EXPECT_THAT(diagnostics_with("[{\"file\": 3}]"), HasSubstr("is not a compilation database"));
    const std::string gone = (folder / "gone").string();
    EXPECT_THAT(diagnostics_with(nlohmann::json::array({{{"directory", gone},
                                                         {"file", file.string()},
                                                         {"command", "c++ -c one.cpp"}}})
                                     .dump()),
                HasSubstr(gone + ", which does not exist"));
}

TEST_F(check_program, says_that_there_is_no_compilation_database) {
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end = run_program({"check", "-p", folder.path().string(), file.string()});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(end.diagnostics, HasSubstr("compile_commands.json: does not exist"));
    EXPECT_THAT(end.diagnostics, HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

TEST_F(check_program, finds_the_compilation_database_above_the_file) {
    const auto file = folder.write("source/one.cpp", one_finding);
    folder.write("build/compile_commands.json",
                 nlohmann::json::array({{{"directory", folder.path().string()},
                                         {"file", file.string()},
                                         {"command", "c++ -std=c++20 -c " + file.string()}}})
                     .dump());
    EXPECT_EQ(run_program({"check", file.string()}).exit_status, something_found);
}

TEST_F(check_program, names_a_file_that_does_not_exist) {
    const program_end end = run_program({"check", (folder / "none.cpp").string(), "--"});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(end.diagnostics, HasSubstr("none.cpp"));
}

TEST(check_without_clang_tidy, names_the_package) {
    if (!FREEHOLD_CHECK_IS_COMPLETE) GTEST_SKIP() << "there is no plug-in to load";
    temporary_folder folder;
    const auto file = folder.write("one.cpp", one_finding);
    const program_end end =
        run_program({"check", file.string(), "--"}, {{"PATH", folder.path().string()}});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(end.diagnostics, HasSubstr("apt-get install"));
    EXPECT_THAT(end.diagnostics, HasSubstr("clang-tidy-"));
}

TEST(check_without_plugin, says_what_builds_it) {
    temporary_folder folder;
    const auto file = folder.write("one.cpp", one_finding);
    const fs::path program = folder / "freehold";
    fs::copy_file(FREEHOLD_PROGRAM, program);
    const support::finished_process end =
        support::run({.command = {program.string(), "check", file.string(), "--"}});
    EXPECT_EQ(end.status, not_checked);
    EXPECT_THAT(end.output, HasSubstr("has no plug-in for clang-tidy"));
    EXPECT_THAT(end.output, HasSubstr("scripts/install of"));
}

}  // namespace
}  // namespace freehold::check_command_test
