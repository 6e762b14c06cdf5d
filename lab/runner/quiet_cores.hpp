// SPDX-License-Identifier: BSL-1.0
// Takes samples while no other thread uses the cores that they run on.
#pragma once

#include "runner/additions_per_cycle.hpp"
#include "suites/common/patience.hpp"
#include "suites/common/state.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace lab {

/// Of the samples that were printed.
struct sample_counts {
    std::size_t repeated = 0;   // measured again, because a core was shared the first time
    std::size_t disturbed = 0;  // a core was shared in each attempt
};

class quiet_cores {
public:
    /// `additions` tells what the calling thread's core does.
    explicit quiet_cores(double (*additions)() noexcept = additions_per_cycle);

    /// Returns the seconds of a sample. Before it is taken, the calling thread waits until its core
    /// is quiet, or moves to another processor. If the core is shared afterwards, or any core if
    /// the sample was taken elsewhere, it is taken again. After a few attempts, or without
    /// patience, the shortest time counts.
    double seconds(const std::function<measured_time()>& take);

    [[nodiscard]] const sample_counts& counts() const noexcept { return counts_; }

private:
    bool wait_for_quiet_processor();
    bool find_quiet_processor();
    bool all_are_quiet();
    bool is_quiet(int processor);

    double (*additions_)() noexcept;
    std::vector<int> usable_;    // processors
    double most_additions_ = 0;  // seen so far: what a core does alone
    patience patience_;
    sample_counts counts_;
    int processor_ = 0;  // where the last sample began
};

}  // namespace lab
