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

/// As many as the program of "Memory and Performance Overhead of Smart Pointers" runs: 1 to 10
/// seconds for each cell.
constexpr std::int64_t published_iterations = 100'000'000;

// The limits of a mode add up to less than it promises: quick 2 minutes, default 8, full an hour.
// typical_seconds is the processor time that g++'s lab took on two virtual 2.6 GHz cores.
constexpr std::array<row, 7> table = {{
    {"operations", {{{3, 2, 0.002, 8, 26}, {4, 4, 0.005, 40, 110}, {10, 8, 0.02, 390, 800}}}},
    {"containers", {{{2, 1, 0.002, 12, 28}, {4, 1, 0.01, 48, 110}, {10, 2, 0.01, 240, 500}}}},
    {"footprint", {{{1, 1, 0.002, 2, 6}, {1, 1, 0.002, 2, 10}, {1, 1, 0.002, 2, 20}}}},
    {"construction",
     {{{2, 1, 0.002, 10, 26},
       {4, 1, 0.01, 40, 110},
       {4, 1, 0.05, 600, 1400, published_iterations}}}},
    {"threads", {{{3, 2, 0.002, 4, 10}, {5, 4, 0.01, 15, 40}, {10, 8, 0.05, 140, 300}}}},
    {"cycles", {{{2, 1, 0.002, 10, 22}, {4, 1, 0.01, 25, 90}, {10, 3, 0.01, 200, 500}}}},
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
