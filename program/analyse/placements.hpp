// SPDX-License-Identifier: BSL-1.0
// Whether a figure depends on where the code lies in the program. The processes run the placements
// of a program in turn: the first process runs the first placement. A figure depends on it if each
// sample of one placement is more than a tenth above each sample of another, and each placement has
// two processes at least. Linear in the samples. Pure.
#pragma once

#include "statistics.hpp"

#include <cstddef>

namespace freehold::analyse {

[[nodiscard]] bool depends_on_placement(const samples_by_process& samples, std::size_t placements);

}  // namespace freehold::analyse
