// SPDX-License-Identifier: BSL-1.0
// Runs one suite: in every round each lab in each kind of process, the labs in turn forwards and
// backwards, so that a drift of the machine falls on all of them alike.
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

/// Throws lab_error with the lab, the suite and what went wrong. However it ends, the collector has
/// what the processes that were done by then reported.
suite_end run_suite(const suite_request& request, const std::vector<lab>& labs,
                    const interrupts& interrupts, progress& progress, suite_collector& collector);

}  // namespace freehold
