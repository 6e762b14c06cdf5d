// SPDX-License-Identifier: BSL-1.0
// The process's own pool for blocks of one size: the memory of control blocks and of other small
// objects that come and go.
//
// It is a pool (see pool.hpp) that needs no object: each thread's magazines are variables of the
// thread, found without a table, and its memory comes from operator new and is kept until the
// process ends. Blocks lie next to each other, and those that pile up in the depot come back in
// the order of their addresses: objects made one after the other are neighbours, in whatever order
// their predecessors died.
//
// Costs five instructions and no atomic one for either operation; each size that is used takes 64
// KiB or a 32nd of what it has at a time, and each thread that uses it 16 bytes for each block of a
// magazine, at most 4 KiB, until it exits.
// Thread-safe. Exceptions: allocate throws std::bad_alloc, deallocate nothing.
#pragma once

#include <freehold/memory/immortal.hpp>
#include <freehold/memory/in_register.hpp>
#include <freehold/memory/pool/depot.hpp>
#include <freehold/memory/pool/thread_caches.hpp>
#include <freehold/memory/rounding.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <new>

namespace freehold {

// Of larger blocks a step of growth holds too few, and what is kept free of them is too much.
inline constexpr std::size_t largest_common_block = 1024;

// Visible even where a shared library is compiled to hide its symbols: a process has one depot for
// each size.
template <std::size_t BlockSize>
class [[gnu::visibility("default")]] common_pool {
    static_assert(BlockSize >= 8 && BlockSize % 8 == 0, "a block must be of whole words");
    static_assert(BlockSize <= largest_common_block,
                  "a common pool is for small blocks: make a pool of your own for larger ones");

public:
    static constexpr std::size_t block_size = BlockSize;
    // What its size allows: blocks lie next to each other from a multiple of any alignment on.
    static constexpr std::size_t alignment = std::size_t{1} << std::countr_zero(BlockSize);
    // Blocks: at most 256, and 16 KiB of them.
    static constexpr std::size_t magazine_size =
        std::clamp<std::size_t>((std::size_t{16} << 10) / BlockSize, 16, 256);

    [[nodiscard, gnu::always_inline]] static void* allocate() {
        detail::thread_cache& mine = my_cache();
        if (mine.is_empty()) [[unlikely]]
            return allocate_slowly();
        return mine.take();
    }

    [[gnu::always_inline]] static void deallocate(void* block) noexcept {
        detail::thread_cache& mine = my_cache();
        if (mine.is_full()) [[unlikely]]
            return deallocate_slowly(block);
        mine.put(block);
    }

    // How many blocks were had from operator new, in use or free.
    [[nodiscard]] static std::size_t capacity() noexcept {
        return depot_.value.capacity();
    }

private:
    // The first step's pages come as they are touched, because many a process needs few blocks of
    // a size; who needs more will need all, and gets its pages many at a time.
    static constexpr std::size_t step = std::size_t{64} << 10;
    static constexpr detail::depot_layout layout = {
        .stride = BlockSize,
        .alignment = step,  // a chunk shares no entry of the chunk_map with another
        .magazine_size = magazine_size,
        .most_full = std::min<std::size_t>(16, 2048 / magazine_size),
        .growth_share = 32,
        .least_growth = step / BlockSize,
        .prefault_ahead = step,
        .unprefaulted = step,
        .name = "common",
    };

    // A processor forwards what was just written to an address in a register within no time, but
    // what clang++ writes relative to the thread's segment in some 1.5 ns.
    [[nodiscard, gnu::always_inline]] static detail::thread_cache& my_cache() noexcept {
        return *detail::in_register(&mine_);
    }

    [[nodiscard, gnu::noinline]] static void* allocate_slowly() {
        if (!detail::caches_of_this_thread::open(mine_, caches_)) {
            if (void* const block = depot_.value.take_one()) return block;
        } else if (mine_.refill()) {
            return mine_.take();
        }
        throw std::bad_alloc();
    }

    [[gnu::noinline]] static void deallocate_slowly(void* block) noexcept {
        if (!detail::caches_of_this_thread::open(mine_, caches_)) {
            depot_.value.give(&block, 1);
        } else {
            if (mine_.is_full()) mine_.spill();
            mine_.put(block);
        }
    }

    static inline constinit thread_local detail::cache_of_thread mine_{};
    static inline constinit detail::immortal<detail::depot> depot_{layout};
    static inline constinit detail::pool_caches caches_{depot_.value};
};

// The pool for objects of that size and alignment. Objects of one rounded size share a pool.
template <std::size_t Size, std::size_t Alignment>
using common_pool_for = common_pool<detail::up_to_whole(std::max(Alignment, std::size_t{8}), Size)>;

}  // namespace freehold
