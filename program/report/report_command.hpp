// SPDX-License-Identifier: BSL-1.0
// `freehold report`: writes a page and prints a summary, or prints tables, from result files.
#pragma once

#include "results/result_file.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct report_options {
    std::vector<std::string> files;
    std::optional<std::string> page;  // default: report.html in the current folder
    std::vector<std::string> suites;  // suites to print as tables
    bool all = false;                 // print the tables of all suites, with every compiler
    bool aims = false;                // print the project's own aims, and write no page
};

/// Writes the page. Replaces an existing file completely or not at all. Prints at most 60 lines
/// unless the user asks for tables. Returns 0. Throws result_error for a file that cannot be read
/// or a suite that was not measured. Throws file_error for a page that cannot be written.
[[nodiscard]] int report_command(const report_options& options);

/// Writes the page of one file's results.
void write_page(const result_file& results, const std::filesystem::path& file,
                const std::filesystem::path& page);

}  // namespace freehold
