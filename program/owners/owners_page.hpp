// SPDX-License-Identifier: BSL-1.0
// What was found, as the page of `freehold owners -o`.
#pragma once

#include "owners/owners_report.hpp"
#include "report/model.hpp"

#include <string>

namespace freehold {

/// `created` is the time in the form of ISO 8601.
[[nodiscard]] report_model owners_page(const owners_report& report, const std::string& created);

}  // namespace freehold
