// SPDX-License-Identifier: BSL-1.0
// What it is: a pool of blocks of one size, shared by all threads of a program. Any thread may free
// a block that another thread allocated.
// When to use it: many objects of one size are allocated and freed, such as packets, messages,
// requests or jobs. It helps most if one thread allocates and another thread frees.
// When not: for buffers of many sizes (see buffer_cache), or for small objects of the program's own
// types (common_pool needs no pool object).
// Example: `freehold::pool packets({.block_size = 2048, .name = "packets"});`
//
// Each thread has a small array of addresses of free blocks, its magazine. It allocates from this
// array and frees to it, whichever thread allocated the block. Threads exchange whole magazines
// through a shared depot, by pointer and without a lock. A block that one thread allocates and
// another frees costs both threads an array access, and one exchange in several hundred operations.
// The pool does not touch a free block, and never zeroes memory. A checked pool does write to
// blocks; see pool_options::checked.
//
// Blocks of 512 bytes or more are an odd number of cache lines apart, unless their alignment
// exceeds 64. Blocks whose distance is a power of two would compete for a few sets of the
// processor's caches.
//
// Give a pool at least two magazines for each thread, in addition to the blocks in use: the blocks
// that one thread caches are out of reach of the others. A thread that pauses its use of the pool
// should call release_thread_cache. A thread that exits returns its cached blocks by itself.
//
// Units: blocks for capacities, bytes for sizes. The pool takes 8 bytes and one bit for each block.
// It takes 16 bytes more for each block of a magazine, for each thread that uses it.
// Complexity: constant. An allocation or a free takes about ten instructions and no atomic
// read-modify-write, including the statistics. owns and each operation of a checked pool take a
// lock.
// Thread safety: all functions may be called by several threads at once, except the constructor and
// the destructor. The pool may be destroyed before or after the threads that used it exit. After
// fork, the child may use and destroy the pool, whatever other threads were doing with it. The
// child cannot reclaim the blocks that other threads had cached, or had in hand.
// Exceptions: the constructor throws std::invalid_argument and std::bad_alloc. allocate and
// allocate_bulk throw what pool_options::on_exhaustion says, what when_exhausted throws, and what
// the upstream throws. A std::bad_alloc of the upstream counts as exhaustion. statistics throws
// std::bad_alloc. The free functions never throw and always succeed, unless they end the program
// because of a misuse.
// Ownership: the pool owns all blocks. Its destructor returns their memory to the upstream. Blocks
// must not be used afterwards. The upstream must outlive the pool.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001). The magazine sizes, the last-in
// first-out order of the depot and the distance of blocks result from measurements (suite
// `packets`).
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>
#include <freehold/memory/detail/depot_counts.hpp>
#include <freehold/memory/detail/thread_cache.hpp>
#include <freehold/memory/detail/thread_caches.hpp>
#include <freehold/memory/memory_resource_fwd.hpp>
#include <freehold/memory/pool_options.hpp>
#include <freehold/memory/pool_statistics.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
class pool_core;
}

class pool {
public:
    // Throws std::invalid_argument, whose message names the pool and the option, and
    // std::bad_alloc. Throws what the upstream throws if initial_capacity is not 0.
    FREEHOLD_API explicit pool(pool_options options);
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    // Reports blocks that are still in use on standard error. A checked pool also lists up to eight
    // of them.
    FREEHOLD_API ~pool();

    // Returns nullptr only with exhaustion::return_null.
    [[nodiscard, gnu::always_inline]] void* allocate() {
        detail::thread_cache& mine = my_cache();
        if (mine.is_empty()) [[unlikely]]
            return allocate_slowly();
        void* const block = mine.take();
        mine.count_allocations(1);
        detail::annotate_allocated(this, block, options_.block_size);
        return block;
    }

    // `block` must come from this pool. Any thread may have allocated it.
    [[gnu::always_inline]] void deallocate(void* block) noexcept {
        detail::annotate_freed(this, block, options_.block_size);
        detail::thread_cache& mine = my_cache();
        if (mine.is_full()) [[unlikely]]
            return deallocate_slowly(block);
        mine.put(block);
    }

    // Writes the address of a new block to each element and returns their number. Returns fewer
    // only with exhaustion::return_null. If it throws, it has allocated nothing.
    [[gnu::always_inline]] std::size_t allocate_bulk(std::span<void*> blocks) {
        detail::thread_cache& mine = my_cache();
        if (!mine.take_all(blocks.data(), blocks.size())) [[unlikely]]
            return allocate_slowly(blocks);
        mine.count_allocations(blocks.size());
        annotate_all<detail::annotate_allocated>(blocks);
        return blocks.size();
    }

    // Frees all blocks. They must come from this pool, and any threads may have allocated them.
    [[gnu::always_inline]] void deallocate_bulk(std::span<void* const> blocks) noexcept {
        annotate_all<detail::annotate_freed>(blocks);
        if (!my_cache().put_all(blocks.data(), blocks.size())) [[unlikely]]
            deallocate_slowly(blocks);
    }

    // Returns the calling thread's cached blocks to the depot, where all threads can allocate them.
    FREEHOLD_API void release_thread_cache() noexcept;

    // Throws std::bad_alloc.
    [[nodiscard]] FREEHOLD_API pool_statistics statistics() const;

    // The size and the alignment of a block in bytes.
    [[nodiscard]] std::size_t block_size() const noexcept { return options_.block_size; }
    [[nodiscard]] std::size_t alignment() const noexcept { return options_.alignment; }
    // The distance in bytes from one block to the next.
    [[nodiscard]] FREEHOLD_API std::size_t stride() const noexcept;
    // The number of blocks that a thread exchanges with the depot at a time.
    [[nodiscard]] std::size_t magazine_size() const noexcept { return options_.magazine_size; }
    // The options that the constructor got. If magazine_size was 0, it is the chosen one.
    [[nodiscard]] const pool_options& options() const noexcept { return options_; }
    // The pool's name, and the resource from which its blocks come.
    [[nodiscard]] const std::string& name() const noexcept { return options_.name; }
    [[nodiscard]] FREEHOLD_API memory_resource& upstream() const noexcept;
    // Returns whether the address is in the memory of the pool's blocks. Takes a lock.
    [[nodiscard]] FREEHOLD_API bool owns(const void* address) const;

protected:
    // The cache of the calling thread. If the thread has none, this is a cache that is both empty
    // and full.
    [[nodiscard, gnu::always_inline]] detail::thread_cache& my_cache() const noexcept {
        return detail::caches_of_this_thread::fast(fast_slot_);
    }

private:
    [[nodiscard]] FREEHOLD_API void* allocate_slowly();
    [[nodiscard]] FREEHOLD_API std::size_t allocate_slowly(std::span<void*> blocks);
    FREEHOLD_API void deallocate_slowly(void* block) noexcept;
    FREEHOLD_API void deallocate_slowly(std::span<void* const> blocks) noexcept;

    template <void (*Annotate)(const void*, void*, std::size_t) noexcept>
    void annotate_all(std::span<void* const> blocks) noexcept {
        if constexpr (detail::annotates_blocks) {
            for (void* const each : blocks) Annotate(this, each, options_.block_size);
        }
    }

    friend class detail::pool_core;

    std::size_t fast_slot_ = detail::caches_of_this_thread::fast_slots;  // holds no cache
    const pool_options options_;
    const std::unique_ptr<detail::pool_core> core_;
    const detail::depot_counts& counts_;  // which debuggers print
};

}  // namespace freehold::inline FREEHOLD_ABI

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/detail/pool_inl.hpp>
#endif
