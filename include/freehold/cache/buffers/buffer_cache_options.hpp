// SPDX-License-Identifier: BSL-1.0
// What a buffer_cache is told, whatever its policy.
#pragma once

#include <freehold/memory/memory_resource.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

struct buffer_cache_options {
    // Capacities of all idle buffers together, those on their way back to another thread included:
    // never exceeded, not for a moment. 0: nothing is kept.
    std::size_t max_idle = std::size_t{64} << 20;
    // The same of those that lie with one thread.
    std::size_t max_idle_per_thread = std::size_t{8} << 20;
    // Larger requests bypass the cache: they come from the upstream and go back to it at once.
    std::size_t cutoff = std::numeric_limits<std::size_t>::max();
    // While several threads use the cache, buffers of that capacity and larger lie in the part for
    // all, behind a lock: no thread keeps what another would have use for. Nothing said: a 512th
    // of max_idle, but 128 KiB at most. That is where malloc begins to ask the system, and takes
    // more than a thousand nanoseconds; a get and a put in the part for all take some 50, and 220
    // where two threads do nothing else. In a smaller cache it is hits that are scarce.
    std::optional<std::size_t> shared_from = std::nullopt;
    // Where buffers come from; nullptr: operator new.
    memory_resource* upstream = nullptr;
    // For messages.
    std::string name = "buffer cache";
};

}  // namespace freehold::inline FREEHOLD_ABI
