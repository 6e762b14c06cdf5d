// SPDX-License-Identifier: BSL-1.0
// The lines that ranges of an object touch, as runs of adjacent lines: each line once, in order.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <arrow/io/interfaces.h>

namespace freehold::inline FREEHOLD_ABI::detail {

struct line_run {
    std::uint64_t first = 0;  // the number of the first line
    std::uint64_t lines = 0;
};

// Ranges are cut at `object_size`. Ranges that are negative, empty or beyond it have no lines.
inline std::vector<line_run> line_runs(const std::vector<arrow::io::ReadRange>& ranges,
                                       std::uint64_t object_size, std::uint64_t line_size) {
    std::vector<line_run> runs;
    runs.reserve(ranges.size());
    for (const arrow::io::ReadRange& range : ranges) {
        if (range.offset < 0 || range.length <= 0) continue;
        const auto begin = static_cast<std::uint64_t>(range.offset);
        if (begin >= object_size) continue;
        const std::uint64_t size =
            std::min(static_cast<std::uint64_t>(range.length), object_size - begin);
        const std::uint64_t first = begin / line_size;
        runs.push_back({first, (begin + size - 1) / line_size - first + 1});
    }
    std::sort(runs.begin(), runs.end(),
              [](const line_run& a, const line_run& b) { return a.first < b.first; });
    std::vector<line_run> merged;
    merged.reserve(runs.size());
    for (const line_run& run : runs) {
        const std::uint64_t end = merged.empty() ? 0 : merged.back().first + merged.back().lines;
        if (!merged.empty() && run.first <= end) {
            merged.back().lines = std::max(end, run.first + run.lines) - merged.back().first;
        } else {
            merged.push_back(run);
        }
    }
    return merged;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
