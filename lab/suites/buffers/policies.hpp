// SPDX-License-Identifier: BSL-1.0
// The compared policies, each with its settings from the smallest cache to the largest.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>

#include "runner/subject.hpp"
#include "suites/buffers/replay.hpp"
#include "suites/buffers/workload.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lab::buffers {

struct policy_setting {
    /// A description for readers.
    std::string note;
    /// Plays a workload. The costs are those of the allocator for that workload.
    std::function<replayed(const workload&, const freehold::allocation_costs&)> play;
};

struct compared_policy {
    identity subject;
    /// Whether the policy gets the costs. If so, its decisions depend on how they are measured.
    bool knows_costs = false;
    std::vector<policy_setting> settings = {};
};

/// Returns bounds of idle bytes: powers of two from 4 KiB to 4 MiB.
std::vector<std::size_t> all_bounds();

/// Returns a text such as "16 KiB at most".
std::string in_words(std::size_t bound);

std::vector<compared_policy> all_policies();

}  // namespace lab::buffers
