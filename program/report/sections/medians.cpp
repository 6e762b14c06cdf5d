// SPDX-License-Identifier: BSL-1.0
#include "report/sections/medians.hpp"

#include <algorithm>

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

}  // namespace freehold
