// SPDX-License-Identifier: BSL-1.0
#include "advise/choice.hpp"

#include "report/amounts.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace freehold {

namespace {

/// A setting that uses a smaller share is chosen only if there is no other.
constexpr double least_used = 0.97;
/// A setting that saves this share of the best saving is as good as the best.
constexpr double nearly = 0.98;
/// The sizes below a cutoff make at least this share of the saving. The larger sizes give the rest.
constexpr double within_cutoff = 0.998;
/// A saving of a smaller share of the run time is lost in the noise.
constexpr double least_share = 0.01;

bool is_candidate(const setting_outcome& outcome, double used) {
    return !outcome.setting.is_reimplemented && outcome.result.halves[0].used() >= used;
}

}  // namespace

double net_saving(const replay_figures& figures, double cache_cost) {
    return figures.time_without - figures.allocator_time -
           cache_cost * static_cast<double>(figures.requests);
}

std::size_t choose(const std::vector<setting_outcome>& outcomes, double cache_cost) {
    const auto saving = [&](const setting_outcome& each) {
        return net_saving(each.result.halves[0], cache_cost);
    };
    double used = least_used;
    if (std::none_of(outcomes.begin(), outcomes.end(),
                     [&](const auto& each) { return is_candidate(each, used); })) {
        used = 0;
    }
    double best = -std::numeric_limits<double>::infinity();
    for (const setting_outcome& each : outcomes) {
        if (is_candidate(each, used)) best = std::max(best, saving(each));
    }
    const double enough = best > 0 ? nearly * best : best;
    std::size_t chosen = outcomes.size();
    for (std::size_t i = 0; i != outcomes.size(); ++i) {
        if (!is_candidate(outcomes[i], used) || saving(outcomes[i]) < enough) continue;
        if (chosen == outcomes.size() || outcomes[i].result.halves[0].mean_idle() <
                                             outcomes[chosen].result.halves[0].mean_idle()) {
            chosen = i;
        }
    }
    return chosen;
}

std::optional<std::uint64_t> cutoff_for(const replay_result& result, const process_profile& program,
                                        const allocation_costs& costs) {
    double saved = 0;
    const auto saving = [&](std::size_t index) {
        return static_cast<double>(result.hits_by_size[index]) * costs.of_class(index);
    };
    for (std::size_t index = 0; index != size_class::count; ++index) saved += saving(index);
    if (saved <= 0) return std::nullopt;
    double within = 0;
    std::size_t last = 0;
    for (; last + 1 != size_class::count && within < within_cutoff * saved; ++last) {
        within += saving(last);
    }
    const auto larger = [](const process_profile::of_sizes& each) { return each.requests != 0; };
    const auto beyond = program.sizes.begin() + static_cast<std::ptrdiff_t>(last);
    if (std::none_of(beyond, program.sizes.end(), larger)) return std::nullopt;
    return size_class::smallest(last);
}

verdict judge(const replay_result& result, double cache_cost, bool knows_time) {
    const replay_figures& figures = result.halves[1];
    const double saving = net_saving(figures, cache_cost);
    const std::string allocator = time_text(figures.time_without);
    const double cache = cache_cost * static_cast<double>(figures.requests);
    if (saving <= 0) {
        return {false, fmt::format("it would save {} of the {} that the allocator takes, and take "
                                   "{} itself",
                                   time_text(figures.time_without - figures.allocator_time),
                                   allocator, time_text(cache))};
    }
    if (!knows_time) {
        return {true, fmt::format("it saves {} of the {} that the allocator takes",
                                  time_text(saving), allocator)};
    }
    const double share = figures.duration > 0 ? saving / figures.duration : 1;
    const std::string of_run = fmt::format("{} of the {} that the program ran", time_text(saving),
                                           time_text(figures.duration));
    if (share < least_share) return {false, "it would save " + of_run};
    return {true, "it saves " + of_run};
}

}  // namespace freehold
