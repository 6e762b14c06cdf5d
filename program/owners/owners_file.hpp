// SPDX-License-Identifier: BSL-1.0
// What was found, as JSON. docs/owners.md describes it.
#pragma once

#include "owners/owners_report.hpp"

#include <filesystem>

namespace freehold {

void save_owners(const owners_report& report, const std::filesystem::path& file);

}  // namespace freehold
