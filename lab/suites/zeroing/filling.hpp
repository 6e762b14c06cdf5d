// SPDX-License-Identifier: BSL-1.0
// The kernel of the suite. It makes lines in one way and fills them in one way. It keeps all lines,
// or as many as a ring holds.
#pragma once

#include <freehold/memory/pages.hpp>

#include "suites/common/barrier.hpp"
#include "suites/zeroing/costs.hpp"
#include "suites/zeroing/fillers.hpp"
#include "suites/zeroing/forked_child.hpp"
#include "suites/zeroing/held_memory.hpp"
#include "suites/zeroing/line.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace lab::lines {

enum class keeping { all, ring, all_after_fork };
inline const char* name_of(keeping how) {
    switch (how) {
        case keeping::all:
            return "kept";
        case keeping::ring:
            return "ring";
        case keeping::all_after_fork:
            return "kept.after_a_fork";
    }
    return "";
}

/// A ring holds an eighth of the lines: 16 lines of the 128 in a GiB.
inline std::size_t live_lines(keeping how, std::size_t lines) {
    return how == keeping::ring ? std::max<std::size_t>(lines / 8, 1) : lines;
}

/// Returns the seconds to set `lines` lines to zero if they already have their pages. It is
/// measured on some of the made lines.
template <class Way>
double seconds_to_zero(std::vector<typename Way::owner>& made, std::size_t lines) {
    const std::size_t some = std::min<std::size_t>(made.size(), 4);
    const processor_clock clock(processor_clock::of::thread);
    const double begin = clock.seconds();
    for (std::size_t i = 0; i < some; ++i) {
        std::memset(Way::bytes(made[i]), 0, line_bytes);
        barrier();
    }
    return (clock.seconds() - begin) / static_cast<double>(some) * static_cast<double>(lines);
}

/// Fills a line once, so that the next time takes only the time to fill.
inline void fill_elsewhere(const filler& source) {
    freehold::page_resource pages({.huge = freehold::huge_pages::transparent});
    void* const place = pages.allocate(line_bytes);
    source.fill(static_cast<std::byte*>(place));
    pages.deallocate(place, line_bytes);
}

/// With a ring, the oldest line is dropped before the next is made. Lines that exist at the end are
/// dropped after the measurement.
template <class Way>
costs fill_lines(const filler_kind& kind, keeping how, std::size_t lines) {
    const std::size_t live = live_lines(how, lines);
    hold_memory((live + live / 8 + 2) * line_bytes);
    const auto source = kind.make((lines + 1) * line_bytes);
    Way way(live);
    std::vector<typename Way::owner> made(live);
    std::optional<forked_child> child;
    if (how == keeping::all_after_fork) child.emplace();

    // After the fork, all memory outside the lines gets its private pages here, before the first
    // line is filled.
    if (how == keeping::all_after_fork) {
        for (auto& each : made) each = way.make();
    }
    for (auto& each : made) each = typename Way::owner();
    fill_elsewhere(*source);
    static_cast<void>(cost_meter().read());

    const processor_clock clock(processor_clock::of::thread);
    double making = 0;
    const cost_meter meter;
    for (std::size_t i = 0; i < lines; ++i) {
        typename Way::owner& place = made[i % live];
        place = typename Way::owner();
        const double begin = clock.seconds();
        place = way.make();
        std::byte* const bytes = Way::bytes(place);
        escape(bytes);  // otherwise the compiler might remove a memset whose bytes are overwritten
        making += clock.seconds() - begin;
        source->fill(bytes);
        barrier();
    }
    costs all = meter.read();
    if (Way::zeroes) all.memset = std::min(making, seconds_to_zero<Way>(made, lines));
    return all;
}

/// Returns the key of a cell's case, such as "memcpy.kept".
inline std::string case_of(const filler_kind& kind, keeping how) {
    return std::string(kind.key) + "." + name_of(how);
}

}  // namespace lab::lines
