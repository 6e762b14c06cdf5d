// SPDX-License-Identifier: BSL-1.0
// Figures that are computed from measured ones and have their own keys: a fitted line's two
// coefficients, and the parts of the cost of a line of memory.
#pragma once

#include "report/sections/page_spec.hpp"
#include "report/sections/suite_figures.hpp"

#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// The least-squares line through the medians of a case over its sizes.
struct fitted_line {
    plot_line line;
    estimate start;  // at size 0, with two standard deviations
    estimate slope;  // for each step, with two standard deviations
    double r_squared = 0;
    std::optional<estimate> at_zero;  // the measured time at size 0

    /// Whether the medians are not on the line: R² is below 0.99 though the slope is not zero, or
    /// the time at size 0 differs from the line.
    [[nodiscard]] bool bends() const;
};

/// Empty if there are fewer than three sizes.
[[nodiscard]] std::optional<fitted_line> fit_of(const suite_figures& figures, const setting& where,
                                                const subject_row& row,
                                                const std::string& test_case);

/// Adds the figures of `spec`. A fit gives CASE.start, CASE.slope and CASE.r_squared, and
/// CASE.plausible if the start can be the time to make an owner. Shares give CASE.copy, CASE.zeroed
/// and CASE.kernel.
void derive(suite_figures& figures, const derived_spec& spec);

/// The keys that derive() adds.
[[nodiscard]] std::vector<std::string> derived_cases(const derived_spec& spec);

/// Says which fitted starts are wrong, and gives the measured values.
[[nodiscard]] std::vector<std::string> fit_notes(const suite_figures& figures,
                                                 const derived_spec& spec);

}  // namespace freehold
