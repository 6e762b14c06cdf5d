// SPDX-License-Identifier: BSL-1.0
// Runs cells that yield several figures at once, one round over all of them in a new random order
// for each repetition.
#pragma once

#include "suites/suite.hpp"

#include <cstddef>
#include <vector>

namespace lab {

[[nodiscard]] std::size_t figures_in(const std::vector<joint_cell>& cells);

/// Prints one `sample` line for each repetition of each figure. Nothing is run beforehand.
void measure(const std::vector<joint_cell>& cells, std::size_t repetitions);

}  // namespace lab
