// SPDX-License-Identifier: BSL-1.0
// What it is: the statistics of one thread's use of a pool.
// When to use it: as an element of pool_statistics::threads.
// Example: `packets.statistics().threads.front().remote_frees`
//
// Units: blocks now for `cached`, and numbers of operations since the thread first used the pool.
// Complexity, thread safety: a plain struct; see pool_statistics for when its numbers were right.
// Exceptions: none.
// Ownership: a value.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/thread_number.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

struct pool_thread_statistics {
    // The system's number of the thread, as top, perf and gdb show it.
    detail::thread_number thread = 0;
    std::size_t cached = 0;          // free blocks that only this thread can allocate
    std::uint64_t allocations = 0;   // blocks that the thread allocated
    std::uint64_t frees = 0;         // blocks that the thread freed
    std::uint64_t remote_frees = 0;  // a lower bound: frees beyond its own allocations
    std::uint64_t refills = 0;       // of its cache from the depot

    // Adds the numbers of another thread. `thread` does not change.
    pool_thread_statistics& operator+=(const pool_thread_statistics& other) noexcept {
        cached += other.cached;
        allocations += other.allocations;
        frees += other.frees;
        remote_frees += other.remote_frees;
        refills += other.refills;
        return *this;
    }
    // Compares all figures.
    bool operator==(const pool_thread_statistics&) const = default;
};

}  // namespace freehold::inline FREEHOLD_ABI
