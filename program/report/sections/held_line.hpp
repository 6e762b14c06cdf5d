// SPDX-License-Identifier: BSL-1.0
// What the operation test says of one competitor: the time to hold a pointee against the number of
// copies, and the line through it, whose intercept is the initialisation and whose slope is the
// copy.
#pragma once

#include "report/sections/settings.hpp"

#include <optional>
#include <vector>

namespace freehold {

struct held_line {
    contender who;
    std::vector<plot_point> points;
    std::optional<plot_line> line;  // nothing for fewer than three sizes
    estimate initialisation;        // with two standard errors of the fit
    estimate copy;
    double r_squared = 0;
    std::optional<estimate> at_zero;  // as measured without a copy

    /// Whether the times do not lie on the line: it misses the one without a copy, or explains too
    /// little of a copy's time (none can be explained where a copy costs nothing). Its intercept
    /// then is no initialisation.
    [[nodiscard]] bool bends() const;
};

/// Whether a fitted initialisation can be what its name says: surely above zero, and no less than a
/// raw pointer's, which nothing can undercut. Others owe it to a bend or to noise.
[[nodiscard]] bool is_plausible_initialisation(const held_line& held, const held_line* raw);

/// Nothing if the setting did not measure it.
[[nodiscard]] std::optional<held_line> held_line_of(const setting& where, const contender& who);

/// All that the setting measured, its references of both processes included.
[[nodiscard]] std::vector<held_line> held_lines_of(const setting& where,
                                                   const std::vector<contender>& contenders);

[[nodiscard]] const held_line* find_line(const std::vector<held_line>& lines, const contender& who);

/// A line of the reference `name`, of the contender's own process where there is one.
[[nodiscard]] const held_line* find_reference(const std::vector<held_line>& lines,
                                              const contender& who, const std::string& name);

}  // namespace freehold
