// SPDX-License-Identifier: BSL-1.0
// `freehold handles`: runs a program under Valgrind, and reports how often each line counts owners.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct handles_options {
    std::vector<std::string> command;
    std::optional<std::filesystem::path> json;
    std::optional<std::filesystem::path> page;
    std::filesystem::path describe;  // an additional table of handles, or empty
    bool children = false;           // also count the programs that it starts
    bool plain_run = false;          // first run it without Valgrind, for its run time
    bool sample = false;             // run it without Valgrind, and sample it
};

/// Returns 0 if the program was counted, whatever its exit status. Otherwise it throws
/// handles_error.
int handles_command(const handles_options& options);

}  // namespace freehold
