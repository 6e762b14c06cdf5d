// SPDX-License-Identifier: BSL-1.0
// The result file of a run of `freehold handles`. docs/handles.md describes it.
#pragma once

#include "handles/advice.hpp"
#include "handles/handles_run.hpp"

#include <filesystem>

namespace freehold {

/// Writes the file. Throws file_error.
void save_run(const handles_run& run, const given_advice& advice,
              const std::filesystem::path& file);

/// Returns whether the file's format is that of `freehold handles`.
[[nodiscard]] bool is_handles_file(const std::filesystem::path& file);

/// Reads a run, without its pairs. Throws handles_error if the file cannot be read, or has another
/// format.
[[nodiscard]] handles_run load_run(const std::filesystem::path& file);

}  // namespace freehold
