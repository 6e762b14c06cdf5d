// SPDX-License-Identifier: BSL-1.0
// What it is: the options of a buffer_cache, whatever its policy.
// Example: `freehold::buffer_cache cache({.max_idle = 16 << 20, .name = "packets"});`
//
// Units: bytes.
// Complexity, thread safety: a plain struct.
// Exceptions: copying `name` may throw std::bad_alloc.
// Ownership: `upstream` must outlive the cache.
// Source: none.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/memory_resource_fwd.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

struct buffer_cache_options {
    // The bound on the capacities of all idle buffers together, including those on their way back
    // from another thread. Holds at every moment. 0 keeps nothing.
    std::size_t max_idle = std::size_t{64} << 20;
    // The bound on the idle capacities of one thread cache.
    std::size_t max_idle_per_thread = std::size_t{8} << 20;
    // Requests for more bytes bypass the cache: they go to the upstream, and so do their buffers
    // when they return.
    std::size_t cutoff = std::numeric_limits<std::size_t>::max();
    // While several threads use the cache, the central cache holds all buffers of this capacity or
    // more, so that any thread can reuse them. The default is max_idle / 512, at most 128 KiB. From
    // 128 KiB on, malloc calls the system and takes more than 1000 ns. The central cache takes
    // about 40 ns for a get and put, and up to 200 if two threads do nothing else. In a small cache
    // the default is lower, because hits are scarcer there.
    std::optional<std::size_t> shared_from = std::nullopt;
    // The source of new buffers. nullptr means operator new.
    memory_resource* upstream = nullptr;
    // Names the cache in statistics and messages.
    std::string name = "buffer cache";
};

}  // namespace freehold::inline FREEHOLD_ABI
