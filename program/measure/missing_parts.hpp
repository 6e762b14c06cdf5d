// SPDX-License-Identifier: BSL-1.0
// What freehold could also measure if more were installed: compilers, subjects, the disassembler.
#pragma once

#include "measure/lab.hpp"

#include <string>
#include <vector>

namespace freehold {

/// `search_path` is a list of folders, in the format of the environment variable PATH.
[[nodiscard]] std::vector<warning> missing_parts(const std::vector<lab>& labs,
                                                 const std::string& search_path);
/// Uses the PATH of this process.
[[nodiscard]] std::vector<warning> missing_parts(const std::vector<lab>& labs);

}  // namespace freehold
