// SPDX-License-Identifier: BSL-1.0
// `freehold measure`: runs the labs suite by suite and keeps the result file up to date.
#pragma once

#include "measure/schedule.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct measure_options {
    std::vector<std::string> suites;  // empty: every suite that a lab has
    measure_mode mode = measure_mode::standard;
    std::optional<std::string> filter;
    std::optional<std::filesystem::path> output;
    std::vector<std::filesystem::path> labs;  // empty: those beside the program
};

/// The exit status: 0, or 1 after an interrupt. Throws on every error, with one line that says it;
/// the suites that were finished by then are in the file.
int measure_command(const measure_options& options);

}  // namespace freehold
