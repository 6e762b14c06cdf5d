// SPDX-License-Identifier: BSL-1.0
#include "report/sections/held_line.hpp"

#include "analyse/line_fit.hpp"

#include <algorithm>

namespace freehold {

bool held_line::bends() const {
    constexpr double straight = 0.99;
    if (!line) return false;
    if (at_zero && !overlap(*at_zero, initialisation)) return true;
    return r_squared < straight && !overlap(copy, {0, {0, 0}});
}

bool is_plausible_initialisation(const held_line& held, const held_line* raw) {
    if (!held.line || !(held.initialisation.bounds.low > 0)) return false;
    return raw == nullptr || !raw->line || held.initialisation.value >= raw->initialisation.value;
}

std::optional<held_line> held_line_of(const setting& where, const contender& who) {
    held_line held;
    held.who = who;
    std::vector<double> x;
    std::vector<double> y;
    for (const auto* cell : find_sizes(where, "operations", who, "hold")) {
        if (!cell->n) continue;
        const auto time = estimate_of(*cell);
        x.push_back(static_cast<double>(*cell->n));
        y.push_back(time.value);
        if (*cell->n == 0) held.at_zero = time;
        held.points.push_back(
            {.x = x.back(), .y = y.back(), .low = time.bounds.low, .high = time.bounds.high});
    }
    if (held.points.empty()) return std::nullopt;
    if (x.size() >= 3) {
        const auto fit = analyse::fit_line(x, y);
        held.line = plot_line{fit.intercept, fit.slope};
        held.initialisation = with_error(fit.intercept, 2 * fit.intercept_error);
        held.copy = with_error(fit.slope, 2 * fit.slope_error);
        held.r_squared = fit.r_squared;
    }
    return held;
}

std::vector<held_line> held_lines_of(const setting& where,
                                     const std::vector<contender>& contenders) {
    // The references of the process `single` are needed as well, though they have no row there.
    auto wanted = contenders;
    for (const auto* name : {"raw", "dumb"}) wanted.push_back({name, "single", name});
    std::vector<held_line> lines;
    for (const auto& who : wanted) {
        auto held = held_line_of(where, who);
        if (held && find_line(lines, who) == nullptr) lines.push_back(*held);
    }
    return lines;
}

const held_line* find_line(const std::vector<held_line>& lines, const contender& who) {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const held_line& held) {
        return held.who.name == who.name && held.who.process == who.process;
    });
    return found == lines.end() ? nullptr : &*found;
}

const held_line* find_reference(const std::vector<held_line>& lines, const contender& who,
                                const std::string& name) {
    if (const auto* own = find_line(lines, {name, who.process, name})) return own;
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const held_line& held) { return held.who.name == name; });
    return found == lines.end() ? nullptr : &*found;
}

}  // namespace freehold
