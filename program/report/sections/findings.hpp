// SPDX-License-Identifier: BSL-1.0
// The sentence that a section opens with, from whatever was measured: a filter may have left out
// any competitor, a compiler may be missing, intervals may overlap.
#pragma once

#include "report/sections/figures.hpp"

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
    std::vector<std::string> alike;  // those whose interval overlaps that of the lowest
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
};

/// "OPENING a with g++ (1.2 ns, 1.1 to 1.3; not distinguishable from b) and ...; BASELINE takes 8
/// times as long (7 to 9) with g++ ..."
[[nodiscard]] std::string lowest_finding(const finding_words& words,
                                         const std::vector<ranked_setting>& settings);

/// "8.8 times (8.5 to 9.1)"; only the figure where the interval is a point.
[[nodiscard]] std::string times_text(const estimate& ratio);

/// "10.6 ns (10.4 to 10.8)"
[[nodiscard]] std::string interval_text(const estimate& figure, const std::string& unit);

}  // namespace freehold
