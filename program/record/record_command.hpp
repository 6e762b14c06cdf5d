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

/// The command's exit status, as a shell gives it; 1 if it succeeds and its recording does not. A
/// recording ends before its command when the disk is nearly full.
/// Throws record_error if nothing can be recorded; the command is then not run.
int record_command(const record_options& options);

}  // namespace freehold
