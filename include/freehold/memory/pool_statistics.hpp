// SPDX-License-Identifier: BSL-1.0
// What it is: the statistics of a pool.
// When to use it: to choose maximum_capacity and magazine_size, and to find leaked blocks.
// Example: `std::cout << packets.statistics();`
//
// Units: numbers of blocks now, and numbers of operations since the construction of the pool.
// Complexity: linear in the number of threads that use the pool.
// Thread safety: a snapshot. If no thread uses the pool, in_use + cached + in_depot == capacity.
// Otherwise each number was right at some moment during the call, but not all at the same moment.
// Exceptions: copying may throw std::bad_alloc. The output operator throws what the stream throws.
// Ownership: a value; it does not refer to the pool.
// Source: none.
#pragma once

#include <freehold/memory/pool_thread_statistics.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

struct pool_statistics {
    // The pool's name.
    std::string name = {};
    std::size_t capacity = 0;         // held from the upstream
    std::size_t in_use = 0;           // allocated
    std::size_t cached = 0;           // free, in the caches of threads
    std::size_t in_depot = 0;         // free, available to all threads
    std::size_t high_water = 0;       // the most in use or cached at once: a sufficient capacity
    std::size_t upstream_blocks = 0;  // beyond maximum_capacity, by exhaustion::use_upstream
    std::uint64_t allocations = 0;    // blocks allocated so far
    std::uint64_t frees = 0;          // blocks freed so far
    std::uint64_t remote_frees = 0;   // a lower bound
    std::uint64_t refills = 0;        // of thread caches from the depot
    std::uint64_t exhaustions = 0;    // how often on_exhaustion applied
    // The live threads with a cache. The thread that used the pool first comes last. The sums above
    // also include threads that have exited, threads without a cache, and the operations of checked
    // pools.
    std::vector<pool_thread_statistics> threads = {};

    // Compares all figures.
    bool operator==(const pool_statistics&) const = default;
};

// Writes a line for the pool, a line of headings, and one line for each thread.
FREEHOLD_API std::ostream& operator<<(std::ostream& to, const pool_statistics& from);

}  // namespace freehold::inline FREEHOLD_ABI

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/detail/pool_statistics_inl.hpp>
#endif
