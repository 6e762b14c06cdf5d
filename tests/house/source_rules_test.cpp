// SPDX-License-Identifier: BSL-1.0
// The rules for each file: a licence line, and no path of the machine that it was written on.
#include "house/source_tree.hpp"

#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

namespace freehold::house {
namespace {

std::string name_of(const source_file& file) {
    return file.path.substr(file.path.rfind('/') + 1);
}

bool is_code(const source_file& file) {
    static const std::regex names(
        ".*\\.(hpp|cpp|cmake|js|mjs|css|sh)|(.*/)?CMakeLists\\.txt|scripts/.*|\\.ci/.*");
    return std::regex_match(file.path, names);
}

bool is_generated_by_a_tool(const source_file& file) {
    return name_of(file) == "package-lock.json";
}

TEST(source_rules, each_file_of_code_names_its_licence_at_its_top) {
    std::size_t judged = 0;
    for (const source_file& file : read_repository()) {
        if (!is_code(file)) continue;
        ++judged;
        const std::size_t top = std::min<std::size_t>(file.lines.size(), 2);
        EXPECT_TRUE(std::any_of(file.lines.begin(), file.lines.begin() + std::ptrdiff_t(top),
                                [](const std::string& line) {
                                    return line.find("SPDX-License-Identifier: BSL-1.0") !=
                                           std::string::npos;
                                }))
            << file.path << ": its first line must be the SPDX comment (second, after a #! line)";
    }
    EXPECT_GT(judged, 20u);
}

TEST(source_rules, no_file_names_a_place_on_a_developers_machine) {
    static const std::regex place(
        "(^|[^A-Za-z0-9_.-])/(work|root|home|Users|tmp|mnt|media)/[A-Za-z0-9_.-]+");
    EXPECT_TRUE(std::regex_search("see /home/someone/notes", place));
    EXPECT_FALSE(std::regex_search("https://example.org/home/page", place));
    for (const source_file& file : read_repository()) {
        if (is_generated_by_a_tool(file) || file.path.rfind("tests/house/", 0) == 0) continue;
        for (std::size_t i = 0; i != file.lines.size(); ++i) {
            EXPECT_FALSE(std::regex_search(file.lines[i], place))
                << file.path << ":" << i + 1 << ": " << file.lines[i];
        }
    }
}

TEST(source_rules, every_header_is_guarded_by_pragma_once) {
    for (const source_file& file : read_repository()) {
        if (file.path.size() < 4 || file.path.substr(file.path.size() - 4) != ".hpp") continue;
        EXPECT_EQ(std::count(file.lines.begin(), file.lines.end(), "#pragma once"), 1) << file.path;
    }
}

}  // namespace
}  // namespace freehold::house
