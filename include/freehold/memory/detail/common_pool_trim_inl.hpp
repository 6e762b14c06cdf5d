// SPDX-License-Identifier: BSL-1.0
// What few programs ask of common pools: their capacity, and their free memory.
#pragma once

#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/detail/common_caches.hpp>
#include <freehold/memory/detail/common_sources.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

std::size_t common_pools::capacity(std::size_t block_size) noexcept {
    const common_source* const source = common_sources::if_made(block_size);
    return source != nullptr ? source->shared.capacity() : 0;
}

[[gnu::cold]] std::size_t common_pools::trim() noexcept {
    common_caches_of_this_thread::give_back();
    std::size_t bytes = 0;
    for (std::size_t block_size = 8; block_size <= largest_common_block; block_size += 8) {
        common_source* const source = common_sources::if_made(block_size);
        if (source == nullptr) continue;
        source->caches.enrol_beside_threads();
        bytes += source->shared.trim();
    }
    return bytes;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
