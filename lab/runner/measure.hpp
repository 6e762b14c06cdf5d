// SPDX-License-Identifier: BSL-1.0
// Runs cells with interleaved repetitions, and reports each repetition as soon as it is measured. A
// repetition is one round over all cells in a new random order, so that drift during the run
// affects all cells alike.
#pragma once

#include "runner/plan.hpp"
#include "runner/protocol.hpp"
#include "runner/quiet_cores.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace lab {

/// Prints one `sample` line for each repetition of each cell. Google Benchmark runs the cells, and
/// `quiet_cores` decides when.
/// Before the first repetition, one round that is not reported warms up and finds how many
/// iterations fill `min_time` seconds. All repetitions then use these numbers. The file
/// `iterations` keeps them, unless its name is empty. If the file has them from an earlier process
/// with the same cells, wanted or not, the first round only warms up, with a tenth of the
/// iterations.
sample_counts measure(const std::vector<timed_cell>& cells, std::size_t repetitions,
                      double min_time, const std::filesystem::path& iterations, const printer& out);

/// The number of cells that are measured.
[[nodiscard]] std::size_t wanted(const std::vector<timed_cell>& cells);

[[nodiscard]] std::size_t figures_in(const std::vector<joint_cell>& cells);

/// Prints one `sample` line for each repetition of each figure. No round before warms up.
void measure(const std::vector<joint_cell>& cells, std::size_t repetitions, const printer& out);

}  // namespace lab
