// SPDX-License-Identifier: BSL-1.0
// Judges for each cell whether a second set of measurements is faster or slower than a first.
//
// Unit. Repetitions within a process share its layout, so each process gives one observation of a
// cell: the median of the logarithms of its repetitions. With logarithms, a change is a ratio. If
// both sets have only one process, its interleaved repetitions take the place of processes.
// Differences between processes are then invisible, and `one_process` is true.
//
// Common shift. A change of a whole process or a whole machine (its clock, a neighbour) shifts
// every cell that was measured there. A setting is the set of cells that one process measures. For
// each setting, the shift of a process is a median over the control cells: of their deviation from
// their own mean over all processes of both sets. The shift is subtracted from every cell and
// reported separately. Controls are competitors that the tested change cannot affect: a plain
// pointer, and the pointers of other libraries. The median moves only if half of the controls move.
// A disturbance may concern only cells of one family, such as those that need much of the cache. So
// the same is done with each family that has enough controls. If these changed by more than a
// fifth, the family's cells are too noisy.
//
// Placement. If the processes ran placements of a program in turn, those of one placement resemble
// each other: where the linker puts a loop may change its time by a tenth or more. Each placement
// then gives one observation: its lowest, because other work only lengthens a time. The
// observations of the two sets are pairs. Their differences say how far another order of the
// functions moves a cell. Two runs of the same program differ much less.
//
// Test. The change is that of the figures that the reader sees: the medians over the processes, or
// the means over the placements. Student's t gives its interval (two_samples.hpp). Each cell's
// variance between processes is moderated by its family (variance_prior.hpp). The p-values are
// adjusted by Holm's procedure over all cells (multiple_testing.hpp). Verdicts follow from the
// adjusted p-value and the cell's own 95 % interval:
//   faster, slower  adjusted p below 0.05, and the interval reaches beyond the smallest change of
//                   interest
//   no_change       the interval lies within the smallest change of interest either way
//   too_noisy       neither: a change of interest can be neither shown nor excluded. Also where
//                   a time is not positive
//   appeared, disappeared  only one of the sets has the cell
// Exact cells are compared exactly, and the rest ignores them. A cell with the same samples in both
// sets is the same measurement, and has not changed.
//
// Linear in the samples. Pure. Throws only std::bad_alloc.
#pragma once

#include "statistics.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace freehold::analyse {

struct compared_cell {
    std::string setting;  // cells with the same setting were measured in the same processes
    std::string family;   // cells with the same family are expected to be about equally noisy, and
                          // to be disturbed together
    bool control = false;
    bool exact = false;
    // Process p of either set ran placement p % placements. 1 if that is unknown.
    std::size_t placements = 1;
    samples_by_process base;  // empty where this set lacks the cell
    samples_by_process changed;
};

enum class verdict { faster, slower, no_change, too_noisy, appeared, disappeared };

struct judgement {
    verdict outcome = verdict::no_change;
    // 0.05 is 5 % slower (or larger), after the common shift is subtracted. NaN if it is unknown.
    double change = 0;
    interval bounds;     // 95 %, of this cell alone
    double p_value = 1;  // adjusted
    double base = 0;     // the figure, as measured
    double changed = 0;
};

struct common_shift {
    std::string setting;
    double change = 0;
    interval bounds;
    bool one_process = false;
};

struct comparison {
    std::vector<judgement> cells;      // in the order given
    std::vector<common_shift> shifts;  // one for each setting that has timed cells in both sets
};

struct comparison_options {
    double smallest_change = 0.05;
    double significance = 0.05;
};

[[nodiscard]] comparison compare(std::span<const compared_cell> cells,
                                 const comparison_options& options = {});

}  // namespace freehold::analyse
