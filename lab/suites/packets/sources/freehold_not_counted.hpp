// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/memory/pool.hpp>

#include "competitors/competitor.hpp"
#include "suites/packets/source.hpp"
#include "suites/packets/sources/freehold_pool.hpp"

#include <cstddef>
#include <span>

namespace lab::packets {

/// A pool that counts no allocations but those of its slow paths. Of frees it has no counter.
template <std::size_t BlockBytes>
class not_counted_blocks : public freehold::pool {
public:
    static constexpr bool has_bulk = true;

    explicit not_counted_blocks(std::size_t capacity) : pool(options_of(BlockBytes, capacity)) {}

    [[gnu::always_inline]] void* allocate() {
        freehold::detail::thread_cache& mine = my_cache();
        if (mine.is_empty()) [[unlikely]]
            return pool::allocate();
        return mine.take();
    }
    [[gnu::always_inline]] void allocate_bulk(std::span<void*> blocks) {
        if (!my_cache().take_all(blocks.data(), blocks.size())) [[unlikely]]
            pool::allocate_bulk(blocks);
    }
};

struct freehold_pool_not_counted : competitor {
    static constexpr const char* name = "freehold::pool, not counted";
    template <std::size_t BlockBytes>
    using source = not_counted_blocks<BlockBytes>;
};

}  // namespace lab::packets
