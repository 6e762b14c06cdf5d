// SPDX-License-Identifier: BSL-1.0
// Figures that are computed from measured ones and have their own keys: what each step of a case
// over sizes costs, and the parts of the cost of a line of memory.
#pragma once

#include "report/sections/page_spec.hpp"
#include "report/sections/suite_figures.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// What a case costs that was measured over sizes, the smallest of which is 0.
struct size_costs {
    /// At size 0, as it was measured.
    estimate start;
    /// By size: what one step costs between the next smaller size and this one.
    std::map<std::int64_t, estimate> steps;
    /// The line of least squares through the times after the first. Its slope has two standard
    /// errors. Empty if any of these times is off the line by more than 3 % and more than its own
    /// interval.
    std::optional<plot_line> line;
    estimate slope;

    /// What a further step costs: the slope of the line, or else the cost of a step to the largest
    /// size.
    [[nodiscard]] const estimate& step() const;
};

/// Empty if the smallest size is not 0, or if there are fewer than three others.
[[nodiscard]] std::optional<size_costs> costs_of(const suite_figures& figures, const setting& where,
                                                 const subject_row& row,
                                                 const std::string& test_case);

/// Adds the figures of `spec`. A fit is CASE.start, CASE.slope and, for each size of `spec.at`,
/// CASE.step.SIZE. Shares are CASE.copy, CASE.zeroed and CASE.kernel.
void derive(suite_figures& figures, const derived_spec& spec);

/// The keys that derive() adds.
[[nodiscard]] std::vector<std::string> derived_cases(const derived_spec& spec);

/// Says which subjects' times are not on a line.
[[nodiscard]] std::vector<std::string> notes_on_lines(const suite_figures& figures,
                                                      const derived_spec& spec);

}  // namespace freehold
