// SPDX-License-Identifier: BSL-1.0
// Where the labs are: `lab/COMPILER/freehold-lab` beside the program in a build tree,
// `libexec/freehold/COMPILER/freehold-lab` of the prefix that it is installed in.
#pragma once

#include <filesystem>
#include <vector>

namespace freehold {

/// Those of the first of the two places that has any, g++ first, then by name; none if neither has.
[[nodiscard]] std::vector<std::filesystem::path> find_labs(
    const std::filesystem::path& program_folder);

}  // namespace freehold
