// SPDX-License-Identifier: BSL-1.0
// `freehold doctor`: prints facts about the machine, and every reason for noise with its remedy.
#pragma once

#include <filesystem>
#include <vector>

namespace freehold {

struct doctor_options {
    std::vector<std::filesystem::path> labs;  // empty: those beside the program
};

/// Returns the exit status 0, because a reason for noise is not an error.
int doctor_command(const doctor_options& options);

}  // namespace freehold
