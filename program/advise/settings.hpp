// SPDX-License-Identifier: BSL-1.0
// The policies and settings that a trace is replayed with: the library's own over a ladder of
// bounds, those of the article in several sizes each, and the rules of well-known pools as they
// come. What depends on the program (cutoffs, bounds) is taken from its sizes.
#pragma once

#include "advise/replay.hpp"
#include "advise/trace_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// How a cache with this setting is written down.
struct setting_code {
    std::string header;   // of the policy, as it is included
    std::string type;     // of the policy
    std::string options;  // of the policy, its members initialised by name; empty: as they come
    bool takes_costs = false;
};

/// Plays a trace to a cache with these bounds.
using setting_replay = std::function<replay_result(
    const trace_spool&, const replay_scope&, const allocation_costs&, const buffer_cache_options&)>;

struct policy_setting {
    std::string policy;
    std::string variant;  // what else it is told by than by how much it keeps; empty: nothing
    std::string words;    // what it is set to
    bool is_reimplemented = false;  // the rules of another library, to compare with
    setting_code code;
    buffer_cache_options bounds;
    setting_replay play;
};

/// "greedy_dual_fit", "greedy_dual_fit, band 1.1".
[[nodiscard]] inline std::string name_of(const policy_setting& setting) {
    return setting.variant.empty() ? setting.policy : setting.policy + ", " + setting.variant;
}

struct settings_wanted {
    std::uint64_t min_size = 0;
    /// The most that any setting may keep; the greatest that the library has by itself if nothing
    /// is said.
    std::optional<std::uint64_t> max_idle;
};

/// By policy, and of one policy the one that keeps least first. 20 at least.
[[nodiscard]] std::vector<policy_setting> settings_for(const process_profile& program,
                                                       const settings_wanted& wanted,
                                                       const allocation_costs& costs);

/// The same setting, but that larger requests bypass the cache.
[[nodiscard]] policy_setting with_cutoff(policy_setting setting, std::uint64_t cutoff);

/// A translation unit with a function that gives the cache.
[[nodiscard]] std::string code_of(const policy_setting& setting,
                                  const std::vector<allocation_cost>& costs,
                                  std::uint64_t min_size);

}  // namespace freehold
