// SPDX-License-Identifier: BSL-1.0
// One run of `freehold handles`: what was counted, and what it costs.
#pragma once

#include "handles/counted_lines.hpp"
#include "handles/operation_costs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// How a run was sampled, and how often in all.
struct sampling {
    std::string event;
    std::string precision;  // what to know of it, in a sentence
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;
};

struct handles_run {
    std::vector<std::string> command;
    int exit_status = 0;  // of the program, under Valgrind
    handle_counts counts;
    operation_costs costs;
    std::optional<sampling> sampled;    // then a line has no other figure than its samples
    std::optional<double> cpu_seconds;  // of the program without Valgrind, if that is known
    std::string why_no_share;           // else the reason

    [[nodiscard]] double nanoseconds() const;
    /// Of the program's run without Valgrind.
    [[nodiscard]] std::optional<double> share(double nanoseconds) const;
};

struct type_total {
    std::string pointee;
    std::string handle;
    std::uint64_t operations = 0, plain = 0, weak = 0, last = 0, sole = 0, left_shared = 0;
    std::uint64_t foreign = 0, apart = 0, weak_locks = 0;
    double nanoseconds = 0;
    std::size_t line = 0;  // the one with the most objects made, or the most copies
};

/// The most expensive first. Lines of unknown type are in none.
[[nodiscard]] std::vector<type_total> types_of(const handles_run& run);

/// Their indices, the most expensive first.
[[nodiscard]] std::vector<std::size_t> lines_by_time(const handles_run& run);

/// Sets `name` of each line.
void name_files(std::vector<counted_line>& lines);

/// "file.cpp:12"; the module's name where no line is known.
[[nodiscard]] std::string place_of(const counted_line& line);
/// What a table shows of it: the pointee, or the handle where that is unknown.
[[nodiscard]] std::string type_of(const counted_line& line);

}  // namespace freehold
