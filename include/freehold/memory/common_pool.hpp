// SPDX-License-Identifier: BSL-1.0
// The process's own pool for blocks of one size: the memory of control blocks and of other small
// objects that come and go.
//
// It is a pool (see pool.hpp) that needs no object: each thread's magazines are variables of the
// thread, found without a table, and its memory comes from operator new and is kept until
// trim_common_pools gives it back or the process ends. Blocks lie next to each other, and those
// that pile up in the depot come back in the order of their addresses: objects made one after the
// other are neighbours, in whatever order their predecessors died.
//
// Costs five instructions and no atomic one for either operation; each size that is used takes 64
// KiB or a 32nd of what it has at a time, and each thread that uses it 16 bytes for each block of a
// magazine, at most 4 KiB, until it exits.
// Thread-safe. Exceptions: allocate throws std::bad_alloc, deallocate nothing.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/in_register.hpp>
#include <freehold/memory/pool/cache_of_thread.hpp>
#include <freehold/memory/rounding.hpp>

#include <bit>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

// Of larger blocks a step of growth holds too few, and what is kept free of them is too much.
inline constexpr std::size_t largest_common_block = 1024;

namespace detail {

// The slow paths of all common pools, which tell each other apart by their block size.
struct common_pools {
    // Blocks: at most 256, and 16 KiB of them.
    [[nodiscard]] static constexpr std::size_t magazine_size(std::size_t block_size) noexcept {
        const std::size_t fitting = (std::size_t{16} << 10) / block_size;
        return fitting < 16 ? 16 : fitting > 256 ? 256 : fitting;
    }

    // For a thread whose cache, `mine`, is empty. Throws std::bad_alloc.
    [[nodiscard, gnu::noinline]] FREEHOLD_API static void* allocate(cache_of_thread& mine,
                                                                    std::size_t block_size);
    // For a thread whose cache is full.
    [[gnu::noinline]] FREEHOLD_API static void deallocate(cache_of_thread& mine,
                                                          std::size_t block_size,
                                                          void* block) noexcept;
    [[nodiscard]] FREEHOLD_API static std::size_t capacity(std::size_t block_size) noexcept;
    FREEHOLD_API static std::size_t trim() noexcept;
};

}  // namespace detail

// Visible even where a shared library is compiled to hide its symbols: a thread has one cache for
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
    static constexpr std::size_t magazine_size = detail::common_pools::magazine_size(BlockSize);

    [[nodiscard, FREEHOLD_INLINED]] static void* allocate() {
        detail::cache_of_thread& mine = my_cache();
        if (mine.is_empty()) [[unlikely]]
            return allocate_slowly();
        return mine.take();
    }

    [[FREEHOLD_INLINED]] static void deallocate(void* block) noexcept {
        detail::cache_of_thread& mine = my_cache();
        if (mine.is_full()) [[unlikely]]
            return deallocate_slowly(block);
        mine.put(block);
    }

    // How many blocks were taken from operator new, in use or free.
    [[nodiscard]] static std::size_t capacity() noexcept {
        return detail::common_pools::capacity(BlockSize);
    }

private:
    // A processor forwards what was just written to an address in a register within no time, but
    // what clang++ writes relative to the thread's segment in some 1.5 ns.
    [[nodiscard, gnu::always_inline]] static detail::cache_of_thread& my_cache() noexcept {
        return *detail::in_register(&mine_);
    }

    // Without arguments for the core: to load them, g++ would save registers on the fast path too.
    [[nodiscard, gnu::noinline]] static void* allocate_slowly() {
        return detail::common_pools::allocate(mine_, BlockSize);
    }
    [[gnu::noinline]] static void deallocate_slowly(void* block) noexcept {
        detail::common_pools::deallocate(mine_, BlockSize, block);
    }

    static inline constinit thread_local detail::cache_of_thread mine_{};
};

// Gives memory of all common pools back to operator new, for a program that has had a peak: each
// step of growth (64 KiB or more) of which no block is in use. The calling thread's cached blocks
// go back to their pools first; those that other threads have cached count as in use. Returns how
// many bytes that were; what operator new keeps of them, with glibc malloc_trim gives to the
// system. Costs a look at each chunk that has a free block, and the next allocations theirs from
// operator new. Thread-safe. Not for signal handlers. Throws nothing.
inline std::size_t trim_common_pools() noexcept {
    return detail::common_pools::trim();
}

// The pool for objects of that size and alignment. Objects of one rounded size share a pool.
template <std::size_t Size, std::size_t Alignment>
using common_pool_for = common_pool<detail::up_to_whole(Alignment < 8 ? 8 : Alignment, Size)>;

}  // namespace freehold::inline FREEHOLD_ABI

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/common_pool_inl.hpp>
#endif
