// SPDX-License-Identifier: BSL-1.0
// The files that a package installs with the program: its manual page, and its completions for bash
// and fish. All follow from the parsers of the commands.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace freehold {

/// The exit statuses of all commands. docs/commands.md has the same list.
extern const char exit_statuses[];

/// The manual page freehold(1), in the macros of man.
std::string man_page(const CLI::App& app, const std::string& version);

/// A script for bash. It completes `suites` where a suite is expected, and file names elsewhere.
std::string bash_completion(const CLI::App& app, const std::string& suites);

/// The same for fish.
std::string fish_completion(const CLI::App& app, const std::string& suites);

}  // namespace freehold
