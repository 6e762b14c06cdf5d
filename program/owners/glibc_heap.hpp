// SPDX-License-Identifier: BSL-1.0
// The heap of the GNU C library: which memory malloc has handed out. It is recognised by its own
// structure, without symbols, from glibc 2.26 on.
#pragma once

#include "owners/memory_image.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace freehold {

/// Memory that malloc has handed out.
struct heap_chunk {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

struct glibc_heap {
    std::vector<heap_chunk> chunks;    // sorted; what is freed is left out
    std::vector<memory_range> ranges;  // sorted; all memory that the allocator manages
    std::vector<std::string> incomplete;
    bool is_found = false;

    /// Returns the chunk around an address, or -1.
    [[nodiscard]] std::int64_t chunk_at(std::uint64_t address) const;
    /// Returns the chunk that begins at an address, or -1.
    [[nodiscard]] std::int64_t chunk_from(std::uint64_t address) const;
    /// Returns whether the chunk is one that malloc gives for so many bytes. -1 is no chunk.
    [[nodiscard]] bool is_for(std::int64_t chunk, std::uint64_t bytes) const;

    /// Must be called before the searches above.
    void build_index();

private:
    // For each of these many bytes of the chunks' addresses: the first chunk that ends behind them.
    static constexpr std::uint64_t step = 1024;
    struct indexed_range {
        std::uint64_t begin;
        std::uint64_t end;
        std::vector<std::uint32_t> first;
    };
    std::vector<indexed_range> index_;
};

glibc_heap read_glibc_heap(const memory_image& image);

}  // namespace freehold
