// SPDX-License-Identifier: BSL-1.0
// A run of `freehold handles` as text.
#pragma once

#include "handles/advice.hpp"
#include "handles/handles_run.hpp"

#include <string>
#include <vector>

namespace freehold {

/// One sentence: how many operations, what they take, and of what run.
[[nodiscard]] std::string finding_of(const handles_run& run);

/// "1 ms to 3 ms", by the function that writes one of them.
[[nodiscard]] std::string interval_text(const time_interval& each, std::string (*text)(double));

/// What the pieces of advice gain together that are too small to be shown.
[[nodiscard]] std::string folded_text(const handles_run& run, const given_advice& advice);

/// What the counted figures leave open, each in a sentence.
[[nodiscard]] std::vector<std::string> doubts_of(const handles_run& run);

/// At most 40 lines.
void print(const handles_run& run, const given_advice& advice);

}  // namespace freehold
