// SPDX-License-Identifier: BSL-1.0
// Makes the first sentence of a section from any set of measurements: a filter may have left out
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
    std::vector<std::string> alike;  // their intervals overlap that of the lowest; nearest first
};

/// Empty if nothing was measured.
[[nodiscard]] std::optional<ranking> rank(const std::vector<ranked>& entries);

/// The measurements of one setting.
struct ranked_setting {
    std::string label;
    std::vector<ranked> entries;
};

struct finding_words {
    std::string opening;   // "A copy and its release takes least time with"
    std::string unit;      // "ns"
    std::string baseline;  // the lowest is compared with this competitor, by name
    std::string nothing;   // the sentence if no setting measured anything of this kind
    bool exact = false;    // the figures are counted: equal figures are equal, and have no interval
};

/// A longer sentence is hard to remember. It loses figures until it is short enough.
constexpr std::size_t finding_length = 160;

/// "OPENING a (1.2 to 1.3 ns), not distinguishable from b; BASELINE takes 8 to 9 times as long."
/// The ranges are those of the settings' medians. Settings are named only if they differ. Of the
/// competitors that are not distinguishable from the lowest, only the nearest is named.
[[nodiscard]] std::string lowest_finding(const finding_words& words,
                                         const std::vector<ranked_setting>& settings);

/// "1.2", or "1.2 to 1.3" if the two texts differ.
[[nodiscard]] std::string range_text(const std::vector<double>& values);

/// "8.8 times (8.5 to 9.1)", or only the figure if the interval is a point.
[[nodiscard]] std::string times_text(const estimate& ratio);

}  // namespace freehold
