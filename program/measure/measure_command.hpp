// SPDX-License-Identifier: BSL-1.0
// `freehold measure`: runs the labs suite by suite and keeps the result file up to date.
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
    /// Called with what the file holds and its path whenever a suite was measured; may be empty.
    std::function<void(const result_file&, const std::filesystem::path&)> after_suite;
};

/// The exit status: 0, or 1 after an interrupt. Throws on every error, with one line that says it;
/// the suites that were finished by then are in the file.
int measure_command(const measure_options& options);

}  // namespace freehold
