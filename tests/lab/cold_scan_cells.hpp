// SPDX-License-Identifier: BSL-1.0
// The cells of the suite `cold_scan`, as lab/README.md says which there are.
#pragma once

#include "lab/packets_cells.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <thread>

namespace lab_tests {

inline std::set<cell> expected_cells_of_cold_scan() {
    const names kept = {"libcurl, std::make_shared", "libcurl, std::make_shared, constructor",
                        "freehold::line_cache, all kept"};
    const names caches = {"freehold::line_cache", "freehold::line_cache, all kept"};
    const names all = with(with(kept, caches),
                           {"floor", "libcurl, one buffer", "libcurl, std::vector<char>",
                            "libcurl, std::make_shared, bounded", "libcurl, recycled huge lines"});
    std::set<cell> cells;
    add_cells(cells, all,
              {"cold, wall", "cold, processor", "cold, user", "cold, system", "cold, faults",
               "cold, memory", "profile, page faults", "profile, zeroing by the kernel",
               "profile, zeroing in the program", "profile, copying from the kernel",
               "profile, copying in the program", "profile, the scan", "profile, receiving",
               "profile, the rest"});
    add_cells(cells, kept,
              {"warm, wall", "warm, processor", "warm, user", "warm, system", "warm, faults"});
    add_cells(cells, caches, {"cold, line memory", "line memory, bound"});
    add_cells(cells, {"freehold::line_cache"}, {"requests of 64 readers"});
    for (const std::string& way : all) {
        for (int part = 1; part <= 40; ++part) {
            cells.emplace(way, "cold, user over time", part);
            cells.emplace(way, "cold, system over time", part);
        }
    }
    const int most = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    for (const std::string cache :
         {"floor", "freehold::line_cache", "mutex, map and std::shared_ptr"}) {
        for (int threads = 1; threads < most; threads *= 2) {
            cells.emplace(cache, "warm get", threads);
        }
        cells.emplace(cache, "warm get", most);
    }
    return cells;
}

}  // namespace lab_tests
