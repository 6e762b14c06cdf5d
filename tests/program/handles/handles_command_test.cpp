// SPDX-License-Identifier: BSL-1.0
// `freehold handles` as a user runs it, over programs whose lines say in comments what they count.
// Skipped where the packages are missing that the counting takes.
#include "counted_program.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace freehold::handles_command_test {
namespace {

using testing::HasSubstr;

using figures = std::map<std::string, std::uint64_t>;

/// The kinds of advice that the comments of a file tell, by line.
std::set<std::pair<int, std::string>> advice_in(const fs::path& path) {
    std::set<std::pair<int, std::string>> result;
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        constexpr std::string_view mark = "advice: ";
        const auto at = line.find(mark);
        if (at == std::string::npos) continue;
        std::istringstream words(line.substr(at + mark.size()));
        for (std::string word; words >> word;) result.emplace(number, word);
    }
    return result;
}

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
            if (equals == std::string::npos) break;
            result[number][word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
        }
    }
    return result;
}

class handles : public counted_program {
protected:
    void expect_figures_of_comments(const std::string& name, const json& result,
                                    const std::string& extension = ".cpp") {
        const std::string source = name + extension;
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

    fs::path compiled_rust(const std::string& name, const char* level) {
        const fs::path program = folder_.path() / "rust_program";
        run_tool({FREEHOLD_RUSTC, "-g", std::string("-Copt-level=") + level, "-o", program.string(),
                  (fs::path(FREEHOLD_HANDLES_CASES) / (name + ".rs")).string()});
        return program;
    }

    static std::uint64_t total(const json& result, const std::string& figure) {
        std::uint64_t sum = 0;
        for (const json& each : result.at("lines"))
            // libc++'s shared object counts its own locales by the same functions.
            if (!each.at("pointee").get<std::string>().empty())
                sum += each.at(figure).get<std::uint64_t>();
        return sum;
    }
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
    std::vector<const char*> all = levels();
    if (is_for_every_build()) all.push_back("-O3");
    for (const char* level : all) {
        SCOPED_TRACE(level);
        const json result = counted(compiled("one_thread", {level, "-g"}));
        expect_figures_of_comments("one_thread", result);
        expect_totals_of_one_thread(result, total);
        std::uint64_t most_pairs = 0;
        for (const json& each : result.at("pairs"))
            most_pairs = std::max(most_pairs, each.at("count").get<std::uint64_t>());
        EXPECT_EQ(most_pairs, 1000U);
    }
}

TEST_F(handles, are_counted_exactly_in_a_static_program) {
    const json result = counted(compiled("one_thread", {"-O2", "-g", "-static"}));
    expect_figures_of_comments("one_thread", result);
    expect_totals_of_one_thread(result, total);
}

TEST_F(handles, are_counted_exactly_with_the_second_compiler) {
    if (*FREEHOLD_CLANG == '\0') return tests::skip_without("clang", "clang++ is not installed");
    for (const build& each : builds()) {
        if (each.compiler != FREEHOLD_CLANG) continue;
        SCOPED_TRACE(each.level);
        expect_totals_of_one_thread(
            counted(compiled("one_thread", {each.level, "-g"}, each.compiler)), total);
    }
}

TEST_F(handles, of_the_second_library_are_counted_exactly) {
    if (*FREEHOLD_CLANG == '\0' || *FREEHOLD_LIBCXX == '\0')
        return tests::skip_without("libcxx", "libc++ is not installed");
    expect_totals_of_one_thread(
        counted(compiled("one_thread", {"-O2", "-g", "-stdlib=libc++"}, FREEHOLD_CLANG)), total);
}

TEST_F(handles, in_members_are_counted_where_their_holder_is_copied) {
    for (const char* level : levels()) {
        SCOPED_TRACE(level);
        const json result = counted(compiled("holders", {level, "-g"}));
        expect_figures_of_comments("holders", result);
        EXPECT_THAT(result.at("advice").dump(), HasSubstr("const defaulted&"));
        EXPECT_THAT(result.at("advice").dump(), HasSubstr("const implicit&"));
        EXPECT_THAT(result.at("advice").dump(), HasSubstr("unmoved needs a move assignment"));
        // Where no frame of the program is known, the line is the module.
        for (const json& each : result.at("lines"))
            EXPECT_THAT(fs::path(each.at("file").get<std::string>()).filename().string(),
                        testing::AnyOf("", "holders.cpp"))
                << each;
    }
}

TEST_F(handles, have_whole_paths_if_the_compiler_was_given_a_part) {
    const std::string program = (folder_.path() / "program").string();
    run_tool({"sh", "-c", "cd \"$1\" && \"$2\" -O2 -g ../cases/one_thread.cpp -o \"$3\"", "sh",
              FREEHOLD_HANDLES_CASES, FREEHOLD_COMPILER, program});
    std::set<std::string> files;
    const json result = counted(program);
    for (const json& each : result.at("lines"))
        if (!each.at("file").get<std::string>().empty())
            files.insert(each.at("file").get<std::string>());
    EXPECT_EQ(files, std::set<std::string>{
                         (fs::path(FREEHOLD_HANDLES_CASES) / "one_thread.cpp").string()});
}

TEST_F(handles, have_the_type_that_other_code_says_of_their_object) {
    for (const char* level : levels()) {
        SCOPED_TRACE(level);
        const json result = counted(compiled("untyped", {level, "-g"}));
        figures copies;
        // With libstdc++ 11, the block's own weak owner is released on a line of its own.
        for (const json& each : result.at("lines"))
            if (const auto count = each.at("copies").get<std::uint64_t>(); count != 0)
                copies[each.at("pointee")] += count;
        EXPECT_EQ(copies, (figures{{"circle", 100}, {"square", 20}}));
    }
}

TEST_F(handles, of_rust_are_counted_exactly) {
    if (*FREEHOLD_RUSTC == '\0') return tests::skip_without("rust", "rustc is not installed");
    const std::vector<const char*> few = {"2"};
    const std::vector<const char*> all = {"1", "2", "3", "s"};
    for (const char* level : is_for_every_build() ? all : few) {
        SCOPED_TRACE(level);
        const json result = counted(compiled_rust("one_thread", level));
        expect_figures_of_comments("one_thread", result, ".rs");
        figures circles;
        for (const json& each : result.at("lines"))
            if (each.at("pointee") == "one_thread::Circle")
                for (const char* name : {"copies", "locks", "releases", "last_releases"})
                    circles[name] += each.at(name).get<std::uint64_t>();
        const figures expected = {
            {"copies", 1052}, {"locks", 100}, {"releases", 1153}, {"last_releases", 1}};
        EXPECT_EQ(circles, expected);
    }
}

TEST_F(handles, of_rust_have_a_line_where_the_compiler_merged_code) {
    if (*FREEHOLD_RUSTC == '\0') return tests::skip_without("rust", "rustc is not installed");
    std::uint64_t copies = 0;
    const json result = counted(compiled_rust("merged", "2"));
    for (const json& each : result.at("lines")) {
        EXPECT_NE(each.at("line"), 0) << each;
        if (each.at("function") == "merged::either") copies += each.at("copies").get<unsigned>();
    }
    EXPECT_EQ(copies, 100U);
}

/// The numbers of operations by pointee, of merged lines alone or of the others.
std::map<std::string, std::uint64_t> operations_of(const json& result, bool is_merged) {
    std::map<std::string, std::uint64_t> sum;
    for (const json& each : result.at("lines"))
        if (each.at("merged") == is_merged)
            for (const char* const figure : {"copies", "releases"})
                sum[each.at("pointee")] += each.at(figure).get<std::uint64_t>();
    return sum;
}

std::set<std::string> pointees_of_advice(const json& result) {
    std::set<std::string> found;
    for (const json& each : result.at("advice"))
        found.insert(each.at("pointee").get<std::string>());
    return found;
}

TEST_F(handles, in_functions_that_the_linker_folded_have_the_type_of_their_object) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const json result = counted(compiled("folded", {each.level, "-g"}, each.compiler));
        // The copies in the folded function, with their releases.
        EXPECT_EQ(operations_of(result, true), (figures{{"circle", 200}, {"square", 40}}));
        std::set<std::pair<int, std::string>> given;
        for (const json& piece : result.at("advice"))
            if (piece.at("kind") == "removable_pair")
                given.emplace(piece.at("line").get<int>(), "removable_pair");
        EXPECT_EQ(given, advice_in(fs::path(FREEHOLD_HANDLES_CASES) / "folded.cpp"));
        EXPECT_THAT(diagnostics_, HasSubstr("(merged)"));
    }
}

TEST_F(handles, in_functions_that_rustc_merged_are_of_one_of_several_types) {
    if (*FREEHOLD_RUSTC == '\0') return tests::skip_without("rust", "rustc is not installed");
    const json result = counted(compiled_rust("folded", "2"));
    const figures merged = operations_of(result, true);
    if (merged.empty()) {  // releases of rustc differ in what they merge
        EXPECT_EQ(operations_of(result, false),
                  (figures{{"folded::Circle", 250}, {"folded::Square", 90}, {"folded::Lone", 20}}));
        return;
    }
    EXPECT_EQ(merged, (figures{{"one of folded::Circle, folded::Square", 340}}));
    EXPECT_EQ(operations_of(result, false), (figures{{"folded::Lone", 20}}));
    EXPECT_EQ(pointees_of_advice(result), std::set<std::string>{"folded::Lone"});
}

TEST_F(handles, are_counted_where_a_function_ended_with_a_jump) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const json result = counted(compiled("jumps", {each.level, "-g"}, each.compiler));
        expect_figures_of_comments("jumps", result);
        // Where two jumps may have been taken, the caller's line says that it may not be the one.
        std::uint64_t releases = 0;
        std::uint64_t owners = 1;  // not yet released, of all lines
        for (const json& line : result.at("lines")) {
            if (line.at("pointee") != "shape") continue;
            const auto released = line.at("releases").get<std::uint64_t>();
            owners += line.at("copies").get<std::uint64_t>() - released;
            if (line.at("function") == "drop_or_touch" ||
                (line.at("function") == "main" && line.at("called")))
                releases += released;
        }
        EXPECT_EQ(releases, 16U);
        EXPECT_EQ(owners, 0U);
    }
}

class handles_of_freehold : public handles {
protected:
    /// The program has a local count, a biased one, and `third`.
    void expect_exact(const build& each, const std::string& third) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const bool is_sharded = third == "sharded_count";
        const fs::path program =
            compiled("freehold",
                     {"-g", "-std=c++20", is_sharded ? "-DSHARDED" : "-USHARDED",
                      "-DFREEHOLD_HEADER_ONLY=0", "-I", FREEHOLD_INCLUDE, each.level},
                     each.compiler, {}, {FREEHOLD_CORE});
        for (const bool has_threads : {false, true}) {
            SCOPED_TRACE(has_threads ? "several threads" : "one thread");
            const json result = counted(program, has_threads ? "with threads" : "");
            for (const std::string& count :
                 {third, std::string("local_count"), std::string("biased_count")}) {
                SCOPED_TRACE(count);
                const json lines = lines_of(result, count);
                expect_figures_of_comments("freehold", lines);
                expect_figures_of_comments("freehold_handles", lines, ".ipp");
                if (count != "local_count") {
                    expect_figures_of_comments("freehold_atomics", lines, ".hpp");
                    if (has_threads) expect_figures_of_comments("freehold_threads", lines, ".hpp");
                }
                figures found = totals(lines);
                const figures expected = expected_totals(count, has_threads);
                if (expected.count("would_be_plain") == 0) found.erase("would_be_plain");
                EXPECT_EQ(found, expected);
            }
            EXPECT_EQ(total(lines_of(result, "counted by hand"), "copies"), 401U);
            EXPECT_EQ(total(lines_of(result, "counted by hand"), "releases"), 401U);
            // Of biased counts, and of sharded ones.
            EXPECT_EQ(result.at("notes").size(), is_sharded ? 2U : 1U);
        }
    }

    /// Only the lines of one kind of count.
    static json lines_of(const json& result, const std::string& count) {
        json lines = json::array();
        for (const json& each : result.at("lines"))
            if (each.at("handle").get<std::string>().ends_with(" (" + count + ")"))
                lines.push_back(each);
        return {{"lines", lines}};
    }

    static figures totals(const json& result) {
        figures found;
        for (const char* name : {"copies", "locks", "releases", "last_releases", "unique_releases",
                                 "weak_copies", "weak_releases", "objects", "would_be_plain"})
            found[name] = total(result, name);
        return found;
    }

    static figures expected_totals(const std::string& count, bool has_threads) {
        const bool is_local = count == "local_count";
        const bool is_biased = count == "biased_count";
        // 54 owners are made with their object. A local count has 17 last releases that subtract,
        // of handles without weak ones. A biased one releases by counting what all owners hold
        // together.
        figures sum = {{"copies", 3361},
                       {"locks", 150},
                       {"releases", 3565},
                       {"last_releases", 65},
                       {"objects", 54},
                       {"weak_copies", 32},
                       {"weak_releases", is_biased ? 42 : 32},
                       {"unique_releases", is_local ? 33 : 50}};
        const auto add = [&sum](const figures& more) {
            for (const auto& [name, value] : more) sum[name] += value;
        };
        if (!is_local)  // by atomic pointers
            add({{"copies", 212},
                 {"releases", 242},
                 {"last_releases", 30},
                 {"unique_releases", 24},
                 {"objects", 30}});
        if (!is_local && has_threads)
            add({{"copies", 801},
                 {"locks", 10},
                 {"releases", 814},
                 {"last_releases", 4},
                 {"objects", 3},
                 {"weak_copies", 11},
                 {"weak_releases", 11}});
        const std::uint64_t operations = sum["copies"] + sum["locks"] + sum["releases"] +
                                         sum["weak_copies"] + sum["weak_releases"] -
                                         sum["unique_releases"];
        // With threads, the first weak handle of each of 10 objects does not lock.
        sum["would_be_plain"] = is_local || !has_threads ? operations : 10;
        // This is an estimate; see docs/handles.md.
        if (is_biased && has_threads) sum.erase("would_be_plain");
        return sum;
    }
};

TEST_F(handles_of_freehold, are_counted_exactly) {
    for (const build& each : builds()) expect_exact(each, "atomic_count");
}

TEST_F(handles_of_freehold, are_counted_exactly_with_sharded_counts) {
    expect_exact(builds().front(), "sharded_count");
}

TEST_F(handles, of_the_users_own_are_counted_by_their_description) {
    const std::string description = (fs::path(FREEHOLD_HANDLES_CASES) / "described.json").string();
    for (const char* level : levels()) {
        SCOPED_TRACE(level);
        const json result =
            counted(compiled("described", {level, "-g"}), {}, {"--describe", description});
        expect_figures_of_comments("described", result);
        for (const json& each : result.at("lines")) EXPECT_EQ(each.at("handle"), "own::handle");
    }
    EXPECT_TRUE(counted(folder_.path() / "described").at("lines").empty());
}

class handles_of_qt : public handles, public testing::WithParamInterface<int> {};

TEST_P(handles_of_qt, are_counted_exactly) {
    const std::string version = std::to_string(GetParam());
    const std::string flags = GetParam() == 5 ? FREEHOLD_QT5_FLAGS : FREEHOLD_QT6_FLAGS;
    if (flags.empty())
        return tests::skip_without("qt",
                                   "the development files of Qt " + version + " are not installed");
    std::istringstream words(flags);
    const std::vector<std::string> of_qt{std::istream_iterator<std::string>(words), {}};
    std::vector<build> all_builds = builds();
    if (!is_for_every_build()) all_builds.resize(1);  // Qt's headers take seconds
    for (const build& each : all_builds) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        std::vector<std::string> all = {each.level, "-g", "-fPIC"};
        all.insert(all.end(), of_qt.begin(), of_qt.end());
        const json result =
            counted(compiled("qt", all, each.compiler, {}, {"-lQt" + version + "Core"}));
        expect_figures_of_comments("qt", result);
        EXPECT_EQ(result.at("exit_status"), 0);
        std::uint64_t in_the_library = 0;
        for (const json& line : result.at("lines"))
            if (line.at("function").get<std::string>().find("libQt") != std::string::npos)
                in_the_library += line.at("copies").get<std::uint64_t>();
        EXPECT_EQ(in_the_library, 10U);
        EXPECT_THAT(result.at("without_debug_information").dump(), HasSubstr("libQt"));
    }
}

INSTANTIATE_TEST_SUITE_P(version, handles_of_qt, testing::Values(5, 6));

TEST_F(handles, are_counted_in_threads_and_children) {
    const json result = counted(compiled("two_threads", {"-O2", "-g"}));
    expect_figures_of_comments("two_threads", result);
    EXPECT_EQ(result.at("processes"), 2);
    EXPECT_EQ(result.at("threads"), 2);
    EXPECT_EQ(result.at("exit_status"), 7);
    EXPECT_THAT(diagnostics_, HasSubstr("status 7"));
}

TEST_F(handles, are_advised_on_where_the_evidence_carries_it) {
    const fs::path program = compiled("advised", {"-O2", "-g"});
    const auto expected = advice_in(fs::path(FREEHOLD_HANDLES_CASES) / "advised.cpp");
    const json result = counted(program);
    expect_figures_of_comments("advised", result);
    std::set<std::pair<int, std::string>> given;
    for (const json& each : result.at("advice"))
        given.emplace(each.at("line").get<int>(), each.at("kind").get<std::string>());
    EXPECT_EQ(given, expected);
}

// The comments of the program say why each piece is right, and why there are no others.
TEST_F(handles, are_advised_on_by_what_their_objects_are) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const json result = counted(compiled("objects", {each.level, "-g"}, each.compiler));
        std::map<std::string, std::set<std::string>> types;
        std::string codes;
        for (const json& piece : result.at("advice")) {
            types[piece.at("kind")].insert(piece.at("pointee").get<std::string>());
            codes += piece.at("code").get<std::string>() + "\n";
        }
        EXPECT_EQ(types["one_owner"], std::set<std::string>{"lone_base"});
        EXPECT_EQ(types["removable_pair"],
                  (std::set<std::string>{"crossing", "crossing_base", "derived", "member"}));
        EXPECT_EQ(types["one_thread"].count("crossing"), 0U);
        EXPECT_THAT(codes, HasSubstr("derived& or derived*, if it only looks"));
        EXPECT_THAT(codes, HasSubstr("std::make_unique<the object's class>"));
        EXPECT_THAT(codes, HasSubstr("likewise the handles of the same objects: base"));
    }
}

TEST_F(handles, of_the_library_are_advised_on_only_by_what_the_user_can_write) {
    for (const build& each : builds()) {
        SCOPED_TRACE(each.compiler + " " + each.level);
        const json result = counted(
            compiled("library", {each.level, "-g", "-std=c++17", "-pthread"}, each.compiler));
        std::map<std::string, std::string> codes;
        for (const json& piece : result.at("advice"))
            codes[piece.at("pointee")] += piece.at("code").get<std::string>() + "\n";
        EXPECT_THAT(codes["element"], HasSubstr("const std::vector<std::shared_ptr<element>"));
        EXPECT_THAT(codes["element"], testing::Not(HasSubstr("std::allocator")));
        EXPECT_THAT(codes["captured"], HasSubstr("const std::function<int"));
        EXPECT_THAT(codes["ended"], HasSubstr("std::unique_ptr<ended, D>"));
        EXPECT_THAT(codes["pushed"], HasSubstr("std::move of the std::shared_ptr<pushed>"));
        EXPECT_THAT(codes["traced"], HasSubstr("std::move of the trace"));
        EXPECT_THAT(codes["constant"], HasSubstr("std::move of the lambda"));
        EXPECT_THAT(codes["bound"], HasSubstr("a parameter of the function that line"));
        EXPECT_THAT(codes["guarded"], testing::Not(HasSubstr("const std::shared_ptr")));
        EXPECT_THAT(codes["guarded"], testing::Not(HasSubstr("std::move")));
        EXPECT_THAT(codes["locked"], HasSubstr("const std::shared_ptr<locked>&"));
        for (const auto& [pointee, code] : codes)
            EXPECT_FALSE(pointee.starts_with("std::")) << pointee << ": " << code;
    }
}

TEST_F(handles, of_the_library_of_rust_are_not_advised_on) {
    if (*FREEHOLD_RUSTC == '\0') return tests::skip_without("rust", "rustc is not installed");
    const json result = counted(compiled_rust("library", "2"));
    bool has_hidden = false;
    for (const json& each : result.at("lines")) {
        has_hidden |= each.at("pointee").get<std::string>().starts_with("std::thread::");
        EXPECT_THAT(each.at("file").get<std::string>(), testing::Not(HasSubstr("/library/")));
    }
    EXPECT_TRUE(has_hidden);
    for (const std::string& each : pointees_of_advice(result)) EXPECT_EQ(each, "library::Circle");
}

TEST_F(handles, are_counted_in_what_is_loaded_later) {
    const fs::path plugin = compiled("plugin", {"-O2", "-g", "-fPIC", "-shared", "-DIS_PLUGIN"},
                                     FREEHOLD_COMPILER, "plugin.so");
    const json result =
        counted(compiled("plugin", {"-O2", "-g", "-Wl,--no-as-needed", "-ldl"}), plugin.string());
    expect_figures_of_comments("plugin", result);
}

TEST_F(handles, are_counted_exactly_after_optimisation_at_link_time) {
    const json result = counted(compiled("one_thread", {"-O2", "-g", "-flto"}));
    expect_totals_of_one_thread(result, total);
}

TEST_F(handles, are_found_by_split_debug_information) {
    for (const char* version : {"-gdwarf-4", "-gdwarf-5"})
        expect_figures_of_comments(
            "one_thread", counted(compiled("one_thread", {"-O2", "-g", version, "-gsplit-dwarf"})));
}

// Types in units of their own leave declarations in the units of the code, some without a name.
TEST_F(handles, are_named_alike_whichever_units_describe_types) {
    const auto lines_of = [this](const std::string& compiler,
                                 const std::vector<std::string>& format) {
        std::vector<std::string> flags = {"-O2", "-g"};
        flags.insert(flags.end(), format.begin(), format.end());
        std::multiset<std::string> result;
        json run = counted(compiled("lists", flags, compiler));
        for (json& line : run.at("lines")) {
            line.erase("nanoseconds");
            result.insert(line.dump());
        }
        return result;
    };
    for (const auto& [compiler, version] : formats()) {
        SCOPED_TRACE(compiler + " " + version);
        const std::multiset<std::string> expected = lines_of(compiler, {version});
        EXPECT_THAT(expected, testing::Not(testing::IsEmpty()));
        EXPECT_EQ(lines_of(compiler, {version, "-fdebug-types-section"}), expected);
    }
}

TEST_F(handles, are_found_by_debug_information_in_a_file_of_its_own) {
    const std::string program = compiled("one_thread", {"-O2", "-g"}).string();
    run_tool({"objcopy", "--only-keep-debug", program, program + ".debug"});
    run_tool({"strip", "--strip-debug", program});
    run_tool({"objcopy", "--add-gnu-debuglink=" + program + ".debug", program});
    expect_figures_of_comments("one_thread", counted(program));
}

TEST_F(handles, of_a_stripped_program_cannot_be_told) {
    const fs::path program = compiled("ends", {"-O2", "-g"});
    run_tool({"strip", program.string()});
    const program_end end = run_program({"handles", "--", program.string()});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.diagnostics, HasSubstr("-g"));
}

TEST_F(handles, of_a_stripped_program_are_told_before_it_runs) {
    const fs::path program = compiled("ends", {"-O2", "-g"});
    const auto told = [&] {
        // What the shell prints comes before the report, and behind what precedes the program.
        const support::finished_process end =
            support::run({.command = {"sh", "-c", "exec \"$0\" handles -- \"$1\" print 2>&1",
                                      FREEHOLD_PROGRAM, program.string()}});
        return end.output.substr(0, end.output.find("image"));
    };
    EXPECT_EQ(told(), "");
    run_tool({"strip", program.string()});
    EXPECT_THAT(told(), HasSubstr("-g"));
}

TEST_F(handles, without_debug_information_lock_as_those_with_it) {
    // In optimised code a last release may be the only function with a name.
    for (const bool is_inlined : {false, true}) {
        SCOPED_TRACE(is_inlined);
        const fs::path program =
            is_inlined ? compiled("ends", {"-O2"}) : compiled("ends", {"-O1", "-fno-inline"});
        std::uint64_t operations = 0;
        std::uint64_t plain = 0;
        const json result = counted(program);
        for (const json& each : result.at("lines")) {
            for (const char* const figure : {"copies", "releases", "weak_releases"})
                operations += each.at(figure).get<std::uint64_t>();
            operations -= each.at("unique_releases").get<std::uint64_t>();
            plain += each.at("would_be_plain").get<std::uint64_t>();
        }
        EXPECT_TRUE(is_inlined || operations >= 2000U) << operations;
        EXPECT_EQ(plain, operations);
    }
}

TEST_F(handles, in_programs_that_are_started_need_an_option) {
    const fs::path program = compiled("ends", {"-O2", "-g"});
    const fs::path script = folder_.write("script", "#!/bin/sh\n" + program.string() + "\n:\n");
    fs::permissions(script, fs::perms::owner_all);
    const program_end end = run_program({"handles", "--", script.string()});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.diagnostics, HasSubstr("--children"));
    const json result = counted(script, {}, {"--children"});
    expect_figures_of_comments("ends", result);
    EXPECT_THAT(diagnostics_, testing::Not(HasSubstr("--children")));
}

TEST_F(handles, are_kept_when_the_program_crashes_fails_or_is_killed) {
    const fs::path program = compiled("ends", {"-O2", "-g"});
    const std::map<std::string, int> statuses = {
        {"crash", 128 + SIGSEGV}, {"fail", 3}, {"kill", 128 + SIGKILL}};
    for (const auto& [end, status] : statuses) {
        SCOPED_TRACE(end);
        const json result = counted(program, end);
        expect_figures_of_comments("ends", result);
        EXPECT_EQ(result.at("exit_status"), status);
        EXPECT_EQ(result.at("processes_killed"), end == "kill" ? 1 : 0);
        EXPECT_FALSE(diagnostics_.empty());
    }
}

TEST_F(handles, of_a_daemon_are_counted_to_its_end) {
    const json result = counted(compiled("ends", {"-O2", "-g"}), "daemon");
    EXPECT_EQ(total(result, "copies"), 1500U);
    EXPECT_EQ(result.at("processes"), 2);
    EXPECT_EQ(result.at("processes_killed"), 0);
    EXPECT_THAT(diagnostics_, HasSubstr("left processes behind"));
}

TEST_F(handles, are_kept_after_an_interrupt) {
    const fs::path program = compiled("ends", {"-O2", "-g"});
    const fs::path output = folder_.path() / "output";
    program_run run({"handles", "--json", json_file().string(), "--", program.string(), "wait"}, {},
                    output);
    for (int i = 0; i < 3000 && text_of(output).empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    run.send(SIGINT);
    EXPECT_EQ(run.wait().exit_status, 0);
    const json result = counted_before();
    expect_figures_of_comments("ends", result);
    EXPECT_FALSE(result.contains("cpu_seconds_without_valgrind"));
}

TEST_F(handles, have_a_share_of_the_run_only_if_its_input_can_be_read_twice) {
    const fs::path program = compiled("ends", {"-O2", "-g"});
    const auto has_share = [&](int input) {
        const support::finished_process end =
            support::run({.command = {FREEHOLD_PROGRAM, "handles", "--plain-run", "--json",
                                      json_file().string(), "--", program.string(), "read"},
                          .descriptors = {{input, 0}}});
        EXPECT_EQ(end.status, 0) << end.output;
        return counted_before().contains("cpu_seconds_without_valgrind");
    };
    support::pipe_ends input;
    input.write.reset();
    EXPECT_FALSE(has_share(input.read.get()));
    EXPECT_TRUE(has_share(support::null_device()));
}

TEST_F(handles, are_shown_on_a_page_and_compared) {
    const fs::path page = folder_.path() / "handles.html";
    const std::string file = json_file().string();
    const program_end shown = run_program({"handles", "-o", page.string(), "--json", file, "--",
                                           compiled("one_thread", {"-O2", "-g"}).string()});
    EXPECT_EQ(shown.exit_status, 0) << shown.diagnostics;
    EXPECT_LE(std::count(shown.diagnostics.begin(), shown.diagnostics.end(), '\n'), 41);
    EXPECT_THAT(text_of(page), HasSubstr("sum += by_value(first)"));

    EXPECT_EQ(run_program({"compare", file, file}).exit_status, 0);
    const fs::path other = folder_.write("other.json", "{}");
    const program_end end = run_program({"compare", file, other.string()});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("other.json"));
}

TEST_F(handles, of_32_bits_are_refused) {
    const fs::path program = folder_.write("small", std::string("\177ELF\001", 5));
    fs::permissions(program, fs::perms::owner_all);
    const program_end end = run_program({"handles", "--", program.string()});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("32"));
}

TEST_F(handles, are_refused_where_there_is_no_program) {
    const program_end end = run_program({"handles", "--", "/no/such/program"});
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_THAT(end.diagnostics, HasSubstr("/no/such/program"));
}

TEST_F(handles, are_told_to_be_missing) {
    const program_end end = run_program({"handles", "--", "true"});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_THAT(end.diagnostics, HasSubstr("no owners"));
}

TEST_F(handles, are_told_beside_the_output_of_the_program) {
    EXPECT_EQ(run_program({"handles", "--", "sh", "-c", "printf image"}).output, "image");
    const program_end end = run_program(
        {"handles", "--plain-run", "--", compiled("ends", {"-O2", "-g"}).string(), "print"});
    EXPECT_EQ(end.output, "image\n");
    EXPECT_THAT(end.diagnostics, HasSubstr("operations on counts"));
}

TEST_F(handles, are_not_counted_for_a_file_that_cannot_be_written) {
    const std::string trace = (folder_.path() / "ran").string();
    const std::string file = (folder_.path() / "file").string();
    const std::vector<std::vector<std::string>> refused = {
        {"--json", "/no/such/folder/counts.json"},
        {"-o", folder_.path().string()},
        {"-o", file, "--json", file}};
    for (const std::vector<std::string>& options : refused) {
        std::vector<std::string> command = {"handles"};
        command.insert(command.end(), options.begin(), options.end());
        command.insert(command.end(), {"--", "touch", trace});
        const program_end end = run_program(command);
        EXPECT_EQ(end.exit_status, 1);
        EXPECT_THAT(end.diagnostics, HasSubstr(options.back()));
        EXPECT_FALSE(fs::exists(trace));
    }
}

TEST_F(handles, are_told_even_if_the_files_can_no_longer_be_written) {
    const fs::path gone = folder_.path() / "gone";
    fs::create_directory(gone);
    const std::string json = (gone / "counts.json").string();
    const std::string page = (gone / "page.html").string();
    const program_end end =
        run_program({"handles", "--json", json, "-o", page, "--", "rm", "-r", gone.string()});
    EXPECT_EQ(end.exit_status, 1);
    for (const std::string& told : {std::string("no owners"), json, page})
        EXPECT_THAT(end.diagnostics, HasSubstr(told));
}

}  // namespace
}  // namespace freehold::handles_command_test
