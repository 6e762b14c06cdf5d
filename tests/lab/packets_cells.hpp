// SPDX-License-Identifier: BSL-1.0
// The cells of the suite `packets`, as lab/README.md says which there are.
#pragma once

#include <set>
#include <string>
#include <tuple>

namespace lab_tests {

/// Competitor, test, and its size: -1, for the tests of `packets` have none.
using cell = std::tuple<std::string, std::string, int>;
using names = std::set<std::string>;

inline names with(names some, const names& others) {
    some.insert(others.begin(), others.end());
    return some;
}

inline void add_cells(std::set<cell>& to, const names& competitors, const names& tests) {
    for (const std::string& competitor : competitors) {
        for (const std::string& test : tests) to.emplace(competitor, test, -1);
    }
}

inline std::set<cell> expected_cells_of_packets() {
    const names with_bulk = {"freehold::pool", "mutex and vector", "rte_mempool, ring",
                             "rte_mempool, stack", "rte_mempool, lf_stack"};
    const names by_any_thread =
        with(with_bulk, {"glibc", "mimalloc", "mimalloc 3", "snmalloc", "jemalloc", "tcmalloc",
                         "TBB", "boost::singleton_pool", "boost::fast_pool_allocator",
                         "foonathan::memory", "std::pmr::synchronized_pool_resource"});
    std::set<cell> cells;
    const std::string not_counted = "freehold::pool, not counted";
    add_cells(cells,
              with(by_any_thread, {"floor", not_counted, "std::pmr::unsynchronized_pool_resource"}),
              {"same thread, one", "same thread, burst", "same thread, fifo"});
    add_cells(cells, with(with_bulk, {"floor", not_counted}), {"same thread, bulk"});
    add_cells(cells, with(by_any_thread, {"floor", not_counted, "freehold::pool, one by one"}),
              {"across, untouched", "across, 64 bytes", "across, whole packet",
               "several, untouched", "several, 64 bytes", "several, whole packet"});

    names handles = {"floor",
                     "floor, arc",
                     "freehold::allocate_shared(pool)",
                     "freehold::allocate_arc(pool)",
                     "freehold::allocate_arc(pool), bursts",
                     "freehold::allocate_arc(pool), bursts, not checked"};
    for (const std::string& each : by_any_thread) {
        handles.insert("std::allocate_shared over " + each);
    }
    add_cells(
        cells, handles,
        {"shared across, untouched", "shared across, 64 bytes", "shared across, whole packet",
         "shared several, untouched", "shared several, 64 bytes", "shared several, whole packet"});

    const names ways = {"std::shared_ptr(new)",
                        "std::make_shared",
                        "std::shared_ptr(pool, deleter)",
                        "std::allocate_shared(pool)",
                        "new and delete",
                        "freehold::pool",
                        "std::make_shared_for_overwrite",
                        "std::allocate_shared_for_overwrite(pool)",
                        "freehold::make_shared",
                        "freehold::make_shared_for_overwrite",
                        "freehold::allocate_shared(pool)",
                        "freehold::allocate_shared_for_overwrite(pool)",
                        "freehold::allocate_arc(pool)",
                        "freehold::allocate_arc_for_overwrite(pool)"};
    add_cells(cells, ways,
              {"six ways", "six ways, zeroed", "zeroing probe", "zeroing probe, zeroed",
               "zeroing probe, no constructor", "zeroing probe, libc++",
               "zeroing probe, zeroed, libc++", "zeroing probe, no constructor, libc++"});
    return cells;
}

}  // namespace lab_tests
