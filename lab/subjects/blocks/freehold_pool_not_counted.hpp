// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/memory/pool.hpp>

#include "runner/subject.hpp"
#include "subjects/blocks/freehold_pool.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <span>

namespace lab::blocks {

/// A pool that counts only the allocations of its slow paths. It has no counter of frees in any
/// case.
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

struct freehold_pool_not_counted {
    static constexpr identity is = {
        .name = "freehold::pool, not counted", .family = family::lower_bound, .order = 10};
    template <std::size_t BlockBytes>
    using source = not_counted_blocks<BlockBytes>;
};

}  // namespace lab::blocks
