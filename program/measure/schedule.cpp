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

// The limits of a mode add up to little more than it promises: quick about 6 minutes, default 18,
// full an hour and three quarters. typical_seconds is the processor time that g++'s lab took on two
// virtual 2.6 GHz cores.
constexpr std::array<row, 11> table = {{
    {"operations", {{{3, 2, 0.001, 8, 18}, {4, 3, 0.003, 41, 110}, {8, 5, 0.01, 408, 850}}}},
    {"containers", {{{2, 1, 0.002, 26, 54}, {5, 1, 0.01, 64, 140}, {10, 2, 0.01, 256, 530}}}},
    {"footprint", {{{1, 1, 0.002, 2, 6}, {1, 1, 0.002, 2, 10}, {1, 1, 0.002, 2, 20}}}},
    {"construction",
     {{{2, 1, 0.002, 13, 28},
       {5, 1, 0.005, 42, 105},
       {4, 1, 0.02, 740, 1520, published_iterations}}}},
    {"threads", {{{3, 1, 0.002, 4, 12}, {5, 2, 0.004, 18, 45}, {5, 3, 0.02, 120, 300}}}},
    {"packets", {{{2, 1, 0.002, 35, 115}, {4, 2, 0.005, 110, 240}, {6, 4, 0.02, 400, 900}}}},
    {"zeroing",
     {{{2, 1, 0.002, 20, 50, {}, 128},
       {4, 1, 0.002, 55, 120, {}, 256},
       {6, 1, 0.002, 400, 900, {}, 1024}}}},
    {"cold_scan",
     {{{1, 2, 0.002, 24, 60, {}, 256},
       {1, 2, 0.005, 80, 180, {}, 1024},
       {3, 3, 0.02, 500, 1200, {}, 2048}}}},
    {"buffers", {{{2, 1, 0.002, 11, 24}, {4, 2, 0.005, 36, 78}, {6, 3, 0.02, 108, 230}}}},
    {"cycles", {{{2, 1, 0.002, 11, 24}, {5, 1, 0.01, 28, 65}, {10, 3, 0.01, 165, 350}}}},
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
