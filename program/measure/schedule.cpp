// SPDX-License-Identifier: BSL-1.0
#include "measure/schedule.hpp"

#include <array>
#include <cstddef>

namespace freehold {
namespace {

struct row {
    std::string_view suite;
    std::array<suite_schedule, 3> modes;
};

// The limits of a mode add up to less than it promises: quick 2 minutes, default 10, full an hour.
// typical_seconds is the processor time that g++'s lab took on two virtual 2.6 GHz cores.
constexpr std::array<row, 5> table = {{
    {"operations", {{{3, 3, 0.002, 6, 24}, {5, 5, 0.01, 52, 178}, {12, 10, 0.02, 466, 1200}}}},
    {"containers", {{{3, 1, 0.002, 18, 44}, {5, 2, 0.01, 58, 203}, {10, 5, 0.01, 280, 800}}}},
    {"footprint", {{{1, 1, 0.002, 0.8, 5}, {1, 1, 0.002, 0.8, 10}, {1, 1, 0.002, 0.8, 10}}}},
    {"cycles", {{{3, 1, 0.002, 17, 44}, {5, 2, 0.01, 56, 203}, {10, 5, 0.01, 280, 800}}}},
    {"", {{{2, 2, 0.002, 10, 30}, {5, 3, 0.01, 50, 150}, {10, 6, 0.02, 240, 600}}}},
}};

}  // namespace

std::string_view mode_name(measure_mode mode) {
    constexpr std::array<std::string_view, 3> names = {"quick", "default", "full"};
    return names[static_cast<std::size_t>(mode)];
}

suite_schedule schedule_for(std::string_view suite, measure_mode mode) {
    std::size_t i = 0;
    while (i + 1 < table.size() && table[i].suite != suite) ++i;
    return table[i].modes[static_cast<std::size_t>(mode)];
}

}  // namespace freehold
