// SPDX-License-Identifier: BSL-1.0
// Everything that covers several suites, as overview.json and aims.json describe it: the headline
// ratios, the recommended handles, and the project's own aims.
#pragma once

#include "report/sections/section.hpp"

#include <optional>
#include <vector>

namespace freehold {

/// At most ten ratios of two subjects, from the first setting that measured both: those of
/// overview.json, and the worst ratios of Freehold's own subjects, marked as unfavourable.
[[nodiscard]] std::vector<headline> headlines_of(all_figures& figures);

/// The first section: the recommended handle for each need, chosen by the measurements on this
/// machine, and the cost of each step in the life of an owner. Empty if neither construction nor
/// operations were measured.
[[nodiscard]] std::optional<report_section> sharing_section(all_figures& figures,
                                                            bool every_compiler);

/// The project's aims beside the measured figures. One table for each suite that has aims.
[[nodiscard]] std::vector<report_table> aims_of(all_figures& figures);

/// The subjects and suites that were not or could not be measured, each with its remedy.
[[nodiscard]] std::vector<warning> left_out(const std::vector<setting>& settings);

}  // namespace freehold
