// SPDX-License-Identifier: BSL-1.0
// What a depot is told when it is made.
#pragma once

#include <freehold/memory/memory_resource.hpp>

#include <cstddef>
#include <limits>

namespace freehold::detail {

class waiting_room;

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

struct depot_layout {
    std::size_t stride;                       // bytes from one block to the next
    std::size_t alignment;                    // bytes
    std::size_t magazine_size;                // blocks
    std::size_t most_full = no_limit;         // magazines
    bool keeps_order = false;                 // of blocks that were freed: see thread_cache
    std::size_t growth = 0;                   // blocks; 0: a share of those there are
    std::size_t growth_share = 8;             // an eighth, at least least_growth
    std::size_t least_growth = 1;             // blocks
    std::size_t maximum_capacity = no_limit;  // blocks
    bool prefault = false;                    // all of a chunk when it is had
    std::size_t prefault_ahead = 0;           // bytes, when blocks are first used
    std::size_t unprefaulted = 0;             // bytes at the start of the first chunk
    std::size_t block_size = 0;               // bytes; 0: nobody annotates blocks
    bool checked = false;                     // whether guards stand between blocks
    memory_resource* upstream = nullptr;      // nullptr: operator new
    waiting_room* waiting = nullptr;
    const char* name = "";
};

}  // namespace freehold::detail
