// SPDX-License-Identifier: BSL-1.0
// What it is: the process's own pool for small blocks of one size. It needs no pool object. It
// supplies the memory of control blocks and of other small objects that are often allocated and
// freed.
// When to use it: for objects of at most 1024 bytes that are often allocated and freed.
// common_pool_allocator is the standard allocator over it.
// When not: for larger blocks, for a bounded capacity, or for statistics by thread. Use a pool for
// these.
// Example: `using node_pool = freehold::common_pool_for<sizeof(node), alignof(node)>;`
//
// It works like pool (see pool.hpp), but the cache of each thread is a thread-local variable, so no
// table lookup is needed. Memory comes from operator new; that of the first 512 bytes comes from
// malloc. The pool keeps it until trim_common_pools frees it or the process ends. Blocks are
// adjacent in memory. Free blocks that accumulate in the depot are handed out in the order of their
// addresses. So objects that are allocated one after the other are neighbours, in whatever order
// earlier objects were freed.
//
// Units: bytes. Each size in use begins with 512 bytes, or one block if that is more. Then it grows
// to 4, 12 and 36 KiB, and by 64 KiB, or by 1/32 of its capacity if that is more. Each thread that
// uses a size takes 16 bytes for each block of a magazine, at most 4 KiB, until the thread exits.
// Complexity: constant. An allocation or a free takes five instructions and no atomic
// read-modify-write.
// Thread safety: all functions may be called by several threads at once.
// Exceptions: allocate throws std::bad_alloc. Nothing else throws.
// Ownership: the pool owns the blocks. It is never destroyed, so destructors of static objects may
// use it.
// Source: see pool.hpp.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/in_register.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/common_cache.hpp>

#include <bit>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

// A step of growth would hold too few larger blocks, and would keep too much memory free.
inline constexpr std::size_t largest_common_block = 1024;

namespace detail {

// The slow paths of all common pools. The block size identifies the pool.
struct common_pools {
    // In blocks: 16 KiB of them, but at least 16 and at most 256.
    [[nodiscard]] static constexpr std::size_t magazine_size(std::size_t block_size) noexcept {
        const std::size_t fitting = (std::size_t{16} << 10) / block_size;
        return fitting < 16 ? 16 : fitting > 256 ? 256 : fitting;
    }
    // In bytes. See common_pool::alignment.
    [[nodiscard]] static constexpr std::size_t alignment(std::size_t block_size) noexcept {
        return std::size_t{1} << std::countr_zero(block_size);
    }

    // Requires that `mine`, the cache of the calling thread, is empty. Throws std::bad_alloc.
    [[nodiscard, gnu::noinline]] FREEHOLD_API static void* allocate(common_cache& mine,
                                                                    std::size_t block_size);
    // For a cache that may be full. The result is for common_pool::deallocate_at_end.
    [[gnu::noinline]] FREEHOLD_API static void* deallocate(common_cache& mine,
                                                           std::size_t block_size,
                                                           void* block) noexcept;
    [[nodiscard]] FREEHOLD_API static std::size_t capacity(std::size_t block_size) noexcept;
    FREEHOLD_API static std::size_t trim() noexcept;
};

}  // namespace detail

// Visible even if a shared library hides its symbols: a thread must have only one cache for each
// size.
template <std::size_t BlockSize>
class [[gnu::visibility("default")]] common_pool {
    static_assert(BlockSize >= 8 && BlockSize % 8 == 0, "a block must be of whole words");
    static_assert(BlockSize <= largest_common_block,
                  "a common pool is for small blocks: make a pool of your own for larger ones");

public:
    // The size of a block in bytes.
    static constexpr std::size_t block_size = BlockSize;
    // The largest power of two that divides BlockSize. Blocks are adjacent, and the first of a step
    // of growth starts at a multiple of this.
    static constexpr std::size_t alignment = detail::common_pools::alignment(BlockSize);
    static constexpr std::size_t magazine_size = detail::common_pools::magazine_size(BlockSize);

    // Returns a block. Throws std::bad_alloc.
    [[nodiscard, FREEHOLD_INLINED]] static void* allocate() {
        detail::common_cache& mine = my_cache();
        if (mine.is_empty()) [[unlikely]]
            return allocate_slowly();
        return mine.take();
    }

    // `block` must come from this pool. Any thread may have allocated it.
    [[FREEHOLD_INLINED]] static void deallocate(void* block) noexcept {
        static_cast<void>(deallocate_at_end(block));
    }
    // Does the same for a function that ends with it and has to return a pointer, whatever that is.
    // The function jumps to the slow path in place of calling it. The result means nothing.
    [[FREEHOLD_INLINED]] static void* deallocate_at_end(void* block) noexcept {
        detail::common_cache& mine = my_cache();
        if (mine.is_full()) [[unlikely]]
            return deallocate_slowly(block);
        mine.put(block);
        return &mine;
    }

    // Does the same for a caller that seldom frees: it only calls the slow path.
    [[FREEHOLD_INLINED]] static void deallocate_by_call(void* block) noexcept {
        static_cast<void>(deallocate_slowly(block));
    }

    // The number of blocks that the pool holds, in use or free.
    [[nodiscard]] static std::size_t capacity() noexcept {
        return detail::common_pools::capacity(BlockSize);
    }

private:
    // The pointer is in a register because a processor forwards a recent write to such an address
    // without delay. clang++ would address the variable relative to the thread's segment, where
    // forwarding takes about 1.5 ns.
    [[nodiscard, gnu::always_inline]] static detail::common_cache& my_cache() noexcept {
        return *detail::in_register(&mine_);
    }

    // No argument for the core is passed here: to load one, g++ would save registers on the fast
    // path too.
    [[nodiscard, gnu::noinline]] static void* allocate_slowly() {
        return detail::common_pools::allocate(mine_, BlockSize);
    }
    [[gnu::noinline]] static void* deallocate_slowly(void* block) noexcept {
        return detail::common_pools::deallocate(mine_, BlockSize, block);
    }

    static inline constinit thread_local detail::common_cache mine_{};
};

// Returns memory of all common pools to operator new, for a program after a peak. It returns each
// step of growth without a block in use; the first step of a size stays with its pool, for later
// blocks. The calling thread's cached blocks return to their pools first. Blocks that other threads
// have cached count as in use. Returns the number of bytes. operator new may keep them; glibc's
// malloc_trim returns them to the system. The cost is one inspection of each chunk with a free
// block. Later allocations need operator new again.
// Thread-safe. Must not be called by a signal handler.
inline std::size_t trim_common_pools() noexcept {
    return detail::common_pools::trim();
}

// The pool for objects of this size and alignment. Objects of the same rounded size share a pool.
template <std::size_t Size, std::size_t Alignment>
using common_pool_for = common_pool<detail::up_to_whole(Alignment < 8 ? 8 : Alignment, Size)>;

}  // namespace freehold::inline FREEHOLD_ABI

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/detail/common_pool_inl.hpp>
#include <freehold/memory/detail/common_pool_trim_inl.hpp>
#endif
