// SPDX-License-Identifier: BSL-1.0
// `freehold compare BEFORE AFTER` of two files of `freehold handles`: the changes by type and by
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

/// Compares two runs. Both get the costs that were measured with the first one, so only the counts
/// make a difference. A line may move within its function. It is recognised if the function counts
/// owners of this type at as many lines as before.
[[nodiscard]] handles_comparison compare_runs(const handles_run& before, const handles_run& after);

/// Returns 0, or 2 if counting takes longer than before. Throws handles_error.
[[nodiscard]] int compare_handles_command(const std::filesystem::path& before,
                                          const std::filesystem::path& after);

}  // namespace freehold
