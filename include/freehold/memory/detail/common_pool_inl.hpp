// SPDX-License-Identifier: BSL-1.0
// The slow paths of all common pools.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/detail/common_caches.hpp>
#include <freehold/memory/detail/common_sources.hpp>

#include <cstddef>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

void* common_pools::allocate(cache_of_thread& mine, std::size_t block_size) {
    if (common_source* const source = common_sources::of(block_size, mine)) [[likely]] {
        if (!common_caches_of_this_thread::open(mine, source->caches)) {
            if (void* const block = source->shared.take_one()) return block;
        } else if (mine.refill()) {
            return mine.take();
        }
    }
    FREEHOLD_THROW(std::bad_alloc());
}

void* common_pools::deallocate(cache_of_thread& mine, std::size_t block_size,
                               void* block) noexcept {
    common_source& source = *common_sources::if_made(block_size);
    if (!common_caches_of_this_thread::open(mine, source.caches)) {
        source.shared.give(&block, 1);
    } else {
        if (mine.is_full()) mine.spill();
        mine.put(block);
    }
    return &mine;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
