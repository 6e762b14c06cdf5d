// SPDX-License-Identifier: BSL-1.0
// Result files side by side: each cell judged by analyse/comparison.hpp, and what makes the
// comparison doubtful. Of several runs of each side, those of a cell are judged together. Pure.
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

    std::vector<report_table> changes;  // one for each suite that has any
    std::vector<report_table> noisy;    // what could be neither shown nor excluded
    std::vector<std::string> shifts;    // what moved everything that was measured together
    std::vector<std::string> doubts;    // differences between the two machines and builds

    /// 2 for a regression, else 3 if anything is too noisy to tell, else 0.
    [[nodiscard]] int exit_status() const;

    /// One sentence with every count that is not zero.
    [[nodiscard]] std::string conclusion() const;
};

/// Two files that were measured one after the other.
struct run_pair {
    result_file base;
    result_file changed;
};

[[nodiscard]] file_comparison compare_files(std::span<const run_pair> runs);

/// Differences of the environment, the compilers and the settings that a change of a figure may
/// come from.
[[nodiscard]] std::vector<std::string> environment_differences(const result_file& base,
                                                               const result_file& changed);

}  // namespace freehold
