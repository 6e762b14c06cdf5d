// SPDX-License-Identifier: BSL-1.0
// What every file has to have: a licence line; a header, its guard.
#include "repository/source_tree.hpp"

#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

namespace freehold::repository::source_rules_test {
namespace {

bool is_code(const source_file& file) {
    static const std::regex names(
        ".*\\.(hpp|cpp|cmake|js|mjs|css|sh)|(.*/)?CMakeLists\\.txt|scripts/.*|\\.ci/.*");
    return std::regex_match(file.path, names);
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

TEST(source_rules, every_header_is_guarded_by_pragma_once) {
    for (const source_file& file : read_repository()) {
        if (file.path.size() < 4 || file.path.substr(file.path.size() - 4) != ".hpp") continue;
        EXPECT_EQ(std::count(file.lines.begin(), file.lines.end(), "#pragma once"), 1) << file.path;
    }
}

}  // namespace
}  // namespace freehold::repository::source_rules_test
