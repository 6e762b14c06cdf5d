// SPDX-License-Identifier: BSL-1.0
// What it is: what a line_cache reports: of the whole cache, of the waits of its readers, and of
// the cost of one line.
// When to use it: to find the right capacity. A high `refetched` means that it is too small; a high
// `bytes_wasted` means that `prefetch` is too large.
// Example: `std::cout << cache.statistics();`, or `cache.statistics().waits.quantile(0.99)`
//
// Units: bytes of line memory, and numbers of events since the cache was constructed.
// Complexity: line_cache::statistics is linear in the number of buckets, up to eight for each line.
// Thread safety: a snapshot. Each number was right at some moment during the call.
// Exceptions: none. The output operators throw what the stream throws.
// Ownership: values; they do not refer to the cache.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/compiled.hpp>
#include <freehold/detail/durations.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace freehold::inline FREEHOLD_ABI {

// How long readers waited, in classes of doubling length.
struct wait_histogram {
    // The number of classes.
    static constexpr std::size_t classes = 32;
    // counts[0] waits took less than 1 microsecond, counts[i] at least 2^(i-1) and less than 2^i.
    // The last class also has all longer waits.
    std::array<std::uint64_t, classes> counts{};

    // The number of all waits.
    [[nodiscard]] FREEHOLD_API std::uint64_t total() const noexcept;
    // Returns an upper bound for the given share (0 to 1) of the waits, or zero if there were none.
    // The bound is a power of two, at most 2^31 microseconds.
    [[nodiscard]] FREEHOLD_API std::chrono::microseconds quantile(double share) const noexcept;
};

// What the fetch of one line cost.
struct line_cost {
    std::uint64_t faults = 0;        // page faults on the threads that filled it
    std::uint64_t bytes_zeroed = 0;  // by the system, because the memory was new
    std::uint64_t bytes_copied = 0;  // written by the source; the cache itself copies nothing
    std::chrono::nanoseconds fetch_time{0};  // from the request to the last byte
};

// The figures of a whole cache.
struct line_cache_statistics {
    std::uint64_t hits = 0;           // gets that found all the bytes that they asked for
    std::uint64_t joined = 0;         // gets that waited for another's fetch
    std::uint64_t misses = 0;         // gets that started a fetch
    std::uint64_t prefetched = 0;     // lines fetched ahead
    std::uint64_t refetched = 0;      // lines fetched again soon after their eviction
    std::uint64_t requests = 0;       // to the source
    std::uint64_t failures = 0;       // requests that failed
    std::uint64_t cancelled = 0;      // gets that ended because of their stop token
    std::uint64_t refusals = 0;       // gets and prefetches that got no memory
    std::uint64_t evictions = 0;      // lines that were dropped for others
    std::uint64_t bytes_fetched = 0;  // received from the source
    std::uint64_t bytes_wasted = 0;   // fetched, and dropped before any get asked for the line
    std::uint64_t bytes_zeroed = 0;   // by the system, under lines in new memory
    std::uint64_t faults = 0;         // page faults while lines were filled
    std::size_t bytes_held = 0;       // taken from the upstream, including free lines
    std::size_t most_bytes_held = 0;  // the most at once
    std::size_t bytes_in_lines = 0;   // of lines that are in the cache or held by readers
    std::size_t lines = 0;            // in the cache
    wait_histogram waits;             // of blocking gets that were not hits
};

// Prints one line for all waits, a line of headings, and one line for each class that has waits.
FREEHOLD_API std::ostream& operator<<(std::ostream& to, const wait_histogram& from);
// Prints one line for gets, one for requests to the source, one for memory, and the waits.
FREEHOLD_API std::ostream& operator<<(std::ostream& to, const line_cache_statistics& from);

}  // namespace freehold::inline FREEHOLD_ABI
