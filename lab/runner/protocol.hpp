// SPDX-License-Identifier: BSL-1.0
// The lines that `freehold-lab run` prints. Each is one JSON object, and is flushed at once, so
// that the reader knows the progress of the run. lab/README.md specifies them.
#pragma once

#include "runner/quiet_cores.hpp"
#include "runner/suites.hpp"

#include <cstddef>

namespace lab {

class printer {
public:
    /// The units are those of the suite's cases.
    explicit printer(const described_suite& suite) : suite_(suite) {}

    void plan(std::size_t runs) const;
    void sample(const figure& what, double value, std::size_t repetition) const;
    void exact(const exact_cell& cell) const;
    /// `planned_runs` is the number of planned lines that will not follow.
    void skipped(const skipped_cell& cell, std::size_t planned_runs = 0) const;
    void done(const sample_counts& counts) const;

    [[nodiscard]] const described_suite& suite() const { return suite_; }

private:
    const described_suite& suite_;
};

}  // namespace lab
