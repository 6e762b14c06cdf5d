// SPDX-License-Identifier: BSL-1.0
// Compares result files: analyse/comparison.hpp judges each cell, and this code lists the reasons
// to doubt the comparison. If each side has several runs, their samples of a cell are judged
// together. Pure.
#pragma once

#include "report/model.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace freehold {

struct file_comparison {
    std::size_t slower = 0;  // or larger
    std::size_t faster = 0;  // or smaller
    std::size_t unchanged = 0;
    std::size_t too_noisy = 0;
    std::size_t appeared = 0;
    std::size_t disappeared = 0;

    std::vector<report_table> changes;  // one for each suite with changes, the worst first
    std::vector<report_table> lacking;  // cells that only one side has
    std::vector<report_table> noisy;    // cells with a change that is neither shown nor excluded
    std::vector<std::string> shifts;    // shifts of all cells that were measured together
    std::vector<std::string> doubts;    // differences between the two machines and builds

    /// 2 if there is a regression, otherwise 3 if a cell is too noisy to tell, otherwise 0.
    [[nodiscard]] int exit_status() const;

    /// One sentence with every count that is not zero.
    [[nodiscard]] std::string conclusion() const;
};

/// Two files that were measured directly one after the other.
struct run_pair {
    result_file base;
    result_file changed;
};

[[nodiscard]] file_comparison compare_files(std::span<const run_pair> runs);

/// Differences of environment, compilers and settings that can be the cause of a changed figure.
[[nodiscard]] std::vector<std::string> environment_differences(const result_file& base,
                                                               const result_file& changed);

}  // namespace freehold
