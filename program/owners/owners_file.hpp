// SPDX-License-Identifier: BSL-1.0
// What was found, as JSON. docs/owners.md describes it.
#pragma once

#include "owners/owners_error.hpp"
#include "owners/owners_report.hpp"

#include <filesystem>

namespace freehold {

/// Throws file_error.
void save_owners(const owners_report& report, const std::filesystem::path& file);

/// Returns whether the file's format is that of `freehold owners`.
[[nodiscard]] bool is_owners_file(const std::filesystem::path& file);

/// Reads types and rings. Throws owners_error if the file cannot be read, or has another format.
[[nodiscard]] owners_report load_owners(const std::filesystem::path& file);

}  // namespace freehold
