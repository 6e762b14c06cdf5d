// SPDX-License-Identifier: BSL-1.0
// The shared state of all common pools: one depot for each block size, constructed when the size is
// first used.
#pragma once

#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/lasting_memory.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/detail/chunk_map.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/pool_caches.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

struct common_source {
    [[gnu::cold]] explicit common_source(std::size_t block_size) noexcept
        : shared(layout(block_size)) {}

    depot shared;
    pool_caches caches{shared};

private:
    // Many processes need few blocks of a size. So the first steps are small, because memory that
    // operator new had in use before has its pages already. The pages of the first 64 KiB are
    // faulted in as they are touched. Later steps get several pages at a time, more as the pool
    // grows.
    // The small chunks of a size share entries of the chunk_map. Their blocks hardly ever return to
    // them one by one, because they fit in the magazines.
    // The first step is a page: a first block elsewhere in a page took some programs three times as
    // long to make and drop, presumably because the thread's cache was at the same place in another
    // page.
    static constexpr std::size_t first_step = std::size_t{4} << 10;
    static constexpr std::size_t step = std::size_t{64} << 10;

    static constexpr depot_layout layout(std::size_t block_size) noexcept {
        const std::size_t magazine_size = common_pools::magazine_size(block_size);
        return {
            .stride = block_size,
            .alignment = chunk_map::granule_size,
            .small_alignment = first_step,
            .whole_chunks = true,
            .magazine_size = magazine_size,
            .most_full = smaller(16, 2048 / magazine_size),
            .growth_share = 32,
            .least_growth = step / block_size,
            .first_growth = first_step / block_size,
            .prefault_ahead = step,
            .prefault_share = 64,
            .unprefaulted = step,
            .upstream = &from_new,
            .name = "common",
        };
    }

    // libstdc++'s operator new allocates whole multiples of the alignment.
    static constexpr chunk_upstream from_new{
        .allocate = [](void*, std::size_t size, std::size_t alignment) -> void* {
            return ::operator new(size, std::align_val_t(alignment), std::nothrow);
        },
        .deallocate =
            [](void*, void* memory, std::size_t, std::size_t alignment) noexcept {
                ::operator delete(memory, std::align_val_t(alignment));
            },
        .from = nullptr};
};

// Visible even if a shared library hides its symbols: a process must have only one depot for each
// size. The table is all zero until a size is used, so it takes no space in the program file.
class [[gnu::visibility("default")]] common_sources {
public:
    // Returns nullptr if memory is exhausted.
    static common_source* of(std::size_t block_size) noexcept {
        if (common_source* const found = if_made(block_size)) [[likely]]
            return found;
        return make(block_size);
    }

    // Returns nullptr if the size was never used.
    static common_source* if_made(std::size_t block_size) noexcept {
        // acquire: pairs with the release in make. The thread sees the constructed source.
        return place_of(block_size).load(std::memory_order_acquire);
    }

private:
    static std::atomic<common_source*>& place_of(std::size_t block_size) noexcept {
        return sources_[block_size / 8 - 1];
    }

    // A source is never destroyed: destructors of static objects may still use it.
    [[gnu::noinline, gnu::cold]] static common_source* make(std::size_t block_size) noexcept {
        fork_participant::prepare_beside_threads();
        const lock_holder lock(cache_registry::mutex());
        std::atomic<common_source*>& place = place_of(block_size);
        // relaxed: the pointer is written only under this mutex.
        if (common_source* const made = place.load(std::memory_order_relaxed)) return made;
        void* const memory = lasting_memory(alignof(common_source), sizeof(common_source));
        if (memory == nullptr) return nullptr;
        auto* const made = ::new (memory) common_source(block_size);
        // release: pairs with the acquire in if_made.
        place.store(made, std::memory_order_release);
        return made;
    }

    static inline constinit std::array<std::atomic<common_source*>, largest_common_block / 8>
        sources_{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
