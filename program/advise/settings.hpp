// SPDX-License-Identifier: BSL-1.0
// The policies and settings with which a trace is replayed: the library's own with a series of
// bounds, those of the article in several sizes each, and the rules of well-known pools with their
// own values. Cutoffs and bounds follow from the sizes of the program's requests.
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

/// How C++ code declares a cache with this setting.
struct setting_code {
    std::string header;  // the header that defines the policy
    std::string type;    // the type of the policy
    // the policy's options, with members initialised by name; empty: the defaults
    std::string options;
    bool takes_costs = false;
};

/// Plays a trace to a cache with these bounds.
using setting_replay = std::function<replay_result(
    const trace_spool&, const replay_scope&, const allocation_costs&, const buffer_cache_options&)>;

struct policy_setting {
    std::string policy;
    // distinguishes settings of one policy, besides how much they keep; may be empty
    std::string variant;
    std::string words;              // the values of the setting, in words
    bool is_reimplemented = false;  // the rules of another library, for comparison
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
    /// The most bytes that any setting may keep. If it is empty, the default of
    /// buffer_cache_options applies.
    std::optional<std::uint64_t> max_idle;
};

/// Sorted by policy. The settings of one policy begin with the one that keeps least. At least 20.
[[nodiscard]] std::vector<policy_setting> settings_for(const process_profile& program,
                                                       const settings_wanted& wanted,
                                                       const allocation_costs& costs);

/// The same setting, but larger requests bypass the cache.
[[nodiscard]] policy_setting with_cutoff(policy_setting setting, std::uint64_t cutoff);

/// A translation unit with a function that returns the cache.
[[nodiscard]] std::string code_of(const policy_setting& setting,
                                  const std::vector<allocation_cost>& costs,
                                  std::uint64_t min_size);

}  // namespace freehold
