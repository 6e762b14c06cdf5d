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

void* common_pools::allocate(common_cache& mine, std::size_t block_size) {
    if (common_source* const source = common_sources::of(block_size, mine)) [[likely]] {
        opened_cache* const whole = common_caches_of_this_thread::open(mine, *source);
        if (whole == nullptr) {
            if (void* const block = source->shared.take_one()) return block;
        } else {
            whole->take_blocks();
            const bool is_refilled = whole->refill();
            whole->give_blocks();
            if (is_refilled) return mine.take();
        }
    }
    FREEHOLD_THROW(std::bad_alloc());
}

void* common_pools::deallocate(common_cache& mine, std::size_t block_size, void* block) noexcept {
    common_source& source = *common_sources::if_made(block_size);
    opened_cache* const whole = common_caches_of_this_thread::open(mine, source);
    if (whole == nullptr) {
        source.shared.give(&block, 1);
    } else {
        if (mine.is_full()) {
            whole->take_blocks();
            whole->spill();
            whole->give_blocks();
        }
        mine.put(block);
    }
    return &mine;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
