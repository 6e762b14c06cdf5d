// SPDX-License-Identifier: BSL-1.0
// One run of `freehold handles`: the counts and the costs.
#pragma once

#include "handles/counted_lines.hpp"
#include "handles/operation_costs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// How a run was sampled.
struct sampling {
    std::string event;
    std::string precision;  // a sentence on the precision of the event
    std::uint64_t samples = 0;
    std::uint64_t lost = 0;
};

struct handles_run {
    std::vector<std::string> command;
    int exit_status = 0;  // of the program, under Valgrind
    handle_counts counts;
    operation_costs costs;
    std::optional<sampling> sampled;    // if set, the lines have only their samples
    std::optional<double> cpu_seconds;  // of the program without Valgrind, if known
    std::string why_no_share;           // if not, the reason

    [[nodiscard]] double nanoseconds() const { return time().usual; }
    [[nodiscard]] time_interval time() const;
    /// Returns the share of the program's run without Valgrind.
    [[nodiscard]] std::optional<double> share(double nanoseconds) const;
};

struct type_total {
    std::string pointee;
    std::string handle;
    std::uint64_t operations = 0, plain = 0, weak = 0, last = 0, sole = 0, left_shared = 0;
    std::uint64_t foreign = 0, apart = 0, weak_locks = 0;
    type_objects objects;
    time_interval time;    // in nanoseconds
    std::size_t line = 0;  // the line that makes most objects, or most copies
};

/// Returns the totals, the most expensive first, without lines of unknown type.
[[nodiscard]] std::vector<type_total> types_of(const handles_run& run);

/// Returns the indices of the lines, the most expensive first.
[[nodiscard]] std::vector<std::size_t> lines_by_time(const handles_run& run);

/// Sets `name` of each line.
void name_files(std::vector<counted_line>& lines);

/// Returns "file.cpp:12", or the module's name if no line is known. Appends "(called)" if the line
/// may call the code that counts, and "(merged)" if its function or type may be another.
[[nodiscard]] std::string place_of(const counted_line& line);
/// Returns the pointee, or the handle if the pointee is unknown.
[[nodiscard]] std::string type_of(const counted_line& line);

}  // namespace freehold
