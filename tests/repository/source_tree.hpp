// SPDX-License-Identifier: BSL-1.0
// The repository's own text files, for the tests that read them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace freehold::repository {

struct source_file {
    std::string path;  // relative to the root, with '/'
    std::vector<std::string> lines;
};

// Every file below those of `folders` that exist in `root` and every file of `root` itself, binary
// files and node_modules left out, in the order of their paths.
std::vector<source_file> read_source_tree(const std::filesystem::path& root,
                                          const std::vector<std::string>& folders);

// The repository that this test was built from.
std::vector<source_file> read_repository();

}  // namespace freehold::repository
