// SPDX-License-Identifier: BSL-1.0
#include "report/sections/cold_scan.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace freehold {

namespace {

struct scan_aim {
    std::string what;
    std::string competitor;
    std::string test;
    std::string reference;       // a competitor; empty where the figure itself is limited
    std::string reference_test;  // of it
    double at_most;
    std::string unit;  // where the figure itself is limited
};

/// Times as long by the clock as the cache's scan, at least.
constexpr double faster_by_the_clock = 1.4;

std::vector<scan_aim> wanted_aims() {
    const std::string processor = "cold, processor";
    const std::string wall = "cold, wall";
    std::vector<scan_aim> all;
    all.push_back({"line_cache, CPU: make_shared", cached_scan, processor, published_scan,
                   processor, 0.5, ""});
    all.push_back({"line_cache, time: make_shared", cached_scan, wall, published_scan, wall,
                   std::floor(1000 / faster_by_the_clock) / 1000, ""});
    all.push_back({"line_cache, CPU: one buffer", cached_scan, processor, one_buffer_scan,
                   processor, 1.10, ""});
    for (const auto& [name, label] :
         {std::pair(cached_scan, "line_cache"), std::pair(cached_scan_all_kept, "all kept")}) {
        all.push_back({fmt::format("{}, line memory: its bound", label), name, "cold, line memory",
                       name, "line memory, bound", 1.0, ""});
    }
    all.push_back(
        {"requests of 64 readers of a line", cached_scan, "requests of 64 readers", "", "", 1, ""});
    all.push_back({"faults in a warm GiB", cached_scan_all_kept, "warm, faults", "", "", 8, ""});
    all.push_back({"warm get, 1 thread", cached_scan, "warm get", "", "", 60, "ns"});
    return all;
}

/// What the figure is a ratio to, as the table calls it.
std::string reference_of(const scan_aim& wanted) {
    if (wanted.reference.empty()) return "";
    return wanted.reference == wanted.competitor ? "its bound" : wanted.reference;
}

aim_figure figure_of(const scan_aim& wanted, const setting& where,
                     const cold_scan_figures& figures) {
    const auto own = figures.find(where, wanted.competitor, wanted.test);
    if (!own) return {};
    if (wanted.reference.empty()) return {own, {}};
    const auto reference = figures.find(where, wanted.reference, wanted.reference_test);
    if (!reference) return {std::nullopt, reference_of(wanted)};
    return {ratio(*own, *reference), {}};
}

}  // namespace

aims_result cold_scan_aims_of(const cold_scan_figures& figures) {
    static const auto wanted = wanted_aims();
    std::vector<aim_row> rows;
    for (const auto& each : wanted) {
        rows.push_back({each.what, reference_of(each), each.at_most, each.unit});
    }
    return aims_of({.id = "cold-scan-aims",
                    .caption = "What freehold's line_cache is to reach, and what it does",
                    .note = "Aims are ratios to what the same run measured, or limits. Time is by "
                            "the wall clock: 0.714 is 1.4 times as fast. Line memory is the most "
                            "that the cache held at any moment, pinned lines included. Unsure: the "
                            "aim lies within the interval.",
                    .row_header = "what"},
                   rows, figures.settings(), [&](std::size_t index, const setting& where) {
                       return figure_of(wanted[index], where, figures);
                   });
}

}  // namespace freehold
