// SPDX-License-Identifier: BSL-1.0
// Computes from a trace what a cache would do for the program: everything that `freehold advise`
// shows.
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

/// There is nothing to advise on. what() is one line with the reason and the remedy.
class no_advice : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct advice {
    trace_losses losses;
    std::size_t processes = 0;  // that allocated; the advice is for one of them
    trace_process process;      // the one with the highest cost for the allocator
    double share_of_cost = 1;   // its share of the cost of all processes
    process_profile program;
    replay_scope scope;
    measured_costs costs;
    bool costs_are_played = false;  // the costs of large buffers come from a replay of the trace

    std::vector<setting_outcome> outcomes;
    std::size_t chosen = 0;  // index into outcomes
    verdict worth;
    /// One of the competitors that saved at least as much in the second half and kept no more. Of
    /// these, it kept least.
    std::optional<std::size_t> better_reimplemented;

    /// For the second half: one curve for the most hits, and one for the most time.
    std::vector<offline_optimum::point> most_hits;
    std::vector<offline_optimum::point> most_time;
    // for the most time, with as many idle bytes as the chosen setting
    offline_optimum::point optimum_as_chosen;

    [[nodiscard]] const setting_outcome& choice() const { return outcomes[chosen]; }
    [[nodiscard]] bool knows_time() const { return scope.has_times; }
};

/// Gets what is being done, and how much of it is done, from 0 to 1. One thread at a time calls it.
using advise_progress = std::function<void(const std::string& doing, double share)>;

/// Reads the trace once. Plays it to the allocator if there is a process for that and enough
/// memory. Replays it on all processors. Throws unreadable_trace, file_error and no_advice.
[[nodiscard]] advice advise(trace_reader& trace, const settings_wanted& wanted,
                            const measured_costs& costs, const advise_progress& progress,
                            allocator_process* player = nullptr);

}  // namespace freehold
