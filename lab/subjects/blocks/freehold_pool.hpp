// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/memory/pool.hpp>

#include "subjects/shared_identities.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <span>

namespace lab::blocks {

inline freehold::pool_options options_of(std::size_t block_bytes, std::size_t capacity) {
    freehold::pool_options options;
    options.block_size = block_bytes;
    options.initial_capacity = capacity;
    options.maximum_capacity = capacity;
    options.name = "packets";
    return options;
}

template <std::size_t BlockBytes>
class freehold_blocks {
public:
    static constexpr bool has_bulk = true;

    explicit freehold_blocks(std::size_t capacity) : pool_(options_of(BlockBytes, capacity)) {}

    void* allocate() { return pool_.allocate(); }
    void deallocate(void* block) noexcept { pool_.deallocate(block); }
    void allocate_bulk(std::span<void*> blocks) { pool_.allocate_bulk(blocks); }
    void deallocate_bulk(std::span<void* const> blocks) noexcept { pool_.deallocate_bulk(blocks); }

private:
    freehold::pool pool_;
};

struct freehold_pool {
    static constexpr identity is = identities::freehold_pool;
    template <std::size_t BlockBytes>
    using source = freehold_blocks<BlockBytes>;
};

}  // namespace lab::blocks
