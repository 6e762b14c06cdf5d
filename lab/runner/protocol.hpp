// SPDX-License-Identifier: BSL-1.0
// The lines that `freehold-lab run` prints: one JSON object each, flushed, so that the reader sees
// how far the run is. lab/README.md is their specification.
#pragma once

#include "runner/suites.hpp"

#include <cstddef>

namespace lab {

class printer {
public:
    /// Units are those of the suite's cases.
    explicit printer(const described_suite& suite) : suite_(suite) {}

    void plan(std::size_t runs) const;
    void sample(const figure& what, double value, std::size_t repetition) const;
    void exact(const exact_cell& cell) const;
    /// `planned_runs`: how many of the planned lines will not follow.
    void skipped(const skipped_cell& cell, std::size_t planned_runs = 0) const;
    void done() const;

    [[nodiscard]] const described_suite& suite() const { return suite_; }

private:
    const described_suite& suite_;
};

}  // namespace lab
