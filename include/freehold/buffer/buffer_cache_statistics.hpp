// SPDX-License-Identifier: BSL-1.0
// What it is: the statistics of a buffer_cache.
// When to use it: to judge a policy. Read three figures together: hit_rate(), used() and idle. Any
// two can be improved by ruining the third.
// Example: `std::cout << cache.statistics();`
//
// Units: bytes, and numbers of events since the cache was constructed. `idle` and `in_use` are
// present amounts.
// Complexity: buffer_cache::statistics is linear in the number of size classes and thread caches.
// Thread safety: a snapshot. While other threads use the cache, each number was right at some
// moment during the call, but not all at the same moment. A buffer that was just returned counts as
// idle until it is dropped, so `idle` may briefly exceed max_idle.
// Exceptions: a copy throws std::bad_alloc. The output operator throws what the stream throws.
// Ownership: a value; it does not refer to the cache.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/compiled.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

// How many requests asked for `smallest` to `largest` bytes.
struct size_bucket {
    std::size_t smallest;    // bytes
    std::size_t largest;     // bytes
    std::uint64_t requests;  // since the cache was made
};

// The figures of one class of sizes. Requests are counted in the class of the requested size, and
// buffers in the class of their capacity. The two classes of one request differ if the policy hands
// out a much larger buffer, so do not divide the one by the other.
struct buffer_class_statistics {
    // The smallest and the largest size of the class, in bytes.
    std::size_t smallest = 0;
    std::size_t largest = 0;
    // Requests for sizes of this class. A hit was served from idle buffers.
    std::uint64_t requests = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    // For buffers with a capacity of this class: the bytes asked for, and the capacities handed
    // out.
    std::uint64_t bytes_asked = 0;
    std::uint64_t bytes_handed_out = 0;
    // A drop is a buffer that was returned and not kept. An eviction is a buffer that was kept and
    // removed before it was used again.
    std::uint64_t returns = 0;
    std::uint64_t drops = 0;
    std::uint64_t evictions = 0;
    std::uint64_t idle = 0;  // bytes, now
};

struct buffer_cache_statistics {
    // The name from the options, and the sums over all classes; see buffer_class_statistics.
    std::string name;
    std::uint64_t requests = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t returns = 0;
    std::uint64_t drops = 0;
    std::uint64_t evictions = 0;
    std::uint64_t remote_returns = 0;  // on another thread than the one that called get
    // Since the cache was made: the bytes asked for, and the capacities handed out for them.
    std::uint64_t bytes_asked = 0;
    std::uint64_t bytes_handed_out = 0;
    // Bytes, now: asked for by present users, handed out to them, and kept for reuse.
    std::uint64_t in_use_asked = 0;
    std::uint64_t in_use = 0;
    std::uint64_t idle = 0;
    // The classes that saw a request or a buffer, by increasing size.
    std::vector<buffer_class_statistics> classes;

    // 0 to 1. Without any request, hit_rate() is 0 and used() is 1.
    [[nodiscard]] double hit_rate() const noexcept {
        return requests == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(requests);
    }
    [[nodiscard]] double used() const noexcept {
        return bytes_handed_out == 0
                   ? 1
                   : static_cast<double>(bytes_asked) / static_cast<double>(bytes_handed_out);
    }
};

// Prints one line for the whole cache, and two tables: the requests by the class of their size, and
// the buffers by the class of their capacity. A policy may serve a request from a larger class, so
// the rows of the two tables do not belong together.
FREEHOLD_API std::ostream& operator<<(std::ostream& to, const buffer_cache_statistics& from);

}  // namespace freehold::inline FREEHOLD_ABI
