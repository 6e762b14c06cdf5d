// SPDX-License-Identifier: BSL-1.0
// The interval in which the median of a cell lies, at 95 % confidence.
//
// Repetitions of one process share its memory layout and resemble each other more than those of
// another process, so the process is the unit: a resample draws processes with replacement, then
// repetitions within each (the hierarchical bootstrap of Kalibera and Jones, "Rigorous benchmarking
// in reasonable time", ISMM 2013). With few processes the plain percentile interval is too narrow;
// its percentiles are widened as in Hesterberg, "What teachers should know about the bootstrap",
// The American Statistician 69 (2015). From a single process the spread between
// processes cannot be seen: the interval then speaks for that process alone.
//
// The generator's seed is fixed: the same samples give the same interval on every machine.
// Costs about a thousand medians. Pure; throws std::invalid_argument when there is no sample.
#pragma once

#include "statistics.hpp"

namespace freehold::analyse {

struct estimate {
    double value = 0;
    interval bounds;
};

[[nodiscard]] estimate estimate_median(const samples_by_process& samples);

// The percentiles that stand for 95 % when `clusters` independent units were resampled.
[[nodiscard]] interval expanded_percentiles(std::size_t clusters);

}  // namespace freehold::analyse
