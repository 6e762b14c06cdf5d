// SPDX-License-Identifier: BSL-1.0
// The sentence that a section opens with, from whatever was measured: a filter may have left out
// any competitor, a compiler may be missing, intervals may overlap.
#pragma once

#include "report/sections/figures.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct ranked {
    std::string name;
    estimate figure;
};

struct ranking {
    ranked lowest;
    std::vector<std::string> alike;  // whose interval overlaps that of the lowest, nearest first
};

/// Nothing where nothing was measured.
[[nodiscard]] std::optional<ranking> rank(const std::vector<ranked>& entries);

/// What one setting measured.
struct ranked_setting {
    std::string label;
    std::vector<ranked> entries;
};

struct finding_words {
    std::string opening;   // "A copy and its release cost least with"
    std::string unit;      // "ns"
    std::string baseline;  // the competitor that the lowest is compared with, by name
    std::string nothing;   // the sentence when no setting measured anything of the kind
    bool exact = false;    // counted: what is equal is equal, and no interval is spoken of
};

/// A sentence longer than this is not remembered; it gives up figures until it is short enough.
constexpr std::size_t finding_length = 160;

/// "OPENING a (1.2 to 1.3 ns), not distinguishable from b; BASELINE takes 8 to 9 times as long."
/// The ranges are those of the settings' medians. Settings are named only where they differ; of the
/// competitors that cannot be told from the lowest, only the nearest is.
[[nodiscard]] std::string lowest_finding(const finding_words& words,
                                         const std::vector<ranked_setting>& settings);

/// "1.2", or "1.2 to 1.3" where they differ as written.
[[nodiscard]] std::string range_text(const std::vector<double>& values);

/// "8.8 times (8.5 to 9.1)"; only the figure where the interval is a point.
[[nodiscard]] std::string times_text(const estimate& ratio);

}  // namespace freehold
