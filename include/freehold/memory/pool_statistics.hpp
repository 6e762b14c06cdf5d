// SPDX-License-Identifier: BSL-1.0
// What a pool tells of itself.
//
// While no thread uses the pool in_use + cached + in_depot == capacity; otherwise each number was
// right at some moment of the question, not all at the same one.
#pragma once

#include <freehold/memory/pool_thread_statistics.hpp>

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

// Numbers of blocks, or of operations since the pool was made.
struct pool_statistics {
    std::string name = {};
    std::size_t capacity = 0;    // had from the upstream and not returned
    std::size_t in_use = 0;      // allocated
    std::size_t cached = 0;      // free, at hand for one thread or another
    std::size_t in_depot = 0;    // free for every thread
    std::size_t high_water = 0;  // the most that were in use or cached: a capacity that suffices
    std::size_t upstream_blocks = 0;  // beyond maximum_capacity, with exhaustion::use_upstream
    std::uint64_t allocations = 0;
    std::uint64_t frees = 0;
    std::uint64_t remote_frees = 0;  // at least
    std::uint64_t refills = 0;
    std::uint64_t exhaustions = 0;  // how often on_exhaustion had to decide
    // Of those that are alive, the one that used the pool last for the first time first. What those
    // did that have exited, and what is done with a checked pool, is in the sums alone.
    std::vector<pool_thread_statistics> threads = {};

    bool operator==(const pool_statistics&) const = default;
};

// A text for people: a line for the whole, and one for each thread.
inline std::ostream& operator<<(std::ostream& to, const pool_statistics& from) {
    to << from.name << ": " << from.capacity << " blocks, " << from.in_use << " in use, "
       << from.cached << " cached, " << from.in_depot << " in the depot, high water "
       << from.high_water << ", " << from.upstream_blocks << " of the upstream; "
       << from.allocations << " allocations, " << from.frees << " frees (at least "
       << from.remote_frees << " on another thread), " << from.refills << " refills, "
       << from.exhaustions << " exhaustions\n";
    for (const char* const heading :
         {"thread", "cached", "allocations", "frees", "remote", "refills"}) {
        to << std::setw(14) << heading;
    }
    to << '\n';
    for (const pool_thread_statistics& each : from.threads) {
        to << std::setw(14) << each.thread << std::setw(14) << each.cached << std::setw(14)
           << each.allocations << std::setw(14) << each.frees << std::setw(14) << each.remote_frees
           << std::setw(14) << each.refills << '\n';
    }
    return to;
}

}  // namespace freehold::inline FREEHOLD_ABI
