// SPDX-License-Identifier: BSL-1.0
// What spans suites, as overview.json and aims.json describe it: the headline ratios, which handle
// to take, and the aims that the project has set itself.
#pragma once

#include "report/sections/section.hpp"

#include <optional>
#include <vector>

namespace freehold {

/// At most ten ratios of two subjects, from the first setting that measured both: those of
/// overview.json, and the worst that Freehold's own subjects have, marked as unfavourable.
[[nodiscard]] std::vector<headline> headlines_of(all_figures& figures);

/// The first section: what to take for which need, chosen by what was measured here, and the cost
/// of each step in the life of an owner. Nothing where neither construction nor operations were
/// measured.
[[nodiscard]] std::optional<report_section> sharing_section(all_figures& figures,
                                                            bool every_compiler);

/// The project's aims beside what was measured, one table for each suite that has any.
[[nodiscard]] std::vector<report_table> aims_of(all_figures& figures);

/// The subjects and suites that could not be measured or were not, each with what adds it.
[[nodiscard]] std::vector<warning> left_out(const std::vector<setting>& settings);

}  // namespace freehold
