// SPDX-License-Identifier: BSL-1.0
// `freehold compare BASE NEW [BASE NEW]...`: what changed between result files, on standard output.
#pragma once

#include "report/compare_files.hpp"
#include "report/terminal.hpp"

#include <iosfwd>
#include <span>
#include <string>
#include <utility>

namespace freehold {

/// Takes pairs of a base and what is judged. 0: no regression; 2: something became slower or
/// larger; 3: no regression was found, but some cell was too noisy to tell. Throws result_error for
/// a file that cannot be read.
[[nodiscard]] int compare_command(std::span<const std::pair<std::string, std::string>> files);

void print_comparison(std::ostream& out, const file_comparison& found, const terminal_style& style);

}  // namespace freehold
