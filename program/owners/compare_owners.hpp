// SPDX-License-Identifier: BSL-1.0
// `freehold compare BEFORE AFTER` of two files of `freehold owners`: what grew.
#pragma once

#include <filesystem>

namespace freehold {

/// Returns 0, or 2 if more objects of a type leak than before. Throws owners_error.
[[nodiscard]] int compare_owners_command(const std::filesystem::path& before,
                                         const std::filesystem::path& after);

}  // namespace freehold
