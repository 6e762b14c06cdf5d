// SPDX-License-Identifier: BSL-1.0
// Runs one suite. Each round runs every lab in each kind of process, and in the next of its
// placements. A cell whose times agree when all placements have had their turn is left out of the
// later rounds, so that these take less time. The order of the labs is alternately forwards and
// backwards, so that a drift of the machine affects all labs equally.
#pragma once

#include "measure/interrupts.hpp"
#include "measure/lab.hpp"
#include "measure/progress.hpp"
#include "measure/suite_collector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct suite_request {
    std::string suite;
    suite_schedule schedule;
    std::optional<std::string> filter;
};

enum class suite_end { complete, interrupted };

/// Throws lab_error with the lab, the suite and the problem. In every case, the collector then has
/// the events of all processes that finished before.
suite_end run_suite(const suite_request& request, const std::vector<lab>& labs,
                    const interrupts& interrupts, progress& progress, suite_collector& collector);

}  // namespace freehold
