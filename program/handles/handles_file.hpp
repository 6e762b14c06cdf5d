// SPDX-License-Identifier: BSL-1.0
// The file of a run of `freehold handles`. docs/handles.md says what is in it.
#pragma once

#include "handles/advice.hpp"
#include "handles/handles_run.hpp"

#include <filesystem>

namespace freehold {

/// Throws file_error.
void save_run(const handles_run& run, const given_advice& advice,
              const std::filesystem::path& file);

/// Whether the file says that it is one.
[[nodiscard]] bool is_handles_file(const std::filesystem::path& file);

/// The run; its pairs are left out. Throws handles_error if it cannot be read or is no such file.
[[nodiscard]] handles_run load_run(const std::filesystem::path& file);

}  // namespace freehold
