// SPDX-License-Identifier: BSL-1.0
// A run of `freehold handles` as the report's model, for the page.
#pragma once

#include "handles/advice.hpp"
#include "handles/handles_run.hpp"
#include "report/model.hpp"

#include <string>

namespace freehold {

/// Reads the source files that it shows lines of. `created` is a time, ISO 8601.
[[nodiscard]] report_model handles_report(const handles_run& run, const given_advice& advice,
                                          const std::string& created);

}  // namespace freehold
