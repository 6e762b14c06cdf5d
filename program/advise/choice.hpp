// SPDX-License-Identifier: BSL-1.0
// Chooses the setting to recommend from those that were replayed, and decides if it is worthwhile.
// Pure.
#pragma once

#include "advise/replay.hpp"
#include "advise/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct setting_outcome {
    policy_setting setting;
    replay_result result;
};

/// By how many nanoseconds the program would run shorter: the time that the allocator saves, minus
/// the time that the cache takes for each request. Negative if the program would run longer.
[[nodiscard]] double net_saving(const replay_figures& figures, double cache_cost);

/// The index of the recommended setting. Candidates are the library's own settings that waste
/// almost nothing. Of those that save nearly as much as the best in the first half, it is the one
/// that keeps least. The second half has no influence.
[[nodiscard]] std::size_t choose(const std::vector<setting_outcome>& outcomes, double cache_cost);

/// The size above which the setting saved almost nothing in the first half, so that a cache can
/// ignore larger buffers. Empty if there is no such size.
[[nodiscard]] std::optional<std::uint64_t> cutoff_for(const replay_result& result,
                                                      const process_profile& program,
                                                      const allocation_costs& costs);

struct verdict {
    bool is_worth_having = false;
    std::string reason;  // a sentence without its full stop
};

/// Judges the setting by the second half. `knows_time` is true if the duration in the figures is in
/// nanoseconds.
[[nodiscard]] verdict judge(const replay_result& result, double cache_cost, bool knows_time);

}  // namespace freehold
