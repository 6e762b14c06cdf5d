// SPDX-License-Identifier: BSL-1.0
#include "line/line_geometry.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

std::vector<line_run> line_runs(std::span<const byte_range> ranges, const line_geometry& geometry,
                                std::uint64_t most) {
    std::vector<line_run> runs;
    runs.reserve(ranges.size());
    for (const byte_range& range : ranges) {
        if (range.size == 0) continue;
        const std::uint64_t size =
            std::min(range.size, std::numeric_limits<std::uint64_t>::max() - range.offset);
        const std::uint64_t first = geometry.number_at(range.offset);
        runs.push_back({first, geometry.number_at(range.offset + size - 1) - first + 1});
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
    for (auto run = merged.begin(); run != merged.end(); ++run) {
        run->lines = std::min(run->lines, most);
        most -= run->lines;
        if (most == 0) {
            merged.erase(run + 1, merged.end());
            break;
        }
    }
    return merged;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
