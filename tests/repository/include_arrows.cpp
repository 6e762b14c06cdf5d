// SPDX-License-Identifier: BSL-1.0
#include "repository/include_arrows.hpp"

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <utility>

namespace freehold::repository {

namespace {

using modules = std::set<std::string>;

// A module and those that it may include besides itself and the standard library. "others" are
// third parties; what is not listed here (the tests) may include anything.
const std::map<std::string, modules>& plan() {
    static const modules library = {"base", "memory", "count", "handle",  "buffer",
                                    "line", "s3",     "arrow", "freehold"};
    static const auto library_and = [](const modules& more) {
        modules all = library;
        all.insert(more.begin(), more.end());
        return all;
    };
    static const std::map<std::string, modules> arrows = {
        {"base", {"platform"}},
        {"platform", {"base"}},
        {"memory", {"base", "platform"}},
        {"count", {"base", "platform"}},
        {"handle", {"base", "platform", "count", "memory"}},
        {"buffer", {"base", "platform", "memory", "count", "handle"}},
        {"line", {"base", "platform", "memory", "count", "handle", "buffer"}},
        {"s3", {"base", "line"}},
        {"arrow", {"base", "platform", "memory", "count", "handle", "buffer", "line", "others"}},
        // What lies there names the headers that moved to buffer/ and line/.
        {"cache", {"buffer", "line", "s3", "arrow"}},
        {"freehold", {"base", "memory", "count", "handle", "buffer", "line"}},
        {"src", library_and({"platform", "others"})},
        {"examples", library},
        {"examples/arrow", library_and({"examples", "others"})},
        {"support", {"others"}},
        {"reimplemented", library},
        {"lab", library_and({"reimplemented", "support", "others"})},
        {"program/results", {"others"}},
        {"program/analyse", {"others"}},
        {"program/measure", {"support", "program/results", "program/analyse", "others"}},
        {"program/report", {"support", "program/results", "program/analyse", "others"}},
        {"program/advise",
         library_and({"support", "reimplemented", "program/results", "program/report", "others"})},
        {"program/record", {"support", "program/advise", "others"}},
        {"program/check", {"support", "program/results", "others"}},
        // The plug-in: its two checks share only `syntax`.
        {"program/check/plugin",
         {"program/check/plugin/owns_itself", "program/check/plugin/zeroing", "others"}},
        {"program/check/plugin/syntax", {"others"}},
        {"program/check/plugin/owns_itself", {"program/check/plugin/syntax", "others"}},
        {"program/check/plugin/zeroing/values", {"program/check/plugin/syntax", "others"}},
        {"program/check/plugin/zeroing/fillers",
         {"program/check/plugin/syntax", "program/check/plugin/zeroing/values", "others"}},
        {"program/check/plugin/zeroing/filled_counts",
         {"program/check/plugin/syntax", "program/check/plugin/zeroing/values",
          "program/check/plugin/zeroing/fillers", "others"}},
        {"program/check/plugin/zeroing/flow",
         {"program/check/plugin/syntax", "program/check/plugin/zeroing/values",
          "program/check/plugin/zeroing/fillers", "program/check/plugin/zeroing/filled_counts",
          "others"}},
        {"program/check/plugin/zeroing",
         {"program/check/plugin/syntax", "program/check/plugin/zeroing/values",
          "program/check/plugin/zeroing/fillers", "program/check/plugin/zeroing/filled_counts",
          "program/check/plugin/zeroing/flow", "others"}},
        {"program/code", {"others"}},
        {"program/handles",
         {"support", "program/results", "program/report", "program/code", "others"}},
        {"program/owners",
         {"support", "program/results", "program/report", "program/code", "others"}},
        {"program", library_and({"program/results", "program/analyse", "program/measure",
                                 "program/report", "program/advise", "program/record",
                                 "program/check", "program/handles", "program/owners", "others"})},
    };
    return arrows;
}

std::string first_part(const std::string& path) {
    return path.substr(0, path.find('/'));
}

// The module of a file by its path from the root.
std::string module_of(const std::string& path) {
    // The parts of the library that others need not have, and that take a library of others.
    static const std::regex s3_module("include/freehold/line/s3_source\\.hpp");
    static const std::regex arrow_module(
        "include/freehold/line/(arrow_(file|filesystem|source)\\.hpp)");
    // What every module of the library may include.
    static const std::regex base_module(
        "include/freehold/((config|fwd|version)\\.hpp|detail/[^/]+\\.hpp)");
    static const std::regex platform_module("include/freehold/detail/platform/.*");
    static const std::regex library_module("include/freehold/([^/]+)/.*");
    static const std::regex arrow_example("examples/arrow_.*");
    static const std::regex plugin_module("(program/check/plugin(/.+)?)/[^/]+");
    static const std::regex program_module("(program/[^/]+)/.*");
    std::smatch match;
    if (std::regex_match(path, s3_module)) return "s3";
    if (std::regex_match(path, arrow_module)) return "arrow";
    if (std::regex_match(path, base_module)) return "base";
    if (std::regex_match(path, platform_module)) return "platform";
    if (std::regex_match(path, match, library_module)) return match[1];
    if (path.rfind("include/freehold/", 0) == 0) return "freehold";
    if (std::regex_match(path, arrow_example)) return "examples/arrow";
    if (path.rfind("lab/reimplemented/", 0) == 0) return "reimplemented";
    if (std::regex_match(path, match, plugin_module)) return match[1];
    if (std::regex_match(path, match, program_module)) return match[1];
    return first_part(path);
}

bool is_standard_or_system(const std::string& header) {
    static const std::regex names(
        "[a-z_0-9]+|bits/"
        "(chrono|std_function)\\.h|(unistd|sched|pthread|pthread_np|fcntl|malloc|poll)\\.h|"
        "(experimental|ext|mach|sys|linux|sanitizer|valgrind)/.*");
    return std::regex_match(header, names);
}

// The module of what an #include line names. Quoted names are looked up beside the including file,
// then from the folders that quoted names start from.
std::string module_of_header(const source_file& from, const std::string& name, bool quoted,
                             const std::set<std::string>& paths) {
    if (name.rfind("freehold/", 0) == 0) return module_of("include/" + name);
    if (!quoted) return is_standard_or_system(name) ? "standard" : "others";
    const std::filesystem::path here = std::filesystem::path(from.path).parent_path();
    for (const std::filesystem::path& base :
         {here, std::filesystem::path("program"), std::filesystem::path("lab"),
          std::filesystem::path("tests"), std::filesystem::path()}) {
        const std::string candidate = (base / name).lexically_normal().generic_string();
        if (paths.count(candidate) != 0) return module_of(candidate);
    }
    // Generated by the build, or not there at all: the compiler judges that.
    return "standard";
}

bool may_include(const std::string& from, const std::string& to) {
    if (to == from || to == "standard") return true;
    const auto arrows = plan().find(from);
    return arrows == plan().end() || arrows->second.count(to) != 0;
}

// freehold/FOLDER/detail/ belongs to its folder, and freehold/detail/ to the library. Tests may
// look into both; `lent` is what others use all the same, each for a reason.
bool is_detail_of_another(const std::string& from, const std::string& header) {
    static const std::regex detail("freehold/(?:([^/]+)/)?detail/.*");
    static const modules library = {"base",   "platform", "memory", "count", "handle",
                                    "buffer", "line",     "s3",     "arrow", "freehold"};
    static const std::set<std::pair<std::string, std::string>> lent = {
        // It compiles the slow paths of every folder into the library.
        {"src", "*"},
        // A store to an atomic pointer may count with the lock of biased counts held, and takes it.
        {"handle", "freehold/count/detail/bias_platform.hpp"},
        // Both ask whether the address sanitizer is on.
        {"lab", "freehold/detail/sanitizers.hpp"},
        {"program/advise", "freehold/detail/sanitizers.hpp"},
    };
    std::smatch match;
    if (!std::regex_match(header, match, detail) || from == "tests") return false;
    const bool is_own = match[1].matched
                            ? from == match[1] || (from == "arrow" && match[1] == "line")
                            : library.count(from) != 0;
    return !is_own && lent.count({from, "*"}) == 0 && lent.count({from, header}) == 0;
}

bool is_source(const std::string& path) {
    return path.size() > 4 &&
           (path.substr(path.size() - 4) == ".hpp" || path.substr(path.size() - 4) == ".cpp");
}

}  // namespace

std::vector<std::string> broken_arrows(const std::vector<source_file>& files) {
    static const std::regex include_line("\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"].*");
    std::set<std::string> paths;
    for (const source_file& file : files) paths.insert(file.path);

    std::vector<std::string> broken;
    for (const source_file& file : files) {
        if (!is_source(file.path)) continue;
        const std::string from = module_of(file.path);
        for (std::size_t i = 0; i != file.lines.size(); ++i) {
            std::smatch match;
            if (!std::regex_match(file.lines[i], match, include_line)) continue;
            const std::string to = module_of_header(file, match[2], match[1] == "\"", paths);
            if (may_include(from, to) && !is_detail_of_another(from, match[2])) continue;
            broken.push_back(file.path + ":" + std::to_string(i + 1) + ": '" + from +
                             "' must not include " + match[2].str() + " of '" + to + "'");
        }
    }
    return broken;
}

}  // namespace freehold::repository
