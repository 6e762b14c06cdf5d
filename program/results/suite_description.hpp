// SPDX-License-Identifier: BSL-1.0
// What one suite measures, as lab/suites/<suite>/suite.json says it. The result file contains the
// description with the figures. Schedule, tables and comparisons follow from it.
#pragma once

#include "results/json_node.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// How often and how long one mode measures. A round runs every lab once in each kind of process. A
/// round that would end later than limit_seconds after the begin of the suite does not start. The
/// first round always runs.
struct suite_schedule {
    int rounds = 1;
    int repetitions = 1;  // in each process
    double min_time = 0;  // seconds, for each cell and repetition
    double typical_seconds =
        0;                     // of the whole suite for one lab, for the first estimate of the end
    double limit_seconds = 0;  // for all labs together
    std::optional<std::int64_t> data_mebibytes = std::nullopt;  // that the suite reads or fills

    bool operator==(const suite_schedule&) const = default;
};

struct suite_case {
    std::string key;
    std::string label;
    std::string unit;
    std::string parameter;  // what `n` counts; empty if the case has one size
    std::string what;       // one sentence

    bool operator==(const suite_case&) const = default;
};

struct suite_description {
    std::string key;
    std::string title;
    std::int64_t order = 0;  // the suite's place in schedule and page
    bool first = false;      // whether the first page needs it
    std::vector<std::string> processes;
    std::map<std::string, suite_schedule> schedule;  // by mode
    std::vector<std::string> lower_bounds;
    std::vector<suite_case> cases;
    std::string needs;  // what must be installed for an optional suite; empty if nothing
    std::string text;   // the whole description as JSON

    bool operator==(const suite_description&) const = default;

    /// Null if the suite has no such case.
    [[nodiscard]] const suite_case* find_case(const std::string& case_key) const;
};

/// Throws json_error with the path of the member that is missing or wrong.
[[nodiscard]] suite_description suite_description_from(const json_node& node);

}  // namespace freehold
