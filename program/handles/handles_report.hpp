// SPDX-License-Identifier: BSL-1.0
// The report's model of a run of `freehold handles`, for the page.
#pragma once

#include "handles/advice.hpp"
#include "handles/handles_run.hpp"
#include "report/model.hpp"

#include <string>

namespace freehold {

/// Reads the source files for the lines that it shows. `created` is a time in ISO 8601.
[[nodiscard]] report_model handles_report(const handles_run& run, const given_advice& advice,
                                          const std::string& created);

}  // namespace freehold
