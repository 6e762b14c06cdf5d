// SPDX-License-Identifier: BSL-1.0
// The lines that `freehold-lab run` prints: one JSON object each, flushed, so that whoever reads
// them sees how far the run is. lab/README.md is their specification.
#pragma once

#include "suites/suite.hpp"

#include <cstddef>

namespace lab {

void print_plan(std::size_t runs);
void print_sample(const figure& what, double value, std::size_t repetition);
void print_exact(const exact_cell& cell);
/// `planned_runs`: how many of the planned lines will not follow.
void print_skipped(const skipped_cell& cell, std::size_t planned_runs = 0);
void print_done();

}  // namespace lab
