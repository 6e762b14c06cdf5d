// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "owners/owners_report.hpp"

#include <cstddef>
#include <string>

namespace freehold {

/// Returns the report as text, with at most `top` types, rings and holders each.
std::string terminal_text(const owners_report& report, std::size_t top);

}  // namespace freehold
