// SPDX-License-Identifier: BSL-1.0
// `freehold doctor`: prints what the machine is, and every reason for noise with its remedy.
#pragma once

#include <filesystem>
#include <vector>

namespace freehold {

struct doctor_options {
    std::vector<std::filesystem::path> labs;  // empty: those beside the program
};

/// The exit status, 0: a reason for noise is no error.
int doctor_command(const doctor_options& options);

}  // namespace freehold
