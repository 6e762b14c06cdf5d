// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// What the external processes, the executables in the folder that is named after this one and ends
/// with `.processes`, measure of one suite, or of all where `suite` is empty.
class external_subjects {
public:
    /// Starts all processes that this executable has; those that do not start are subjects that are
    /// missing.
    explicit external_subjects(process_kind kind);
    ~external_subjects();

    [[nodiscard]] const std::vector<subject>& all() const { return all_; }

    /// Adds the cells of a suite that are chosen. The processes live as long as their cells. Those
    /// of an article's program run `article_iterations`, if that is given. A process that did not
    /// start is skipped in `first_case`.
    void add_cells(plan& into, const std::string& suite, const std::string& first_case,
                   const selection& chosen, std::optional<std::int64_t> article_iterations) const;

private:
    struct started;
    std::vector<started> started_;
    std::vector<subject> failed_;
    std::vector<subject> all_;
};

}  // namespace lab
