// SPDX-License-Identifier: BSL-1.0
// From a trace to what a cache would do for the program: everything that `freehold advise` shows.
#pragma once

#include "advise/allocator_costs.hpp"
#include "advise/allocator_process.hpp"
#include "advise/choice.hpp"
#include "advise/offline_optimum.hpp"
#include "advise/settings.hpp"
#include "advise/trace.hpp"
#include "advise/trace_profile.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

/// There is nothing to advise on; what() is one line that says why and what to do.
class no_advice : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct advice {
    trace_losses losses;
    std::size_t processes = 0;  // that asked for anything; the advice is for one
    trace_process process;      // the one whose requests cost the allocator most
    double share_of_cost = 1;   // of all processes
    process_profile program;
    replay_scope scope;
    measured_costs costs;
    bool costs_are_played = false;  // those of large buffers, in the order of the trace

    std::vector<setting_outcome> outcomes;
    std::size_t chosen = 0;  // among the outcomes
    verdict worth;
    /// Of the competitors that saved no less in the second half and kept no more, the one that kept
    /// least.
    std::optional<std::size_t> better_reimplemented;

    /// Over the second half: for the most hits, and for the most time.
    std::vector<offline_optimum::point> most_hits;
    std::vector<offline_optimum::point> most_time;
    offline_optimum::point optimum_as_chosen;  // the most time with as many idle bytes

    [[nodiscard]] const setting_outcome& choice() const { return outcomes[chosen]; }
    [[nodiscard]] bool knows_time() const { return scope.has_times; }
};

/// What is being done, and how much of it, from 0 to 1. Called by one thread at a time.
using advise_progress = std::function<void(const std::string& doing, double share)>;

/// Reads the trace once, plays it to the allocator if there is a process to do so and the memory,
/// and replays it on all processors. Throws unreadable_trace, file_error and no_advice.
[[nodiscard]] advice advise(trace_reader& trace, const settings_wanted& wanted,
                            const measured_costs& costs, const advise_progress& progress,
                            allocator_process* player = nullptr);

}  // namespace freehold
