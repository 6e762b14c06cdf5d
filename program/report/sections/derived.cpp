// SPDX-License-Identifier: BSL-1.0
#include "report/sections/derived.hpp"

#include "analyse/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace freehold {

namespace {

std::string step_to(const std::string& test_case, std::int64_t size) {
    return fmt::format("{}.step.{}", test_case, size);
}

void derive_steps(suite_figures& figures, const derived_spec& spec) {
    const auto& test_case = spec.test_case;
    for (const auto& where : figures.settings()) {
        auto rows = figures.rows();
        // Others are compared with these subjects, so they are needed in both kinds of process.
        for (const char* key : {"raw", "dumb"}) rows.push_back({key, "single"});
        for (const auto& row : rows) {
            const auto costs = costs_of(figures, where, row, test_case);
            if (!costs) continue;
            figures.derive(where, row, test_case + ".start", costs->start);
            figures.derive(where, row, test_case + ".slope", costs->step());
            for (const auto size : spec.at) {
                const auto found = costs->steps.find(size);
                if (found != costs->steps.end())
                    figures.derive(where, row, step_to(test_case, size), found->second);
            }
        }
    }
}

/// The parts add up to the whole: the time to fill memory that is already mapped (the lower bound),
/// the time to set it to zero before, and the rest. The rest is the time of the kernel and the
/// allocator.
void derive_shares(suite_figures& figures, const derived_spec& spec) {
    for (const auto& where : figures.settings()) {
        for (const auto& row : figures.rows()) {
            const auto all = figures.find(where, row, spec.test_case);
            const auto bound = figures.find(where, {spec.bound}, spec.test_case);
            if (!all || !bound) continue;
            const auto zeroed = figures.find(where, row, spec.zeroed);
            const double copy = std::min(bound->value, all->value);
            const double memset = std::min(zeroed ? zeroed->value : 0, all->value - copy);
            const auto add = [&](const char* part, double value) {
                figures.derive(where, row, spec.test_case + part, with_error(value, 0));
            };
            add(".copy", copy);
            add(".zeroed", memset);
            add(".kernel", all->value - copy - memset);
        }
    }
}

}  // namespace

const estimate& size_costs::step() const {
    return line ? slope : steps.rbegin()->second;
}

std::optional<size_costs> costs_of(const suite_figures& figures, const setting& where,
                                   const subject_row& row, const std::string& test_case) {
    const auto& sizes = figures.sizes(where, row, test_case);
    if (sizes.size() < 4 || sizes.begin()->first != 0) return std::nullopt;

    // Each size has code of its own, at a place of its own. Even without noise, that makes a
    // difference of about 1 %.
    constexpr double placement = 0.01;
    constexpr double straight = 0.03;
    size_costs made{.start = sizes.begin()->second, .steps = {}, .line = {}, .slope = {}};
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> deviations;
    std::vector<double> tolerances;
    for (auto at = std::next(sizes.begin()); at != sizes.end(); ++at) {
        const auto& [size, time] = *at;
        const auto& [smaller, less] = *std::prev(at);
        const auto step = difference(time, less);
        const auto count = static_cast<double>(size - smaller);
        made.steps[size] = {step.value / count,
                            {step.bounds.low / count, step.bounds.high / count}};
        const double half_width = (time.bounds.high - time.bounds.low) / 2;
        x.push_back(static_cast<double>(size));
        y.push_back(time.value);
        deviations.push_back(std::hypot(half_width / 2, placement * time.value));
        tolerances.push_back(std::max(half_width, straight * time.value));
    }
    const auto fit = analyse::fit_line(x, y, deviations);
    made.slope = with_error(fit.slope, 2 * fit.slope_error);
    const bool is_line = std::equal(fit.residuals.begin(), fit.residuals.end(), tolerances.begin(),
                                    [](double off, double most) { return std::abs(off) <= most; });
    if (is_line) made.line = plot_line{fit.intercept, fit.slope};
    return made;
}

void derive(suite_figures& figures, const derived_spec& spec) {
    if (spec.kind == "fit") derive_steps(figures, spec);
    if (spec.kind == "shares") derive_shares(figures, spec);
}

std::vector<std::string> derived_cases(const derived_spec& spec) {
    // The last two are named by pages in older result files, and have no figures any more.
    const std::map<std::string, std::vector<const char*>> parts{
        {"fit", {".start", ".slope", ".r_squared", ".plausible"}},
        {"shares", {".copy", ".zeroed", ".kernel"}}};
    std::vector<std::string> cases;
    for (const char* part : parts.at(spec.kind)) cases.push_back(spec.test_case + part);
    for (const auto size : spec.at) cases.push_back(step_to(spec.test_case, size));
    return cases;
}

std::vector<std::string> notes_on_lines(const suite_figures& figures, const derived_spec& spec) {
    std::vector<std::string> notes;
    if (spec.kind != "fit") return notes;
    for (const auto& where : figures.settings()) {
        std::vector<std::string> bent;
        for (const auto& row : figures.rows()) {
            const auto costs = costs_of(figures, where, row, spec.test_case);
            if (costs && !costs->line) bent.push_back(row.head);
        }
        if (bent.empty()) continue;
        notes.push_back(
            fmt::format("Under {} the times of these subjects are not on a line: {}. For them, the "
                        "cost of a copy is that of the last ones.",
                        where.label, joined(bent)));
    }
    return notes;
}

}  // namespace freehold
