// SPDX-License-Identifier: BSL-1.0
// The cells of the suite `buffers`, as lab/README.md says which there are.
#pragma once

#include "lab/packets_cells.hpp"

#include <initializer_list>
#include <map>
#include <set>
#include <string>

namespace lab_tests {

inline const std::map<std::string, int> settings_of_policies = {
    {"greedy_dual_fit", 11},
    {"greedy_dual_fit, hits alike", 11},
    {"keep_largest", 7},
    {"keep_first_below", 8},
    {"linear_buckets", 8},
    {"geometric_buckets", 10},
    {"power_of_two_buckets", 10},
    {".NET ArrayPool", 6},
    {"Netty", 6},
    {"bytebufferpool", 6},
    {"Jetty", 6},
    {"jemalloc tcache", 6},
};

/// How many bounds there are until all pairs are kept, and the binary logarithms of the sizes that
/// are priced.
struct buffers_workload {
    int bounds_of_optimum;
    std::set<int> sizes;
};

inline std::set<int> from_to(int first, int last) {
    std::set<int> all;
    for (int each = first; each <= last; ++each) all.insert(each);
    return all;
}

inline const std::map<std::string, buffers_workload> workloads_of_buffers = {
    {"article", {10, from_to(7, 20)}}, {"article, steep", {5, from_to(7, 15)}},
    {"network", {11, from_to(6, 22)}}, {"pages", {11, {12, 13, 14, 16, 18, 20}}},
    {"phases", {11, from_to(7, 17)}},  {"across threads", {11, from_to(6, 22)}},
};

inline void add_fronts(std::set<cell>& cells) {
    const auto add = [&](const std::string& competitor, const std::string& work, int settings) {
        for (int n = 1; n <= settings; ++n) {
            for (const std::string figure :
                 {"hit rate", "used", "idle", "unused", "allocator calls", "time saved"}) {
                cells.emplace(competitor, work + ": " + figure, n);
            }
        }
    };
    for (const auto& [work, facts] : workloads_of_buffers) {
        for (const auto& [policy, settings] : settings_of_policies) add(policy, work, settings);
        add("offline optimum", work, facts.bounds_of_optimum);
        for (const int size : facts.sizes) {
            cells.emplace("glibc", work + ": allocator price", 1 << size);
        }
    }
}

inline void add_article(std::set<cell>& cells) {
    std::set<int> printed;
    for (int step = 0; step <= 500; step += 100) printed.insert(step);
    for (int step = 37200; step <= 37900; step += 100) printed.insert(step);
    for (const std::string policy : {"keep_largest", "keep_first_below", "greedy_dual_fit"}) {
        for (const int step : printed) cells.emplace(policy, "article, used", step);
        for (int step = 10000; step <= 1000000; step += 10000) {
            cells.emplace(policy, "article, used", step);
        }
        if (policy == "greedy_dual_fit") continue;
        for (const std::string figure : {"buffers", "bytes asked for", "bytes handed out"}) {
            for (const int step : printed) cells.emplace(policy, "article, " + figure, step);
        }
    }
}

inline std::set<cell> expected_cells_of_buffers() {
    std::set<cell> cells;
    add_fronts(cells);
    add_article(cells);
    const names across = {"floor",
                          "freehold::buffer_cache",
                          "freehold::buffer_cache, session",
                          "glibc",
                          "mimalloc",
                          "jemalloc",
                          "tcmalloc"};
    for (const std::string& way : across) {
        for (const int size : {64, 1024, 16384, 65536}) {
            cells.emplace(way, "returned across threads", size);
        }
    }
    for (const std::string& way : with(across, {"freehold::buffer_cache, not counted"})) {
        for (const int size : {64, 256, 1024, 4096, 16384, 65536, 1048576}) {
            cells.emplace(way, "get and put", size);
        }
    }
    for (const std::string policy : {"keep_largest", "keep_first_below", "linear_buckets",
                                     "geometric_buckets", "power_of_two_buckets"}) {
        cells.emplace(policy, "get and put", 1024);
    }
    return cells;
}

}  // namespace lab_tests
