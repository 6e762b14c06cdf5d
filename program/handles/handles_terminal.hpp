// SPDX-License-Identifier: BSL-1.0
// The text of a run of `freehold handles`.
#pragma once

#include "handles/advice.hpp"
#include "handles/handles_run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// Returns the number of operations, their time, and its share of the run.
[[nodiscard]] std::string finding_of(const handles_run& run);

/// Returns a text such as "2 ms", or "1 ms to 3 ms" if the costs were not steady.
[[nodiscard]] std::string usual_text(const time_interval& nanoseconds);
/// Returns a text such as "2 ms (1 ms to 3 ms)": the usual time and the interval of possible ones.
/// If the costs were not steady, it is the interval alone.
[[nodiscard]] std::string estimate_text(const time_interval& nanoseconds);
/// Returns the usual share of the run, or the interval likewise; nothing if the run is unknown.
[[nodiscard]] std::optional<std::string> usual_share(const handles_run& run,
                                                     const time_interval& nanoseconds);

/// Returns the total gain of the pieces of advice that are too small to be shown.
[[nodiscard]] std::string folded_text(const handles_run& run, const given_advice& advice);

/// Returns sentences on what may be wrong or missing in the figures.
[[nodiscard]] std::vector<std::string> doubts_of(const handles_run& run);

/// Returns the whole report, at most 40 lines.
[[nodiscard]] std::string terminal_text(const handles_run& run, const given_advice& advice);

}  // namespace freehold
