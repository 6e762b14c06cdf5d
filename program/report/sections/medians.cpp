// SPDX-License-Identifier: BSL-1.0
#include "report/sections/medians.hpp"

#include <algorithm>
#include <utility>

namespace freehold {

suite_medians::suite_medians(const std::vector<setting>& settings, const std::string& suite_name) {
    for (const auto& where : settings) {
        const auto* found = find_suite(where, suite_name);
        if (found == nullptr) continue;
        for (const auto& cell : found->measurements) {
            if (cell.lab != where.lab) continue;
            figures_[{where.label, cell.process, cell.competitor, cell.test}].try_emplace(
                cell.n.value_or(0), estimate_of(cell));
        }
    }
}

std::optional<estimate> suite_medians::find(const setting& where, const contender& who,
                                            const std::string& test) const {
    const auto found = figures_.find(key_of(where, who, test));
    if (found == figures_.end()) return std::nullopt;
    return found->second.begin()->second;
}

std::map<std::int64_t, estimate> suite_medians::sizes(const setting& where, const contender& who,
                                                      const std::string& test) const {
    const auto found = figures_.find(key_of(where, who, test));
    if (found == figures_.end()) return {};
    return found->second;
}

std::optional<estimate> suite_medians::times(const setting& where, const contender& who,
                                             const std::string& test,
                                             const std::string& reference) const {
    const auto own = find(where, who, test);
    if (!own) return std::nullopt;
    if (who.name == reference) return estimate{1, {1, 1}};
    auto floor = find(where, {reference, who.process, reference}, test);
    if (!floor) {
        const auto* other = who.process == "single" ? "threaded" : "single";
        floor = find(where, {reference, other, reference}, test);
    }
    return floor ? ratio(*own, *floor) : std::nullopt;
}

bool suite_medians::has(const std::string& test) const {
    return std::any_of(figures_.begin(), figures_.end(),
                       [&](const auto& entry) { return std::get<3>(entry.first) == test; });
}

std::vector<ranked_setting> ranked_sharers(const std::vector<setting>& settings,
                                           const std::vector<contender>& contenders,
                                           const suite_medians& times, const std::string& test) {
    std::vector<ranked_setting> ranked;
    for (const auto& where : settings) {
        ranked_setting entries{where.label, {}};
        for (const auto& who : contenders) {
            const auto time = times.find(where, who, test);
            if (time && who.shares()) entries.entries.push_back({who.head, *time});
        }
        ranked.push_back(std::move(entries));
    }
    return ranked;
}

std::vector<plot_series> panels_of_times(std::span<const std::string> tests,
                                         const std::vector<setting>& settings,
                                         const std::vector<contender>& contenders,
                                         const suite_medians& times) {
    std::vector<plot_series> panels;
    for (const auto& test : tests) {
        for (const auto& where : settings) {
            plot_series series{where.label, {}, {}, test};
            for (const auto& who : contenders) {
                const auto time = times.find(where, who, test);
                if (!time || !(time->value > 0)) continue;
                series.points.push_back({.x = time->value,
                                         .low = time->bounds.low,
                                         .high = time->bounds.high,
                                         .category = who.head});
            }
            if (!series.points.empty()) panels.push_back(std::move(series));
        }
    }
    return panels;
}

}  // namespace freehold
