// SPDX-License-Identifier: BSL-1.0
// The cells of the suite `zeroing`, as lab/README.md says which there are.
#pragma once

#include "lab/packets_cells.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <thread>

namespace lab_tests {

/// Each with its parts.
inline names figures_of_lines(const names& tests) {
    names all;
    for (const std::string& test : tests) {
        for (const char* const part :
             {"", ", user", ", system", ", wall", ", faults", ", memset"}) {
            all.insert(test + part);
        }
    }
    return all;
}

inline const names line_tests = {"memcpy, kept", "memcpy, ring",      "pread, kept",
                                 "pread, ring",  "TCP receive, kept", "TCP receive, ring"};

inline std::set<cell> expected_cells_of_zeroing() {
    std::set<cell> cells;
    add_cells(cells,
              {"floor", "std::make_shared", "std::make_shared, constructor",
               "std::make_shared_for_overwrite", "std::vector", "boost::make_shared_noinit",
               "calloc", "freehold::default_init_allocator", "freehold::page_resource",
               "freehold::page_resource, prefaulted", "freehold::page_resource, huge",
               "freehold::page_resource, huge, prefaulted", "freehold::pool",
               "freehold::pool, huge", "mimalloc", "jemalloc", "tcmalloc"},
              figures_of_lines(line_tests));
    add_cells(
        cells,
        {"floor", "freehold::pool", "freehold::pool, huge", "freehold::pool, huge, in children"},
        figures_of_lines({"memcpy, kept, after a fork"}));
    const int threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    for (const std::string maker :
         {"std::make_shared", "std::make_shared, constructor", "std::make_shared_for_overwrite"}) {
        for (const std::string test :
             {"seed, small", "seed, large", "seed, small, written", "seed, large, written"}) {
            cells.emplace(maker, test, 1);
        }
        cells.emplace(maker, "seed, large, written, all threads", threads);
    }
    return cells;
}

}  // namespace lab_tests
