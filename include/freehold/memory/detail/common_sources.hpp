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
#include <freehold/memory/detail/common_cache.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/magazine.hpp>
#include <freehold/memory/detail/pool_caches.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

// The depot of one block size, with the memory of the first thread's magazine and of the first
// blocks. They are one allocation, which fits into the gaps of a heap in use. Malloc's time for it
// pays for the small first step. It begins with the source: tools that look for leaks take a block
// as lost if there are only pointers to its inside.
class common_source {
public:
    // `cache` is that of the thread that allocates first. Returns nullptr if memory is exhausted.
    [[nodiscard, gnu::cold]] static common_source* make(std::size_t block_size,
                                                        const void* cache) noexcept {
        const std::size_t alignment = alignment_of(block_size);
        const std::size_t own = up_to_whole(alignment, sizeof(common_source));
        const std::size_t blocks = first_size(block_size);
        const std::size_t board =
            up_to_whole(alignment, magazine::stride(common_pools::magazine_size(block_size)));
        auto* const memory =
            static_cast<std::byte*>(lasting_memory(alignment, own + blocks + board));
        if (memory == nullptr) return nullptr;
        std::byte* const place = memory + own;
        // A processor may take an address for that of a recent write elsewhere if their last twelve
        // bits are the same. Some programs then took three times as long to make and drop an
        // object. So the first block does not begin where the thread's cache is in another page.
        constexpr std::size_t told_apart = std::size_t{1} << 12;
        const auto distance =
            reinterpret_cast<std::uintptr_t>(cache) - reinterpret_cast<std::uintptr_t>(place);
        const bool are_blocks_last = distance % told_apart < smaller(block_size, board);
        return ::new (static_cast<void*>(memory))
            common_source(block_size, are_blocks_last ? place : place + blocks,
                          are_blocks_last ? place + board : place);
    }

    // The first thread's cache is in the source. Returns nullptr if memory is exhausted.
    [[nodiscard, gnu::cold]] opened_cache* make_cache() noexcept {
        void* place = &first_cache_;
        // acquire: pairs with the release in drop_cache.
        if (is_cache_in_use_.exchange(true, std::memory_order_acquire)) {
            place = ::operator new(sizeof(opened_cache), std::align_val_t(64), std::nothrow);
            if (place == nullptr) return nullptr;
        }
        return ::new (place) opened_cache;
    }
    // Requires that the cache is not open.
    [[gnu::cold]] void drop_cache(opened_cache* dropped) noexcept {
        if (static_cast<void*>(dropped) != &first_cache_)
            return ::operator delete(static_cast<void*>(dropped), std::align_val_t(64));
        // release: the thread that uses it next comes after this one.
        is_cache_in_use_.store(false, std::memory_order_release);
    }

    depot shared;
    pool_caches caches{shared};

private:
    [[gnu::cold]] common_source(std::size_t block_size, std::byte* board,
                                std::byte* first_blocks) noexcept
        : shared(layout(block_size)),
          first_place_(static_cast<std::uint16_t>(first_blocks - here())),
          first_size_(static_cast<std::uint16_t>(first_size(block_size))) {
        shared.add_board(board);
    }

    // Many processes need few blocks of a size. So the first steps are small, because memory that
    // malloc had in use before has its pages already. The pages of the first 64 KiB are faulted in
    // as they are touched. Later steps get several pages at a time, more as the pool grows.
    // The small chunks of a size share entries of the chunk_map. Their blocks hardly ever return to
    // them one by one, because they fit in the magazines.
    static constexpr std::size_t first_step = 512;
    static constexpr std::size_t step = std::size_t{64} << 10;

    // All in bytes. At least a cache line.
    static constexpr std::size_t alignment_of(std::size_t block_size) noexcept {
        return larger(64, common_pools::alignment(block_size));
    }
    static constexpr std::size_t first_size(std::size_t block_size) noexcept {
        return up_to_whole(64, larger(1, first_step / block_size) * block_size);
    }

    // It uses no member but the address of one, because none is initialised yet. It is not const,
    // because g++ 16 warns of a const function that it would read them.
    depot_layout layout(std::size_t block_size) noexcept {
        const std::size_t magazine_size = common_pools::magazine_size(block_size);
        return {
            .stride = block_size,
            .alignment = chunk_map::granule_size,
            .small_alignment = alignment_of(block_size),
            .whole_chunks = true,
            .magazine_size = magazine_size,
            .most_full = smaller(16, 2048 / magazine_size),
            .growth_share = 32,
            .least_growth = step / block_size,
            .first_growth = first_size(block_size) / block_size,
            .prefault_ahead = step,
            .prefault_share = 64,
            .unprefaulted = step,
            .upstream = &upstream_,
            .name = "common",
        };
    }

    std::byte* here() noexcept { return reinterpret_cast<std::byte*>(this); }
    std::byte* first_blocks() noexcept { return here() + first_place_; }
    // The first blocks or, while they are in use, memory of operator new.
    [[gnu::cold]] static void* allocate(void* from, std::size_t size, std::size_t alignment) {
        auto& source = *static_cast<common_source*>(from);
        // acquire: pairs with the release in deallocate.
        if (size <= source.first_size_ &&
            !source.are_first_in_use_.exchange(true, std::memory_order_acquire)) {
            return source.first_blocks();
        }
        // libstdc++'s operator new allocates whole multiples of the alignment.
        return ::operator new(size, std::align_val_t(alignment), std::nothrow);
    }
    [[gnu::cold]] static void deallocate(void* from, void* memory, std::size_t,
                                         std::size_t alignment) noexcept {
        auto& source = *static_cast<common_source*>(from);
        if (memory != source.first_blocks())
            return ::operator delete(memory, std::align_val_t(alignment));
        // release: the next user of the blocks comes after their last one.
        source.are_first_in_use_.store(false, std::memory_order_release);
    }

    const chunk_upstream upstream_{.allocate = &allocate, .deallocate = &deallocate, .from = this};
    const std::uint16_t first_place_;  // from the source
    const std::uint16_t first_size_;
    std::atomic<bool> are_first_in_use_{false};
    std::atomic<bool> is_cache_in_use_{false};
    alignas(opened_cache) std::array<std::byte, sizeof(opened_cache)> first_cache_;
};

// Visible even if a shared library hides its symbols: a process must have only one depot for each
// size. The table is all zero until a size is used, so it takes no space in the program file.
class [[gnu::visibility("default")]] common_sources {
public:
    // Returns nullptr if memory is exhausted.
    static common_source* of(std::size_t block_size, const common_cache& mine) noexcept {
        if (common_source* const found = if_made(block_size)) [[likely]]
            return found;
        return make(block_size, mine);
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
    [[gnu::noinline, gnu::cold]] static common_source* make(std::size_t block_size,
                                                            const common_cache& mine) noexcept {
        fork_participant::prepare_beside_threads();
        const lock_holder lock(cache_registry::mutex());
        std::atomic<common_source*>& place = place_of(block_size);
        // relaxed: the pointer is written only under this mutex.
        if (common_source* const made = place.load(std::memory_order_relaxed)) return made;
        common_source* const made = common_source::make(block_size, &mine);
        if (made == nullptr) return nullptr;
        // release: pairs with the acquire in if_made.
        place.store(made, std::memory_order_release);
        return made;
    }

    static inline constinit std::array<std::atomic<common_source*>, largest_common_block / 8>
        sources_{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
