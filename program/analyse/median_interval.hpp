// SPDX-License-Identifier: BSL-1.0
// The interval in which the median of a cell lies, at 95 % confidence.
//
// Repetitions of one process share its memory layout and resemble each other more than those of
// another process. Therefore the process is the unit: a resample draws processes with replacement,
// and then repetitions within each. This is the hierarchical bootstrap of Kalibera and Jones,
// "Rigorous benchmarking in reasonable time", ISMM 2013. With few processes, the plain percentile
// interval is too narrow. Its percentiles are widened as in Hesterberg, "What teachers should know
// about the bootstrap", The American Statistician 69 (2015). A single process does not show the
// spread between processes. The interval is then valid only for that process.
//
// The generator's seed is fixed, so the same samples give the same interval on every machine. Costs
// about a thousand medians. Pure. Throws std::invalid_argument if there is no sample.
#pragma once

#include "statistics.hpp"

namespace freehold::analyse {

struct estimate {
    double value = 0;
    interval bounds;
};

[[nodiscard]] estimate estimate_median(const samples_by_process& samples);

// The percentiles for 95 % confidence when `clusters` independent units were resampled.
[[nodiscard]] interval expanded_percentiles(std::size_t clusters);

}  // namespace freehold::analyse
