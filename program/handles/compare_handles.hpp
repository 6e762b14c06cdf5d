// SPDX-License-Identifier: BSL-1.0
// `freehold compare BEFORE AFTER` of two files of `freehold handles`: what changed, by type and by
// line.
#pragma once

#include "handles/handles_run.hpp"
#include "report/model.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

struct handles_comparison {
    std::vector<std::string> findings;
    report_table types;
    report_table lines;
    bool is_regression = false;  // counting takes more than a hundredth longer
};

/// Both runs are priced by the first one's costs, so that only what was counted makes a difference.
/// A line that moved within its function is the same if the function counts at as many lines of
/// this type as before.
[[nodiscard]] handles_comparison compare_runs(const handles_run& before, const handles_run& after);

/// 0, or 2 if counting takes longer than before. Throws handles_error.
[[nodiscard]] int compare_handles_command(const std::filesystem::path& before,
                                          const std::filesystem::path& after);

}  // namespace freehold
