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

// The limits of a mode add up to what it promises: quick 2 minutes, default 10, full 45.
// typical_seconds is what two 2.6 GHz cores of a virtual machine took.
constexpr std::array<row, 5> table = {{
    {"operations", {{{2, 3, 0.002, 8, 25}, {5, 5, 0.01, 60, 150}, {10, 10, 0.02, 300, 900}}}},
    {"containers", {{{2, 1, 0.001, 20, 45}, {4, 3, 0.01, 80, 240}, {8, 6, 0.01, 300, 900}}}},
    {"footprint", {{{1, 1, 0.001, 3, 10}, {1, 1, 0.001, 3, 10}, {1, 1, 0.001, 3, 10}}}},
    {"cycles", {{{2, 1, 0.001, 10, 35}, {4, 3, 0.01, 60, 180}, {8, 6, 0.01, 240, 800}}}},
    {"", {{{2, 2, 0.002, 10, 30}, {4, 4, 0.01, 50, 120}, {8, 8, 0.02, 240, 600}}}},
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
