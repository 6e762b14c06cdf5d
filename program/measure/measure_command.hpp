// SPDX-License-Identifier: BSL-1.0
// `freehold measure`: runs the labs one suite after another, and saves the result file after each.
#pragma once

#include "results/result_file.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct measure_options {
    std::vector<std::string> suites;  // empty: every suite that a lab has
    std::string mode = "default";     // or "quick" or "full"
    std::optional<std::string> filter;
    std::optional<std::filesystem::path> output;
    std::vector<std::filesystem::path> labs;  // empty: those beside the program
    /// Called after each suite with the content of the file and its path. May be empty.
    std::function<void(const result_file&, const std::filesystem::path&)> after_suite;
};

/// Returns the exit status: 0, or 1 after an interrupt. Throws an exception with one line on every
/// error. The file then has the suites that were finished before.
int measure_command(const measure_options& options);

}  // namespace freehold
