// SPDX-License-Identifier: BSL-1.0
// What the buffers of a workload cost when they come from the C library. The lab plays the workload
// with malloc and free. So sizes are mixed as in the workload, and memory goes back to the system
// and comes again at the same steps.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>

#include "suites/buffers/workload.hpp"

#include <cstddef>
#include <vector>

namespace lab::buffers {

/// The mean price of the sizes between two powers of two, including the larger one.
struct price {
    std::size_t up_to;
    freehold::allocation_cost cost;
};

/// Returns the size groups of a workload in rising order. Each value is the group's largest size.
std::vector<std::size_t> groups_of_sizes(const workload& work);

/// Returns one price for each group. The calling thread plays all threads of the workload. A price
/// includes a buffer's share of the first touch of its pages. It does not include what the user
/// does with the buffer.
std::vector<price> measure_prices(const workload& work);

}  // namespace lab::buffers
