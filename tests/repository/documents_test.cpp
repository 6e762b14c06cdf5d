// SPDX-License-Identifier: BSL-1.0
// Each link and each picture in the documents that is not on the network is in the repository.
#include "repository/source_tree.hpp"

#include <filesystem>
#include <regex>

#include <gtest/gtest.h>

namespace freehold::repository::documents_test {
namespace {

std::vector<std::string> local_targets(const std::string& line) {
    static const std::regex link("\\]\\(([^)#]+)(#[^)]*)?\\)|src(?:set)?=\"([^\"]+)\"");
    std::vector<std::string> targets;
    for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[3];
        if (target.find("://") == std::string::npos) targets.push_back(target);
    }
    return targets;
}

TEST(documents, links_are_recognised) {
    using targets = std::vector<std::string>;
    EXPECT_EQ(local_targets("see [a](docs/a.md#part) and [b](b.md)"),
              (targets{"docs/a.md", "b.md"}));
    EXPECT_EQ(local_targets("<img alt=\"x\" src=\"docs/x.png\">"), targets{"docs/x.png"});
    EXPECT_EQ(local_targets("[c](https://example.org/c.md)"), targets{});
}

TEST(documents, every_local_link_and_picture_exists) {
    const std::filesystem::path root = FREEHOLD_SOURCE_DIR;
    std::size_t judged = 0;
    for (const source_file& file : read_repository()) {
        if (file.path.size() < 3 || file.path.substr(file.path.size() - 3) != ".md") continue;
        bool in_code = false;
        for (std::size_t i = 0; i != file.lines.size(); ++i) {
            if (file.lines[i].rfind("```", 0) == 0) in_code = !in_code;
            if (in_code) continue;
            for (const std::string& target : local_targets(file.lines[i])) {
                ++judged;
                EXPECT_TRUE(exists((root / file.path).parent_path() / target))
                    << file.path << ":" << i + 1 << ": there is no " << target;
            }
        }
    }
    EXPECT_GT(judged, 5u);
}

}  // namespace
}  // namespace freehold::repository::documents_test
