// SPDX-License-Identifier: BSL-1.0
// `freehold report FILE... [-o report.html]`: the tables on standard output and the page in a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// Writes the page to `html_output`, or to report.html in the current folder if none is named; an
/// existing file is replaced whole or not at all. Returns 0. Throws result_error for a file that
/// cannot be read and file_error for a page that cannot be written.
[[nodiscard]] int report_command(std::vector<std::string> files,
                                 std::optional<std::string> html_output);

}  // namespace freehold
