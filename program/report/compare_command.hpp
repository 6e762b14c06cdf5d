// SPDX-License-Identifier: BSL-1.0
// `freehold compare BASE NEW [BASE NEW]...`: prints what changed between result files.
#pragma once

#include "report/compare_files.hpp"
#include "report/terminal.hpp"

#include <iosfwd>
#include <span>
#include <string>
#include <utility>

namespace freehold {

/// Takes pairs of a base and the file that is judged. `all` also lists the cells that only one of
/// them has. Returns 0 if there is no regression, 2 if
/// something became slower or larger, and 3 if no regression was found but some cell was too noisy
/// to tell. Throws result_error for a file that cannot be read.
[[nodiscard]] int compare_command(std::span<const std::pair<std::string, std::string>> files,
                                  bool all);

void print_comparison(std::ostream& out, const file_comparison& found, bool all,
                      const terminal_style& style);

}  // namespace freehold
