// SPDX-License-Identifier: BSL-1.0
// The heap of the GNU C library: which memory malloc has handed out. It is recognised by its own
// structure, without symbols, from glibc 2.26 on.
#pragma once

#include "owners/heap_map.hpp"
#include "owners/memory_image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace freehold {

struct glibc_heap {
    heap_map chunks;
    std::vector<memory_range> ranges;  // sorted; all memory that the allocator manages
    std::vector<std::string> incomplete;
    bool is_found = false;
};

/// Returns whether the chunk is one that malloc gives for so many bytes. No chunk is none.
bool is_for(const heap_chunk& chunk, std::uint64_t bytes);
/// Returns how many bytes were asked of malloc for a chunk, at least.
std::uint64_t least_asked_for(const heap_chunk& chunk);

glibc_heap read_glibc_heap(const memory_image& image);

}  // namespace freehold
