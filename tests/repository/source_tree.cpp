// SPDX-License-Identifier: BSL-1.0
#include "repository/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace freehold::repository {

namespace {

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

void add_file(const std::filesystem::path& root, const std::filesystem::path& path,
              std::vector<source_file>& files) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " + path.string());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (text.find('\0') != std::string::npos) return;
    files.push_back({path.lexically_relative(root).generic_string(), split_lines(text)});
}

}  // namespace

std::vector<source_file> read_source_tree(const std::filesystem::path& root,
                                          const std::vector<std::string>& folders) {
    using std::filesystem::directory_iterator;
    using std::filesystem::recursive_directory_iterator;
    std::vector<source_file> files;
    for (const auto& entry : directory_iterator(root)) {
        // Which is a file in a worktree of git's.
        if (entry.path().filename() == ".git") continue;
        if (entry.is_regular_file()) add_file(root, entry.path(), files);
    }
    for (const std::string& folder : folders) {
        if (!exists(root / folder)) continue;
        for (recursive_directory_iterator it(root / folder), end; it != end; ++it) {
            if (it->is_directory() && it->path().filename() == "node_modules") {
                it.disable_recursion_pending();
            } else if (it->is_regular_file()) {
                add_file(root, it->path(), files);
            }
        }
    }
    std::sort(files.begin(), files.end(),
              [](const source_file& a, const source_file& b) { return a.path < b.path; });
    return files;
}

std::vector<source_file> read_repository() {
    return read_source_tree(FREEHOLD_SOURCE_DIR,
                            {".ci", "cmake", "docs", "examples", "include", "lab", "packaging",
                             "program", "scripts", "tests"});
}

}  // namespace freehold::repository
