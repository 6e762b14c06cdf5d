// SPDX-License-Identifier: BSL-1.0
// `freehold handles`: runs a program under Valgrind, and says which lines count owners how often.
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
    std::filesystem::path describe;  // a table of handles besides the built-in one; or empty
    bool children = false;           // programs that it starts are counted as well
    bool plain_run = false;          // it runs without Valgrind before, for its run time
    bool sample = false;             // it runs without Valgrind, and is sampled
};

/// 0 if the program was counted, whatever its own exit status. Throws handles_error if it cannot
/// be.
int handles_command(const handles_options& options);

}  // namespace freehold
