// SPDX-License-Identifier: BSL-1.0
// <freehold/freehold.hpp> is the whole library: it leads to every public header but those of
// freehold::s3 and freehold::arrow, which take libraries of others, and the former paths in cache/.
#include "repository/source_tree.hpp"

#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

namespace freehold::repository::whole_library_test {
namespace {

using header_includes = std::map<std::string, std::vector<std::string>>;

header_includes read_headers() {
    static const std::regex include_line("#include <(freehold/[^>]+)>");
    header_includes headers;
    for (const source_file& file : read_repository()) {
        if (file.path.rfind("include/", 0) != 0 || file.path.find(".hpp") == std::string::npos) {
            continue;
        }
        std::vector<std::string>& includes = headers[file.path.substr(8)];
        for (const std::string& line : file.lines) {
            std::smatch match;
            if (std::regex_match(line, match, include_line)) includes.push_back(match[1]);
        }
    }
    return headers;
}

TEST(whole_library, is_reached_from_one_header) {
    const header_includes headers = read_headers();
    std::set<std::string> reached;
    std::vector<std::string> ahead = {"freehold/freehold.hpp"};
    while (!ahead.empty()) {
        const std::string header = ahead.back();
        ahead.pop_back();
        if (!reached.insert(header).second) continue;
        const auto found = headers.find(header);
        ASSERT_NE(found, headers.end()) << "there is no " << header;
        ahead.insert(ahead.end(), found->second.begin(), found->second.end());
    }
    for (const auto& [header, includes] : headers) {
        if (header.rfind("freehold/line/s3_", 0) == 0) continue;
        if (header.rfind("freehold/line/arrow_", 0) == 0) continue;
        if (header.rfind("freehold/cache/", 0) == 0) continue;
        EXPECT_EQ(reached.count(header), 1u)
            << header << ": freehold/freehold.hpp does not lead to it";
    }
}

}  // namespace
}  // namespace freehold::repository::whole_library_test
