// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache is told, whatever its policy.
#pragma once

#include <freehold/memory/memory_resource.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace freehold {

struct buffer_cache_options {
    // Capacities of all idle buffers together, those on their way back to another thread included:
    // never exceeded, not for a moment. 0: nothing is kept.
    std::size_t max_idle = std::size_t{64} << 20;
    // The same of those that lie with one thread.
    std::size_t max_idle_per_thread = std::size_t{8} << 20;
    // Larger requests bypass the cache: they come from the upstream and go back to it at once.
    std::size_t cutoff = std::numeric_limits<std::size_t>::max();
    // Where buffers come from; nullptr: operator new.
    memory_resource* upstream = nullptr;
    // For messages.
    std::string name = "buffer cache";
};

}  // namespace freehold
