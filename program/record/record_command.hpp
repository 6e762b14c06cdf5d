// SPDX-License-Identifier: BSL-1.0
// `freehold record`: runs a program under LTTng-UST's wrapper of the C library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

struct record_options {
    std::filesystem::path output;
    std::vector<std::string> command;
};

/// Returns the command's exit status, in the form that a shell gives it. Returns 1 if the command
/// succeeds and its recording fails. A recording ends before its command if the disk is nearly
/// full.
/// Throws record_error if nothing can be recorded. The command is then not run.
int record_command(const record_options& options);

}  // namespace freehold
