// SPDX-License-Identifier: BSL-1.0
// Where the labs are: `lab/COMPILER/freehold-lab` beside the program in a build tree,
// `libexec/freehold/COMPILER/freehold-lab` below the prefix of an installation.
#pragma once

#include <filesystem>
#include <vector>

namespace freehold {

/// The labs in the first of the two places that has any: g++ first, the others sorted by name.
/// Empty if neither place has a lab.
[[nodiscard]] std::vector<std::filesystem::path> find_labs(
    const std::filesystem::path& program_folder);

}  // namespace freehold
