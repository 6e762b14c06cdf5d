// SPDX-License-Identifier: BSL-1.0
// The policies that are compared, each with its settings from the smallest cache to the largest.
#pragma once

#include <freehold/cache/allocation_costs.hpp>

#include "runner/subject.hpp"
#include "suites/buffers/replay.hpp"
#include "suites/buffers/workload.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lab::buffers {

struct policy_setting {
    /// In words.
    std::string note;
    /// The costs are what the allocator takes for the workload.
    std::function<replayed(const workload&, const freehold::allocation_costs&)> play;
};

struct compared_policy {
    identity subject;
    /// Whether it is told the costs, so that what it does hangs on what they are measured to be.
    bool knows_costs = false;
    std::vector<policy_setting> settings = {};
};

/// Bounds of idle bytes: 4 KiB to 4 MiB by doublings.
std::vector<std::size_t> all_bounds();

/// Such as "16 KiB at most".
std::string in_words(std::size_t bound);

std::vector<compared_policy> all_policies();

}  // namespace lab::buffers
