// SPDX-License-Identifier: BSL-1.0
// The files below /proc and /sys that describe the machine. The root can be a folder with copies of
// them, so that the tests can describe other machines.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

class system_tree {
public:
    explicit system_tree(std::filesystem::path root = "/") : root_(std::move(root)) {}

    /// The content of the file without white space at its ends. No value if the file is absent or
    /// empty.
    [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
    [[nodiscard]] std::optional<double> number(const std::string& path) const;

    /// The text after `name` and a colon on the first line that begins with `name`, as in
    /// /proc/cpuinfo.
    [[nodiscard]] std::optional<std::string> field(const std::string& path,
                                                   const std::string& name) const;

    /// The entries of a folder, sorted. Empty if the folder is absent.
    [[nodiscard]] std::vector<std::string> entries(const std::string& folder) const;

    [[nodiscard]] bool exists(const std::string& path) const;

private:
    std::filesystem::path root_;
};

/// The number of processors in a list such as `0-3,8`.
[[nodiscard]] int count_of_processors(const std::string& list);

}  // namespace freehold
