// SPDX-License-Identifier: BSL-1.0
// What the buffers of a workload cost when they come from the C library: measured by playing it
// with malloc and free, so that sizes are mixed, and memory goes back to the system and is had
// again, as they are there.
#pragma once

#include <freehold/cache/allocation_costs.hpp>

#include "suites/buffers/workload.hpp"

#include <cstddef>
#include <vector>

namespace lab::buffers {

/// Mean of the sizes between two powers of two, the larger one included.
struct price {
    std::size_t up_to;
    freehold::allocation_cost cost;
};

/// The groups of sizes that a workload has, each up to this power of two, rising.
std::vector<std::size_t> groups_of_sizes(const workload& work);

/// One for each of these. Threads are played by the calling one. A buffer's share of a page's first
/// touch is in its price, what its user does with it is not.
std::vector<price> measure_prices(const workload& work);

}  // namespace lab::buffers
