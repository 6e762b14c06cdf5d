// SPDX-License-Identifier: BSL-1.0
// How long is measured, and how often: the one table of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace freehold {

enum class measure_mode { quick, standard, full };

/// As the result file and the user call it: "quick", "default", "full".
[[nodiscard]] std::string_view mode_name(measure_mode mode);

/// A round runs every lab once in each kind of process. No round but the first is begun that would
/// end later than limit_seconds after the suite began: a slow machine gets fewer rounds, not a
/// longer wait.
struct suite_schedule {
    int rounds;
    int repetitions;         // in each process
    double min_time;         // seconds, for each cell and repetition
    double typical_seconds;  // of the whole suite for one lab, for the first estimate of the end
    double limit_seconds;    // for all labs together
    /// Of the tests `seed ...`, whatever the minimum time; by default what fills it.
    std::optional<std::int64_t> seed_iterations = std::nullopt;
    /// MiB of what a suite reads or fills; by default what the lab takes.
    std::optional<std::int64_t> data_mebibytes = std::nullopt;
};

/// A suite that the table does not name has a row of its own: labs may be newer than the program.
[[nodiscard]] suite_schedule schedule_for(std::string_view suite, measure_mode mode);

}  // namespace freehold
