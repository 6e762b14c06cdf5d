// SPDX-License-Identifier: BSL-1.0
// The module `freehold` exports every name of namespace freehold that the headers of counts,
// handles and memory declare.
#include "repository/source_tree.hpp"

#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace freehold::repository::module_names_test {
namespace {

using names = std::set<std::string>;

// What a header declares in namespace freehold. Such a declaration is not indented. The operator
// that a line declares, or else what its parameters follow, is a function's name.
names declared_in(const source_file& header) {
    static const std::regex declarations[] = {
        std::regex(
            R"((?:class|struct|enum class|concept|using) (?:(?:\[\[.*\]\]|__attribute__\(.*\)) )?(\w+)(?: .*|;))"),
        std::regex(R"(using std::(?:\w+::)*(\w+);)"),
        std::regex(R"(inline constexpr [\w:]+ (\w+) = .*)"),
        std::regex(R"((?:\[\[.*\]\] )?[^ (\[#}/][^(]* [*&]?(operator\W+|\w+)\(.*)"),
    };
    names found;
    bool is_detail = false;
    for (const std::string& line : header.lines) {
        if (line.rfind("namespace ", 0) == 0 && line.find("detail {") != std::string::npos)
            is_detail = true;
        if (line.rfind("}  // namespace ", 0) == 0) is_detail = false;
        if (is_detail || line.rfind("namespace ", 0) == 0) continue;
        for (const std::regex& declaration : declarations) {
            std::smatch match;
            if (!std::regex_match(line, match, declaration)) continue;
            found.insert(match[1]);
            break;
        }
    }
    return found;
}

bool has_public_names(const std::string& path) {
    static const std::regex folders(
        "include/freehold/(fwd|(count|memory)/\\w+|handle/(\\w+|detail/\\w+|detail/(arc|shared)/"
        "\\w+))\\.hpp");
    return std::regex_match(path, folders) && path.find("_inl.hpp") == std::string::npos;
}

TEST(the_module, exports_what_the_headers_declare) {
    static const std::regex use("using freehold::([^;]+);");
    names declared;
    names exported;
    for (const source_file& file : read_source_tree(FREEHOLD_SOURCE_DIR, {"include", "src"})) {
        if (has_public_names(file.path)) declared.merge(declared_in(file));
        if (file.path != "src/freehold.cppm") continue;
        for (const std::string& line : file.lines) {
            std::smatch match;
            if (std::regex_match(line, match, use)) exported.insert(match[1]);
        }
    }
    ASSERT_FALSE(exported.empty());
    for (const std::string& name : declared)
        EXPECT_EQ(exported.count(name), 1U) << "src/freehold.cppm does not export " << name;
    for (const std::string& name : exported)
        EXPECT_EQ(declared.count(name), 1U) << "no header declares " << name;
}

}  // namespace
}  // namespace freehold::repository::module_names_test
