// SPDX-License-Identifier: BSL-1.0
#include "report/sections/derived.hpp"

#include "analyse/line_fit.hpp"

#include <algorithm>

#include <fmt/ranges.h>

namespace freehold {

namespace {

constexpr const char* plain_pointer = "raw";

/// If the start is below that of a plain pointer, or its interval includes zero, it is an artefact
/// of the fit.
bool is_plausible(const fitted_line& own, const std::optional<fitted_line>& raw) {
    if (!(own.start.bounds.low > 0)) return false;
    return !raw || own.start.value >= raw->start.value;
}

std::optional<fitted_line> plain_line(const suite_figures& figures, const setting& where,
                                      const subject_row& row, const std::string& test_case) {
    auto found = fit_of(figures, where, {plain_pointer, row.process}, test_case);
    return found ? found : fit_of(figures, where, {plain_pointer, "threaded"}, test_case);
}

void derive_fit(suite_figures& figures, const std::string& test_case) {
    for (const auto& where : figures.settings()) {
        auto rows = figures.rows();
        // Others are compared with these subjects, so they are needed in both kinds of process.
        for (const char* key : {plain_pointer, "dumb"}) rows.push_back({key, "single"});
        for (const auto& row : rows) {
            const auto fit = fit_of(figures, where, row, test_case);
            if (!fit) continue;
            figures.derive(where, row, test_case + ".start", fit->start);
            figures.derive(where, row, test_case + ".slope", fit->slope);
            figures.derive(where, row, test_case + ".r_squared", with_error(fit->r_squared, 0));
            if (is_plausible(*fit, plain_line(figures, where, row, test_case)))
                figures.derive(where, row, test_case + ".plausible", fit->start);
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

/// "cyclic 21.0 ns (fit 3.20 ± 1.10)"
std::string measured_text(const subject_row& row, const fitted_line& fit) {
    const auto& start = fit.start;
    const auto fitted = figure_text(start.value, (start.bounds.high - start.bounds.low) / 2);
    if (!fit.at_zero) return fmt::format("{} (fit {})", row.head, fitted);
    return fmt::format("{} {} ns (fit {})", row.head, figure_text(fit.at_zero->value), fitted);
}

}  // namespace

bool fitted_line::bends() const {
    constexpr double straight = 0.99;
    if (at_zero && !overlap(*at_zero, start)) return true;
    return r_squared < straight && !overlap(slope, {0, {0, 0}});
}

std::optional<fitted_line> fit_of(const suite_figures& figures, const setting& where,
                                  const subject_row& row, const std::string& test_case) {
    std::vector<double> x;
    std::vector<double> y;
    fitted_line made;
    for (const auto& [n, time] : figures.sizes(where, row, test_case)) {
        x.push_back(static_cast<double>(n));
        y.push_back(time.value);
        if (n == 0) made.at_zero = time;
    }
    if (x.size() < 3) return std::nullopt;
    const auto fit = analyse::fit_line(x, y);
    made.line = {fit.intercept, fit.slope};
    made.start = with_error(fit.intercept, 2 * fit.intercept_error);
    made.slope = with_error(fit.slope, 2 * fit.slope_error);
    made.r_squared = fit.r_squared;
    return made;
}

void derive(suite_figures& figures, const derived_spec& spec) {
    if (spec.kind == "fit") derive_fit(figures, spec.test_case);
    if (spec.kind == "shares") derive_shares(figures, spec);
}

std::vector<std::string> derived_cases(const derived_spec& spec) {
    std::vector<std::string> cases;
    const auto parts = spec.kind == "fit" ? std::vector<const char*>{".start", ".slope",
                                                                     ".r_squared", ".plausible"}
                                          : std::vector<const char*>{".copy", ".zeroed", ".kernel"};
    for (const char* part : parts) cases.push_back(spec.test_case + part);
    return cases;
}

std::vector<std::string> fit_notes(const suite_figures& figures, const derived_spec& spec) {
    std::vector<std::string> notes;
    if (spec.kind != "fit") return notes;
    for (const auto& where : figures.settings()) {
        std::vector<std::string> bent;
        std::vector<std::string> implausible;
        for (const auto& row : figures.rows()) {
            const auto fit = fit_of(figures, where, row, spec.test_case);
            if (!fit) continue;
            if (fit->bends()) {
                bent.push_back(measured_text(row, *fit));
            } else if (!is_plausible(*fit, plain_line(figures, where, row, spec.test_case))) {
                implausible.push_back(measured_text(row, *fit));
            }
        }
        if (!bent.empty()) {
            notes.push_back(fmt::format(
                "Under {} the times of these subjects do not lie on a line: R\u00b2 is below 0.99, "
                "or the line misses the time at n = 0. Use the time measured at n = 0 instead of "
                "the fitted one: {}.",
                where.label, fmt::join(bent, "; ")));
        }
        if (!implausible.empty()) {
            notes.push_back(fmt::format(
                "Under {} the fitted initialisation of these subjects is below that of raw, or may "
                "be zero. This shows no advantage. The times measured at n = 0 are: {}.",
                where.label, fmt::join(implausible, "; ")));
        }
    }
    return notes;
}

}  // namespace freehold
