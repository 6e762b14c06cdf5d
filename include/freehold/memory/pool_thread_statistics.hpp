// SPDX-License-Identifier: BSL-1.0
// What one thread did with a pool.
#pragma once

#include <freehold/config.hpp>
#include <freehold/platform/thread_number.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

struct pool_thread_statistics {
    detail::thread_number thread =
        0;                   // the system's number of the thread, as top, perf and gdb show it
    std::size_t cached = 0;  // free blocks that only this thread can take
    std::uint64_t allocations = 0;
    std::uint64_t frees = 0;
    std::uint64_t remote_frees = 0;  // at least: frees beyond its own allocations
    std::uint64_t refills = 0;       // of its cache by the depot

    // Adds the numbers of another thread; `thread` stays.
    pool_thread_statistics& operator+=(const pool_thread_statistics& other) noexcept {
        cached += other.cached;
        allocations += other.allocations;
        frees += other.frees;
        remote_frees += other.remote_frees;
        refills += other.refills;
        return *this;
    }
    bool operator==(const pool_thread_statistics&) const = default;
};

}  // namespace freehold::inline FREEHOLD_ABI
