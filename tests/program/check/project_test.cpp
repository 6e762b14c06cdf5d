// SPDX-License-Identifier: BSL-1.0
// What `freehold check` makes of a project's compilation database and .clang-tidy.
#include "program/check/exit_status.hpp"
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold::project_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* one_finding =
    "#include <cstring>\n#include <memory>\nvoid use(const char*);\n"
    "void copy(const char* from, unsigned long n) {\n"
    "    auto bytes = std::make_unique<char[]>(n);\n"
    "    std::memcpy(bytes.get(), from, n);\n    use(bytes.get());\n}\n";

class check_of_project : public testing::Test {
protected:
    void SetUp() override {
        if (!FREEHOLD_CHECK_IS_COMPLETE) GTEST_SKIP() << "there is no plug-in to load";
    }

    temporary_folder folder;
};

TEST_F(check_of_project, gives_full_names_where_the_database_has_relative_ones) {
    const auto file = folder.write("source/one.cpp", one_finding);
    fs::create_directory(folder / "build");
    folder.write("compile_commands.json",
                 nlohmann::json::array({{{"directory", (folder / "build").string()},
                                         {"file", "../source/one.cpp"},
                                         {"command", "c++ -std=c++20 -c ../source/one.cpp"}}})
                     .dump());
    const fs::path sarif = folder / "findings.sarif";
    const program_end json =
        run_program({"check", "--json", "--sarif", sarif.string(), file.string()});
    const auto found = nlohmann::json::parse(json.output)["findings"][0];
    EXPECT_EQ(found["file"], file.string());
    EXPECT_EQ(found["notes"][0]["file"], file.string());
    const auto result = nlohmann::json::parse(text_of(sarif))["runs"][0]["results"][0];
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
              "file://" + file.string());
    const program_end text = run_program({"check", "--fix", file.string()});
    EXPECT_THAT(text.output, testing::StartsWith(file.string() + ":5:18: warning: "));
    EXPECT_THAT(text.output, HasSubstr("\n" + file.string() + ":6:5: note: "));
    EXPECT_THAT(text_of(file), HasSubstr("make_unique_for_overwrite"));
}

TEST_F(check_of_project, reads_the_code_that_is_compiled) {
    const auto file = folder.write(
        "assumed.cpp",
        "#include <cstdlib>\n#include <cstring>\n#include <vector>\n"
        "void use(const std::vector<short>&);\n"
        "#ifdef __clang_analyzer__\n#define ASSUME(x) do { if (!(x)) std::abort(); } while (0)\n"
        "#else\n#define ASSUME(x) do { } while (0)\n#endif\n"
        "void copy(const char* from, std::size_t n, std::size_t size) {\n"
        "    std::vector<short> numbers(n);\n    ASSUME(size == 2);\n"
        "    std::memcpy(numbers.data(), from, n * size);\n    use(numbers);\n}\n");
    const program_end flags = run_program({"check", file.string(), "--", "-std=c++20"});
    EXPECT_EQ(flags.exit_status, nothing_found) << flags.output << flags.diagnostics;
    folder.write("compile_commands.json",
                 nlohmann::json::array({{{"directory", folder.path().string()},
                                         {"file", file.string()},
                                         {"command", "c++ -std=c++20 -c " + file.string()}}})
                     .dump());
    const program_end database = run_program({"check", file.string()});
    EXPECT_EQ(database.exit_status, nothing_found) << database.output << database.diagnostics;
}

std::size_t occurrences(const std::string& text, const std::string& words) {
    std::size_t result = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        ++result;
    return result;
}

constexpr const char* header_with_finding =
    "#pragma once\n#include <cstring>\n#include <memory>\nvoid use(const char*);\n"
    "inline void copy(const char* from, unsigned long n) {\n"
    "    auto bytes = std::make_unique<char[]>(n);\n"
    "    std::memcpy(bytes.get(), from, n);\n    use(bytes.get());\n}\n";

TEST_F(check_of_project, reports_headers_that_relative_folders_lead_to_and_none_outside) {
    const fs::path project = folder.path() / "project";
    for (const char* each : {"outside", "project/.git", "project/build", "project/source"})
        fs::create_directories(folder / each);
    const auto header = folder.write("project/include/own.hpp", header_with_finding);
    const auto outside = folder.write(
        "outside/other.hpp",
        "#include <cstring>\n#include <functional>\n#include <memory>\n"
        "inline void copy_too(const char* from, char* to, unsigned long n) {\n"
        "    auto bytes = std::make_unique<char[]>(n);\n"
        "    std::memcpy(bytes.get(), from, n);\n    std::memcpy(to, bytes.get(), n);\n}\n"
        "inline void ring() {\n    auto f = std::make_shared<std::function<void()>>();\n"
        "    *f = [f] { (*f)(); };\n}\n");
    const std::string unchanged = text_of(outside);
    const auto one =
        folder.write("project/source/one.cpp", "#include <own.hpp>\n#include <other.hpp>\n");
    const auto two = folder.write("project/source/two.cpp",
                                  "#include \"../include/own.hpp\"\n#include <other.hpp>\n");
    const auto three = folder.write("project/source/three.cpp", "#include <own.hpp>\n");
    const std::string build = (project / "build").string();
    folder.write(
        "project/build/compile_commands.json",
        nlohmann::json::array(
            {{{"directory", build},
              {"file", "../source/one.cpp"},
              {"command", "c++ -std=c++20 -I../include -I../../outside -c ../source/one.cpp"}},
             {{"directory", project.string()},
              {"file", "source/two.cpp"},
              {"command", "c++ -std=c++20 -Ibuild/../../outside -c source/two.cpp"}},
             {{"directory", build},
              {"file", three.string()},
              {"command", "c++ -std=c++20 -I" + build + "/../include -c " + three.string()}}})
            .dump());
    for (const std::string& file : {one.string(), two.string(), three.string()}) {
        const program_end alone = run_program({"check", "-p", build, file});
        EXPECT_THAT(alone.output, testing::StartsWith(header.string() + ":6:18: warning: "));
        EXPECT_EQ(occurrences(alone.output, "warning: "), 1U) << alone.output;
    }
    const program_end all =
        run_program({"check", "-p", build, one.string(), two.string(), three.string()});
    EXPECT_EQ(occurrences(all.output, "warning: "), 1U) << all.output;
    // A project that is reached by a link.
    fs::create_directory_symlink(project, folder / "link");
    const program_end linked = run_program(
        {"check", "-p", build, (folder.path() / "link/source/one.cpp").string(), one.string()});
    EXPECT_EQ(occurrences(linked.output, "warning: "), 1U) << linked.output;
    run_program({"check", "--fix", "-p", build, one.string(), two.string()});
    EXPECT_THAT(text_of(header), HasSubstr("make_unique_for_overwrite"));
    EXPECT_EQ(text_of(outside), unchanged);
}

TEST_F(check_of_project, goes_on_without_a_configuration_that_clang_tidy_cannot_read) {
    const auto file = folder.write("one.cpp", one_finding);
    const auto other = folder.write("other.cpp", "int other() { return 0; }\n");
    const auto configuration = folder.write(".clang-tidy", "Checks: '-*'\nOfAnotherVersion: 1\n");
    const program_end end =
        run_program({"check", "--fix", file.string(), other.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, something_found);
    EXPECT_EQ(occurrences(end.diagnostics, configuration.string()), 1U) << end.diagnostics;
    EXPECT_THAT(
        end.diagnostics,
        AllOf(HasSubstr(configuration.string() + ":2: unknown key 'OfAnotherVersion': "),
              HasSubstr(" ignores this whole file\n"), testing::Not(HasSubstr("cannot compile"))));
    EXPECT_THAT(text_of(file), HasSubstr("make_unique_for_overwrite"));
    EXPECT_EQ(run_program({"check", other.string(), "--"}).exit_status, nothing_found);
}

TEST_F(check_of_project, is_not_content_if_its_own_options_are_ignored) {
    const auto file = folder.write("one.cpp", one_finding);
    folder.write(
        ".clang-tidy",
        "OfAnotherVersion: 1\nCheckOptions:\n  - key: freehold-hidden-zeroing.FillFunctions\n"
        "    value: 'own_fill:0:1:all'\n");
    const program_end end =
        run_program({"check", "--fix", "--json", file.string(), "--", "-std=c++20"});
    EXPECT_EQ(end.exit_status, not_checked);
    EXPECT_THAT(end.diagnostics, AllOf(HasSubstr("the options of freehold in it"),
                                       testing::Not(HasSubstr("cannot compile"))));
    const auto document = nlohmann::json::parse(end.output);
    EXPECT_EQ(document["findings"].size(), 1U);
    EXPECT_EQ(document["errors"].size(), 1U);
    EXPECT_THAT(text_of(file), HasSubstr("make_unique_for_overwrite"));
}

// Values of 300 variables are known, and each of 300 loops changes one of them: most of the work is
// to carry them from statement to statement.
TEST_F(check_of_project, gives_up_a_function_that_takes_too_many_steps) {
    constexpr int variables = 300;
    std::string code =
        "#include <memory>\nunsigned long next(unsigned long);\n"
        "void use(const char*, unsigned long);\n"
        "void many(const char* in, unsigned long n) {\n"
        "    auto bytes = std::make_unique<char[]>(n + 1);\n";
    std::string sum = "n";
    for (int i = 0; i < variables; ++i) {
        const std::string name = "v" + std::to_string(i);
        code.append("    unsigned long ").append(name).append(" = next(n);\n");
        sum.append(" + ").append(name);
    }
    for (int i = 0; i < variables; ++i) {
        const auto name = [](int number) { return "v" + std::to_string(number % variables); };
        code.append("    while (" + name(i) + " < in[" + std::to_string(i) + "]) ");
        code.append(name(i) + " += next(" + name(i + 1) + ") + " + name(i + 7) + ";\n");
    }
    code.append("    use(bytes.get(), ").append(sum).append(");\n}\n");
    const auto file = folder.write("many.cpp", code);
    const program_end end = run_program({"check", "--verbose", file.string(), "--", "-std=c++20"});
    EXPECT_THAT(end.diagnostics, HasSubstr("'many' took too long"));
    EXPECT_EQ(end.exit_status, nothing_found);
}

}  // namespace
}  // namespace freehold::project_test
