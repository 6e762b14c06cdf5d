// SPDX-License-Identifier: BSL-1.0
// Figures that are computed from measured ones, under keys of their own: a fitted line's two
// coefficients, and the parts of what a line of memory costs.
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
    std::optional<estimate> at_zero;  // as measured at size 0

    /// Whether the medians do not lie on the line: R² below 0.99 though the slope is no zero, or
    /// the time at size 0 is another.
    [[nodiscard]] bool bends() const;
};

/// Nothing below three sizes.
[[nodiscard]] std::optional<fitted_line> fit_of(const suite_figures& figures, const setting& where,
                                                const subject_row& row,
                                                const std::string& test_case);

/// Adds the figures of `spec`: CASE.start, CASE.slope and CASE.r_squared of a fit, and
/// CASE.plausible where the start can be what making an owner takes; CASE.copy, CASE.zeroed and
/// CASE.kernel of shares.
void derive(suite_figures& figures, const derived_spec& spec);

/// The keys that derive() adds.
[[nodiscard]] std::vector<std::string> derived_cases(const derived_spec& spec);

/// Where a fitted start must not be believed, with what was measured in its place.
[[nodiscard]] std::vector<std::string> fit_notes(const suite_figures& figures,
                                                 const derived_spec& spec);

}  // namespace freehold
