// SPDX-License-Identifier: BSL-1.0
// How long readers waited: one count for each power of two of microseconds.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace freehold {

struct wait_histogram {
    static constexpr std::size_t classes = 32;
    // counts[i] waits took less than 2^i microseconds and no less than half of that; the last
    // class has all longer ones.
    std::array<std::uint64_t, classes> counts{};

    [[nodiscard]] std::uint64_t total() const noexcept {
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    }
    // A time that this share (0 to 1) of the waits did not exceed; zero if there were none.
    [[nodiscard]] std::chrono::microseconds quantile(double share) const noexcept {
        const auto all = static_cast<double>(total());
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i != classes; ++i) {
            seen += counts[i];
            if (seen != 0 && static_cast<double>(seen) >= share * all) {
                return std::chrono::microseconds(std::int64_t{1} << i);
            }
        }
        return {};
    }
};

// What it took to fill a line.
struct line_cost {
    std::uint64_t faults = 0;        // of pages, on the threads that filled it
    std::uint64_t bytes_zeroed = 0;  // by the system, because the memory was new
    std::uint64_t bytes_copied = 0;  // stored by the source; the cache itself copies none
    std::chrono::nanoseconds fetch_time{0};
};

// Each figure was true at some moment; bytes are of line memory.
struct line_cache_statistics {
    std::uint64_t hits = 0;        // gets that found all they asked for
    std::uint64_t joined = 0;      // gets that waited for a fetch under way
    std::uint64_t misses = 0;      // gets that started a fetch
    std::uint64_t prefetched = 0;  // lines fetched ahead
    std::uint64_t refetched = 0;   // lines fetched again soon after their eviction
    std::uint64_t requests = 0;    // to the source
    std::uint64_t failures = 0;    // of those
    std::uint64_t cancelled = 0;   // gets that were given up by their stop token
    std::uint64_t refusals = 0;    // gets and prefetches for which there was no memory
    std::uint64_t evictions = 0;
    std::uint64_t bytes_fetched = 0;
    std::uint64_t bytes_wasted = 0;  // fetched, and dropped before anybody asked for the line
    std::uint64_t bytes_zeroed = 0;  // by the system, under lines whose memory was new
    std::uint64_t faults = 0;        // of pages, while lines were filled
    std::size_t bytes_held = 0;      // from the upstream, free lines included
    std::size_t most_bytes_held = 0;
    std::size_t bytes_in_lines = 0;  // of lines that are in the cache, or held by readers
    std::size_t lines = 0;           // in the cache
    wait_histogram waits;            // of blocking gets that did not find all they asked for
};

}  // namespace freehold
