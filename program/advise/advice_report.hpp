// SPDX-License-Identifier: BSL-1.0
// The advice as a report. The terminal and the page show the same, as they do for measurements.
#pragma once

#include "advise/advice.hpp"
#include "report/model.hpp"

#include <string>

namespace freehold {

struct advice_origin {
    std::string trace;    // as the user named it
    std::string created;  // when the advice was given
};

/// Pure.
[[nodiscard]] report_model advice_report(const advice& given, const advice_origin& origin);

/// The sections of the report, in their order.
[[nodiscard]] report_section sizes_section(const advice& given);
[[nodiscard]] report_section lifetimes_section(const advice& given);
[[nodiscard]] report_section front_section(const advice& given);
[[nodiscard]] report_section recommendation_section(const advice& given);

}  // namespace freehold
