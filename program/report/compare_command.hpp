// SPDX-License-Identifier: BSL-1.0
// `freehold compare BASE NEW`: what changed between two result files, on standard output.
#pragma once

#include "report/compare_files.hpp"
#include "report/terminal.hpp"

#include <iosfwd>
#include <string>

namespace freehold {

/// 0: no regression; 2: something became slower or larger; 3: no regression was found, but some
/// cell was too noisy to tell. Throws result_error for a file that cannot be read.
[[nodiscard]] int compare_command(const std::string& base, const std::string& changed);

void print_comparison(std::ostream& out, const file_comparison& found, const terminal_style& style);

}  // namespace freehold
