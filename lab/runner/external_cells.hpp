// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

/// The subjects and cells of external processes. The lab finds their executables in the folder with
/// its own name and the suffix `.processes`.
class external_subjects {
public:
    /// Starts all processes of this executable. A process that does not start becomes a missing
    /// subject.
    explicit external_subjects(process_kind kind);
    ~external_subjects();

    [[nodiscard]] const std::vector<subject>& all() const { return all_; }

    /// Adds the chosen cells of a suite. The processes live as long as their cells. A process that
    /// did not start is reported as skipped in `first_case`.
    void add_cells(plan& into, const std::string& suite, const std::string& first_case,
                   const selection& chosen) const;

private:
    struct started;
    std::vector<started> started_;
    std::vector<subject> failed_;
    std::vector<subject> all_;
};

}  // namespace lab
