// SPDX-License-Identifier: BSL-1.0
// One scan of all lines by several threads, and its cost.
#pragma once

#include "suites/cold_scan/way.hpp"

#include <cstddef>
#include <vector>

namespace lab::cold_scan {

struct scan_cost {
    double wall = 0;  // in seconds, as the next two
    double user = 0;
    double system = 0;
    double faults = 0;
    std::vector<double> user_in_parts;    // processors used in each part of the time
    std::vector<double> system_in_parts;  // by the kernel
    std::size_t most_resident_bytes = 0;  // of the process, while it ran
};

/// Throws std::runtime_error if the lines cannot be read, or are not those that were written.
scan_cost scan(const object_store& store, lines& all);

}  // namespace lab::cold_scan
