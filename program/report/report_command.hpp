// SPDX-License-Identifier: BSL-1.0
// `freehold report`: a page and a short answer, or tables, from result files.
#pragma once

#include "results/result_file.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct report_options {
    std::vector<std::string> files;
    std::optional<std::string> page;  // report.html in the current folder if none is named
    std::vector<std::string> suites;  // whose tables are printed
    bool all = false;                 // the tables of all suites, with every compiler
    bool aims = false;                // the project's own aims are printed, and no page is written
};

/// Writes the page; an existing file is replaced whole or not at all. Prints at most 60 lines
/// unless tables are asked for. Returns 0. Throws result_error for a file that cannot be read or a
/// suite that was not measured, and file_error for a page that cannot be written.
[[nodiscard]] int report_command(const report_options& options);

/// Writes the page of one file's results.
void write_page(const result_file& results, const std::filesystem::path& file,
                const std::filesystem::path& page);

}  // namespace freehold
