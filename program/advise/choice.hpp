// SPDX-License-Identifier: BSL-1.0
// Which of the settings that were replayed is recommended, and whether any is worth having. Pure.
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

/// What the program would run shorter by, in nanoseconds: what the allocator is spared, without
/// what the cache takes for each request. Below zero if it would run longer.
[[nodiscard]] double net_saving(const replay_figures& figures, double cache_cost);

/// The place of the setting that keeps least of those that, in the first half, save nearly as much
/// as the best of all that waste next to nothing and are the library's own. The second half has no
/// say.
[[nodiscard]] std::size_t choose(const std::vector<setting_outcome>& outcomes, double cache_cost);

/// The size beyond which the setting saved next to nothing in the first half, so that no large
/// buffer need ever be looked at; nothing if there is none.
[[nodiscard]] std::optional<std::uint64_t> cutoff_for(const replay_result& result,
                                                      const process_profile& program,
                                                      const allocation_costs& costs);

struct verdict {
    bool is_worth_having = false;
    std::string reason;  // a sentence, without its full stop
};

/// By what the setting did in the second half; `knows_time` if the figures' duration is in
/// nanoseconds.
[[nodiscard]] verdict judge(const replay_result& result, double cache_cost, bool knows_time);

}  // namespace freehold
