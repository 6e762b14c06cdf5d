// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include "multiple_testing.hpp"
#include "two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace freehold::analyse {

namespace {

// A timed cell that both sets have. It has one logarithm for each process, or for each repetition
// if there is only one process.
struct observed_cell {
    std::size_t index = 0;
    std::vector<double> base;
    std::vector<double> changed;
    bool one_process = false;
    bool disturbed = false;  // the controls of its family changed too much
    bool placed = false;     // one logarithm for each placement
};

using setting_cells = std::vector<observed_cell*>;

// With fewer, the median of the controls is no better known than a cell.
constexpr std::ptrdiff_t fewest_controls_of_a_family = 3;
// If the controls of a family changed more than by this factor, what disturbed them was no common
// factor, and does not let the other cells be judged.
const double largest_shift_of_a_family = std::log(1.2);

// The result is empty if a sample has no logarithm.
samples_by_process logarithms(const samples_by_process& samples) {
    samples_by_process result;
    for (const auto& process : samples) {
        std::vector<double> logs;
        for (const double value : process) {
            if (!(value > 0) || !std::isfinite(value)) return {};
            logs.push_back(std::log(value));
        }
        if (!logs.empty()) result.push_back(std::move(logs));
    }
    return result;
}

std::vector<double> medians(const samples_by_process& samples) {
    std::vector<double> result;
    for (const auto& process : samples) result.push_back(median(process));
    return result;
}

observed_cell observe(std::size_t index, const compared_cell& cell) {
    const auto base = logarithms(cell.base);
    const auto changed = logarithms(cell.changed);
    if (base.size() == 1 && changed.size() == 1) return {index, base[0], changed[0], true};
    return {index, medians(base), medians(changed), false};
}

double grand_mean(const observed_cell& cell) {
    return std::midpoint(mean(cell.base), mean(cell.changed));
}

// How much each process of one set shifted all controls. Cells that need no more processes are left
// out of the later ones, so the processes of a cell are the first of all. Later processes that only
// few controls have shift nothing.
std::vector<double> process_shifts(const setting_cells& controls,
                                   std::vector<double> observed_cell::*set) {
    std::size_t processes = 0;
    for (const auto* cell : controls) processes = std::max(processes, (cell->*set).size());
    const std::size_t fewest =
        std::min(controls.size(), static_cast<std::size_t>(fewest_controls_of_a_family));
    std::vector<double> shifts(processes);  // NOLINT(freehold-hidden-zeroing): a few
    for (std::size_t p = 0; p != processes; ++p) {
        std::vector<double> deviations;
        for (const auto* cell : controls) {
            const auto& observations = cell->*set;
            if (p < observations.size()) deviations.push_back(observations[p] - grand_mean(*cell));
        }
        if (deviations.size() >= fewest) shifts[p] = median(deviations);
    }
    return shifts;
}

void take_out(std::vector<double>& observations, const std::vector<double>& shifts) {
    for (std::size_t p = 0; p != std::min(observations.size(), shifts.size()); ++p)
        observations[p] -= shifts[p];
}

common_shift take_out_common_shift(const std::string& setting, const setting_cells& cells,
                                   std::span<const compared_cell> input) {
    setting_cells controls;
    for (auto* cell : cells) {
        if (input[cell->index].control) controls.push_back(cell);
    }
    if (controls.empty()) controls = cells;
    const auto base = process_shifts(controls, &observed_cell::base);
    const auto changed = process_shifts(controls, &observed_cell::changed);
    const auto shift = compare_medians(base, changed, pooled_variance(base, changed));
    for (auto* cell : cells) {
        take_out(cell->base, base);
        take_out(cell->changed, changed);
    }
    return {setting,
            std::expm1(shift.value),
            {std::expm1(shift.bounds.low), std::expm1(shift.bounds.high)},
            cells.front()->one_process};
}

void take_out_shifts_of_families(const std::string& setting, const setting_cells& cells,
                                 std::span<const compared_cell> input) {
    std::map<std::string, setting_cells> families;
    for (auto* cell : cells) families[input[cell->index].family].push_back(cell);
    for (const auto& [name, members] : families) {
        const auto controls = std::count_if(members.begin(), members.end(), [&](const auto* cell) {
            return input[cell->index].control;
        });
        if (controls < fewest_controls_of_a_family) continue;
        const auto shift = take_out_common_shift(setting, members, input);
        const bool disturbed = std::abs(std::log1p(shift.change)) > largest_shift_of_a_family;
        for (auto* cell : members) cell->disturbed = disturbed;
    }
}

// The lowest observation of each placement.
std::vector<double> lowest_of_placements(const std::vector<double>& observations,
                                         std::size_t placements) {
    std::vector<double> lowest(observations.begin(),
                               observations.begin() + static_cast<std::ptrdiff_t>(placements));
    for (std::size_t p = placements; p < observations.size(); ++p)
        lowest[p % placements] = std::min(lowest[p % placements], observations[p]);
    return lowest;
}

void observe_placements(observed_cell& cell, std::size_t placements) {
    if (placements < 2 || cell.one_process) return;
    if (cell.base.size() < placements || cell.changed.size() < placements) return;
    cell.base = lowest_of_placements(cell.base, placements);
    cell.changed = lowest_of_placements(cell.changed, placements);
    cell.placed = true;
}

// The variance of each cell, moderated by its family. It never gets more degrees of freedom than
// all cells of the family have together.
std::vector<variance_estimate> moderated_variances(const std::vector<observed_cell>& cells,
                                                   std::span<const compared_cell> input) {
    std::map<std::string, std::vector<std::size_t>> families;
    std::vector<variance_estimate> variances;
    for (std::size_t i = 0; i != cells.size(); ++i) {
        families[input[cells[i].index].family].push_back(i);
        const auto variance = cells[i].placed ? paired_variance : pooled_variance;
        variances.push_back(variance(cells[i].base, cells[i].changed));
    }
    for (const auto& [name, members] : families) {
        std::vector<variance_estimate> own;
        double all_degrees = 0;
        for (const auto i : members) {
            own.push_back(variances[i]);
            all_degrees += variances[i].degrees;
        }
        const auto prior = fit_variance_prior(own);
        for (const auto i : members) {
            variances[i] = moderated(variances[i], prior);
            variances[i].degrees = std::min(variances[i].degrees, all_degrees);
        }
    }
    return variances;
}

// The median over the processes of their medians.
double figure_of(const samples_by_process& samples) {
    samples_by_process measured;
    for (const auto& process : samples) {
        if (!process.empty()) measured.push_back(process);
    }
    return median(medians(measured));
}

judgement judge_exact(judgement result) {
    result.change = result.base == 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : result.changed / result.base - 1;
    result.bounds = {result.change, result.change};
    result.p_value = result.changed == result.base ? 1 : 0;
    result.outcome = result.changed < result.base   ? verdict::faster
                     : result.changed > result.base ? verdict::slower
                                                    : verdict::no_change;
    if (result.base == result.changed) result.change = 0;
    return result;
}

void judge_timed(judgement& result, const comparison_options& options) {
    const double beyond = options.smallest_change;
    const double below = 1 / (1 + beyond) - 1;
    if (result.bounds.low >= below && result.bounds.high <= beyond) {
        result.outcome = verdict::no_change;
    } else if (result.p_value < options.significance) {
        result.outcome = result.change > 0 ? verdict::slower : verdict::faster;
    } else {
        result.outcome = verdict::too_noisy;
    }
}

bool has_samples(const samples_by_process& samples) {
    return std::any_of(samples.begin(), samples.end(),
                       [](const auto& process) { return !process.empty(); });
}

judgement unknown(judgement result) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    result.outcome = verdict::too_noisy;
    result.change = nan;
    result.bounds = {nan, nan};
    return result;
}

}  // namespace

comparison compare(std::span<const compared_cell> cells, const comparison_options& options) {
    comparison result;
    result.cells.resize(cells.size());
    std::vector<observed_cell> observed;
    for (std::size_t i = 0; i != cells.size(); ++i) {
        auto& cell = result.cells[i];
        const bool in_base = has_samples(cells[i].base);
        const bool in_changed = has_samples(cells[i].changed);
        if (in_base) cell.base = figure_of(cells[i].base);
        if (in_changed) cell.changed = figure_of(cells[i].changed);
        if (!in_base || !in_changed) {
            cell = unknown(cell);
            cell.outcome = in_changed ? verdict::appeared : verdict::disappeared;
        } else if (cells[i].exact) {
            cell = judge_exact(cell);
        } else {
            auto timed = observe(i, cells[i]);
            if (timed.base.empty() || timed.changed.empty()) {
                cell = unknown(cell);
            } else {
                observed_cell shown = timed;
                observe_placements(shown, cells[i].placements);
                if (shown.placed) {
                    cell.base = std::exp(mean(shown.base));
                    cell.changed = std::exp(mean(shown.changed));
                }
                observed.push_back(std::move(timed));
            }
        }
    }

    std::map<std::string, setting_cells> settings;
    for (auto& cell : observed) settings[cells[cell.index].setting].push_back(&cell);
    for (const auto& [name, members] : settings) {
        result.shifts.push_back(take_out_common_shift(name, members, cells));
        take_out_shifts_of_families(name, members, cells);
    }

    for (auto& cell : observed) observe_placements(cell, cells[cell.index].placements);

    const auto variances = moderated_variances(observed, cells);
    std::vector<double> p_values;
    for (std::size_t i = 0; i != observed.size(); ++i) {
        const auto compared = observed[i].placed ? compare_means : compare_medians;
        const auto found = compared(observed[i].base, observed[i].changed, variances[i]);
        auto& cell = result.cells[observed[i].index];
        cell.change = std::expm1(found.value);
        cell.bounds = {std::expm1(found.bounds.low), std::expm1(found.bounds.high)};
        p_values.push_back(found.p_value);
    }
    const auto adjusted = holm_adjusted(p_values);
    for (std::size_t i = 0; i != observed.size(); ++i) {
        const auto& input = cells[observed[i].index];
        auto& cell = result.cells[observed[i].index];
        cell.p_value = adjusted[i];
        judge_timed(cell, options);
        const bool same_measurement = input.base == input.changed;
        if (observed[i].disturbed) cell.outcome = verdict::too_noisy;
        if (same_measurement) cell.outcome = verdict::no_change;
    }
    return result;
}

}  // namespace freehold::analyse
