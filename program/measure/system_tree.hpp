// SPDX-License-Identifier: BSL-1.0
// The files below /proc and /sys that describe the machine. The root can be a folder with copies of
// them: that is how the tests describe machines that they do not run on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

class system_tree {
public:
    explicit system_tree(std::filesystem::path root = "/") : root_(std::move(root)) {}

    /// The file without the white space around it; nothing if it is not there or is empty.
    [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
    [[nodiscard]] std::optional<double> number(const std::string& path) const;

    /// What follows `name` and a colon on the first line that begins with it, as in /proc/cpuinfo.
    [[nodiscard]] std::optional<std::string> field(const std::string& path,
                                                   const std::string& name) const;

    /// The entries of a folder, sorted; none if it is not there.
    [[nodiscard]] std::vector<std::string> entries(const std::string& folder) const;

    [[nodiscard]] bool exists(const std::string& path) const;

private:
    std::filesystem::path root_;
};

/// How many processors a list such as `0-3,8` names.
[[nodiscard]] int count_of_processors(const std::string& list);

}  // namespace freehold
