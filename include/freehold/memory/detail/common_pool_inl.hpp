// SPDX-License-Identifier: BSL-1.0
// The shared state of all common pools: one depot for each block size, constructed when the size is
// first used.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/immortal.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/thread_cache_inl.hpp>
#include <freehold/memory/detail/thread_caches.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

struct common_source {
    explicit common_source(std::size_t block_size) noexcept : shared(layout(block_size)) {}

    depot shared;
    pool_caches caches{shared};

private:
    // The pages of the first step are faulted in as they are touched, because many processes need
    // few blocks of a size. Later steps get several pages at a time, more as the pool grows.
    static constexpr std::size_t step = std::size_t{64} << 10;

    static constexpr depot_layout layout(std::size_t block_size) noexcept {
        const std::size_t magazine_size = common_pools::magazine_size(block_size);
        return {
            .stride = block_size,
            .alignment = step,  // two chunks share no entry of the chunk_map
            .magazine_size = magazine_size,
            .most_full = smaller(16, 2048 / magazine_size),
            .growth_share = 32,
            .least_growth = step / block_size,
            .prefault_ahead = step,
            .prefault_share = 16,
            .unprefaulted = step,
            .name = "common",
        };
    }
};

struct common_source_entry {
    std::atomic<bool> is_made{false};
    // Never destroyed: destructors of other static objects may still use it.
    unmade<common_source> source;
};

// Visible even if a shared library hides its symbols: a process must have only one depot for each
// size. The array is all zero until a size is used, so it takes no space in the program file.
class [[gnu::visibility("default")]] common_sources {
public:
    static common_source& of(std::size_t block_size) noexcept {
        common_source_entry& found = entries_[block_size / 8 - 1];
        // acquire: pairs with the release in make. The thread sees the constructed source.
        if (!found.is_made.load(std::memory_order_acquire)) [[unlikely]]
            make(found, block_size);
        return found.source.object;
    }

    // Returns nullptr if the size was never used. acquire: as above.
    static common_source* if_made(std::size_t block_size) noexcept {
        common_source_entry& found = entries_[block_size / 8 - 1];
        return found.is_made.load(std::memory_order_acquire) ? &found.source.object : nullptr;
    }

private:
    [[gnu::noinline, gnu::cold]] static void make(common_source_entry & made,
                                                  std::size_t block_size) noexcept {
        const std::lock_guard lock(cache_registry::mutex());
        // relaxed: the flag is written only under this mutex.
        if (made.is_made.load(std::memory_order_relaxed)) return;
        std::construct_at(&made.source.object, block_size);
        // release: pairs with the acquire loads above.
        made.is_made.store(true, std::memory_order_release);
    }

    static inline constinit std::array<common_source_entry, largest_common_block / 8> entries_{};
};

void* common_pools::allocate(cache_of_thread& mine, std::size_t block_size) {
    common_source& source = common_sources::of(block_size);
    if (!caches_of_this_thread::open(mine, source.caches)) {
        if (void* const block = source.shared.take_one()) return block;
    } else if (mine.refill()) {
        return mine.take();
    }
    FREEHOLD_THROW(std::bad_alloc());
}

void common_pools::deallocate(cache_of_thread& mine, std::size_t block_size, void* block) noexcept {
    common_source& source = common_sources::of(block_size);
    if (!caches_of_this_thread::open(mine, source.caches)) {
        source.shared.give(&block, 1);
    } else {
        if (mine.is_full()) mine.spill();
        mine.put(block);
    }
}

std::size_t common_pools::capacity(std::size_t block_size) noexcept {
    const common_source* const source = common_sources::if_made(block_size);
    return source != nullptr ? source->shared.capacity() : 0;
}

std::size_t common_pools::trim() noexcept {
    caches_of_this_thread::give_back_common();
    std::size_t bytes = 0;
    for (std::size_t block_size = 8; block_size <= largest_common_block; block_size += 8) {
        common_source* const source = common_sources::if_made(block_size);
        if (source != nullptr) bytes += source->shared.trim();
    }
    return bytes;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
