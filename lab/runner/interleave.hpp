// SPDX-License-Identifier: BSL-1.0
// Drives Google Benchmark so that repetitions are interleaved and each is reported as soon as it is
// measured.
//
// Google Benchmark can interleave repetitions itself, but reports a benchmark only when its last
// repetition is done, which with everything interleaved is at the very end. So each repetition of
// each cell is registered as a benchmark of its own, in an order shuffled here: every repetition is
// one round over all cells in a new random order, so that drift during the run meets all cells
// alike.
#pragma once

#include "suites/suite.hpp"

#include <cstddef>
#include <vector>

namespace lab {

/// Prints one `sample` line for each repetition of each cell. One round before the first, not
/// reported, warms up and finds how many iterations fill `min_time`; all repetitions then use that
/// number.
void measure(const std::vector<timed_cell>& cells, std::size_t repetitions, double min_time);

}  // namespace lab
