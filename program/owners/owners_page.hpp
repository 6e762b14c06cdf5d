// SPDX-License-Identifier: BSL-1.0
// What was found, as the page of `freehold owners -o`.
#pragma once

#include "owners/owners_report.hpp"
#include "report/model.hpp"

#include <cstddef>
#include <string>

namespace freehold {

// Of types, rings and holders.
constexpr std::size_t most_rows_of_page = 500;

/// `created` is the time in the form of ISO 8601.
[[nodiscard]] report_model owners_page(const owners_report& report, const std::string& created);

}  // namespace freehold
