// SPDX-License-Identifier: BSL-1.0
// Measuring goes on in a file that was begun before, if it would have been begun the same way.
#pragma once

#include "results/result_file.hpp"

#include <filesystem>

namespace freehold {

/// `fresh` if there is no file yet, else what the file holds. Throws result_error if that was
/// measured in another way: mode, filter, library, labs with their compilers, flags and peers, or
/// machine.
[[nodiscard]] result_file begin_or_continue(const std::filesystem::path& path, result_file fresh);

}  // namespace freehold
