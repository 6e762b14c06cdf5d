// SPDX-License-Identifier: BSL-1.0
// The parameters of a depot, fixed at its construction.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/fork.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

inline constexpr std::size_t no_limit = SIZE_MAX;

// The source of the chunks' memory. It consists of two functions, because the header of
// memory_resource costs the compiler a fifth of the time of <memory>. `allocate` returns nullptr if
// memory is exhausted, and may throw any other exception than std::bad_alloc.
struct chunk_upstream {
    void* (*allocate)(void* from, std::size_t size, std::size_t alignment);
    void (*deallocate)(void* from, void* memory, std::size_t size, std::size_t alignment) noexcept;
    void* from;
};

// The depot's view of the threads that wait for blocks: it asks whether there are any, and wakes
// them. wait_queue derives from this class.
class block_waiters {
public:
    using wake_function = void (*)(block_waiters&) noexcept;
    using fork_function = void (*)(block_waiters&, fork_step) noexcept;
    constexpr explicit block_waiters(wake_function wake, fork_function fork = nullptr) noexcept
        : wake_(wake), around_fork_(fork) {}
    block_waiters(const block_waiters&) = delete;
    block_waiters& operator=(const block_waiters&) = delete;

    // seq_cst, as the depot's reads of the stack are. Either the thread that gives blocks sees the
    // waiter, or the waiter, which looks for blocks after it has entered, sees the blocks.
    void enter() noexcept { waiters_.fetch_add(1, std::memory_order_seq_cst); }
    void leave() noexcept { waiters_.fetch_sub(1, std::memory_order_seq_cst); }
    [[nodiscard]] bool is_occupied() const noexcept {
        return waiters_.load(std::memory_order_seq_cst) > 0;
    }

    void wake_all() noexcept { wake_(*this); }

    // A child has none of the waiting threads.
    void around_fork(fork_step step) noexcept {
        if (step == fork_step::in_child) waiters_.store(0, std::memory_order_relaxed);
        around_fork_(*this, step);
    }

private:
    std::atomic<int> waiters_{0};
    wake_function wake_;
    fork_function around_fork_;
};

class chunk;
class chunk_store;
class depot;
struct depot_layout;

// What only the depots of pools need. The depots of common pools do without these functions, so
// that programs without a pool do not link them.
struct pool_functions {
    // Fills the guards of a new chunk's blocks, and gets its pages.
    void (*prepare)(const depot_layout&, chunk&) noexcept;
    // Takes a chunk of an overflow block out of the store, and adds it to the list.
    void (*take_out)(chunk_store&, chunk*, chunk*&) noexcept;
    // Frees a list of such chunks.
    void (*free_overflow)(depot&, chunk*) noexcept;
    // Waits until the depot's number of finished steps of growth is another.
    void (*wait_for_step)(depot&, std::uint32_t finished) noexcept;
    // Wakes the threads that wait so.
    void (*tell_of_step)(depot&) noexcept;
};

struct depot_layout {
    std::size_t stride;                         // bytes from one block to the next
    std::size_t alignment;                      // bytes, of a chunk
    std::size_t small_alignment = 0;            // bytes, of a chunk smaller than `alignment`
    bool whole_chunks = false;                  // a step of growth has the size of its alignment
    std::size_t magazine_size;                  // blocks
    std::size_t most_full = no_limit;           // magazines
    std::size_t growth = 0;                     // blocks; 0: a share of the capacity
    std::size_t growth_share = 8;               // 8: an eighth, at least least_growth
    std::size_t least_growth = 1;               // blocks
    std::size_t first_growth = no_limit;        // blocks; see depot::step_of_growth
    std::size_t maximum_capacity = no_limit;    // blocks
    bool prefault = false;                      // a whole chunk when it is allocated
    std::size_t prefault_ahead = 0;             // bytes, when blocks are first used
    std::size_t prefault_share = 1;             // at most capacity / prefault_share
    std::size_t unprefaulted = 0;               // bytes of the first chunks
    std::size_t block_size = 0;                 // bytes; 0: blocks are not annotated
    bool checked = false;                       // whether guards are between blocks
    const pool_functions* functions = nullptr;  // nullptr: a common pool
    const chunk_upstream* upstream;
    block_waiters* waiting = nullptr;
    const char* name = "";

    // A chunk of a whole step of growth may be smaller than `alignment` by a part of a block.
    [[nodiscard]] constexpr std::size_t chunk_alignment(std::size_t size) const noexcept {
        return size + stride <= alignment && small_alignment > 0 ? small_alignment : alignment;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
