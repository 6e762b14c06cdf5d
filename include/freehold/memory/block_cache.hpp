// SPDX-License-Identifier: BSL-1.0
// Blocks of one size for all of the process, kept by each thread for itself: the memory of control
// blocks and of other small objects that come and go.
//
// A thread allocates from and frees to a stack of block addresses of its own, whichever thread had
// allocated the block. What the stack lacks, or has too much of, is exchanged in batches with a
// depot that the threads share; so blocks that one thread allocates and another frees come round
// again, and a thread that exits leaves all it has to the others. Blocks that pile up in the depot
// are sorted into their slabs, and come back in the order of their addresses: objects made one
// after the other are neighbours, in whatever order their predecessors died.
//
// Costs five instructions and no atomic for either operation, and a mutex once in `batch`
// operations at worst. A block has no header, and a free block is not touched. Each size that is
// used takes slabs of 64 KiB from operator new and keeps them until the process ends; each thread
// that uses it takes 16 bytes for each block of a batch, at most 2 KiB, until it exits.
// Thread-safe. Exceptions: allocate throws std::bad_alloc, deallocate nothing.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001). Their two magazines of a thread are
// the halves of its stack here: after an exchange one is full, and a whole batch of operations in
// either direction is needed for the next.
#pragma once

#include <freehold/memory/block_depot.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <new>

namespace freehold {

// Of larger blocks a slab holds too few, and what is kept free of them is too much.
inline constexpr std::size_t largest_cached_block = 1024;

// Visible even where a shared library is compiled to hide its symbols: a process has one depot for
// each size, or a block would be entered as free by one while another has its slab in hand.
template <std::size_t BlockSize>
class [[gnu::visibility("default")]] block_cache {
    static_assert(BlockSize >= 8 && BlockSize % 8 == 0, "a block must be of whole words");
    static_assert(BlockSize <= largest_cached_block,
                  "a cache is for small blocks: take larger from operator new");

public:
    static constexpr std::size_t block_size = BlockSize;
    // What its size allows: blocks lie next to each other from a multiple of any alignment on.
    static constexpr std::size_t alignment = std::size_t{1} << std::countr_zero(BlockSize);
    // How many blocks change hands at once: at most 128, and 16 KiB of them. A thread keeps at most
    // twice as many for itself.
    static constexpr std::size_t batch =
        std::clamp<std::size_t>((std::size_t{16} << 10) / BlockSize, 16, 128);

    [[nodiscard, gnu::always_inline]] static void* allocate() {
        if (mine_.top == mine_.bottom) [[unlikely]]
            return allocate_slowly();
        return *--mine_.top;
    }

    [[gnu::always_inline]] static void deallocate(void* block) noexcept {
        if (mine_.top == mine_.end) [[unlikely]]
            return deallocate_slowly(block);
        *mine_.top++ = block;
    }

    // How many blocks were had from operator new, in use or free.
    [[nodiscard]] static std::size_t reserved_blocks() noexcept {
        return depot_.value.reserved_blocks();
    }

private:
    static constexpr std::size_t stack_size = 2 * batch;

    // A thread's own blocks, between `bottom` and `top`. All three are null before its first slow
    // call, after its exit, when thread-local destructors may still free, and while the stack could
    // not be had: each operation is a slow one then, and the fast paths need no further test. It is
    // trivially destructible, so reading it needs no guard.
    struct own_blocks {
        void** top;
        void** bottom;
        void** end;
        bool exited;
    };

    struct exit_hook {
        ~exit_hook() {
            void** const stack = mine_.bottom;
            const auto held = static_cast<std::size_t>(mine_.top - stack);
            mine_ = {nullptr, nullptr, nullptr, true};
            depot_.value.give_some(stack, held);
            ::operator delete(stack);
        }
    };

    // Never destroyed: it serves frees from destructors of statics, whatever their order.
    union immortal_depot {
        detail::block_depot<BlockSize, batch> value;
        constexpr immortal_depot() noexcept : value() {}
        constexpr ~immortal_depot() {}
    };

    [[gnu::noinline]] static void* allocate_slowly() {
        if (!has_stack()) return depot_.value.take_one();
        mine_.top = mine_.bottom + depot_.value.take_batch(mine_.bottom);
        return *--mine_.top;
    }

    [[gnu::noinline]] static void deallocate_slowly(void* block) noexcept {
        if (!has_stack()) return depot_.value.give_some(&block, 1);
        if (mine_.top == mine_.end) {
            depot_.value.give_batch(mine_.bottom);
            mine_.top = std::copy(mine_.bottom + batch, mine_.end, mine_.bottom);
        }
        *mine_.top++ = block;
    }

    // Whether this thread has a stack, which it gets here if it can.
    static bool has_stack() noexcept {
        if (mine_.bottom != nullptr) return true;
        if (mine_.exited) return false;
        auto** const stack =
            static_cast<void**>(::operator new(stack_size * sizeof(void*), std::nothrow));
        if (stack == nullptr) return false;
        mine_ = {stack, stack, stack + stack_size, false};
        [[maybe_unused]] static thread_local exit_hook hook;
        return true;
    }

    static inline constinit thread_local own_blocks mine_{};
    static inline constinit immortal_depot depot_{};
};

namespace detail {
constexpr std::size_t round_up(std::size_t size, std::size_t alignment) noexcept {
    return (size + alignment - 1) / alignment * alignment;
}
}  // namespace detail

// The cache for objects of that size and alignment. Objects of one rounded size share a cache.
template <std::size_t Size, std::size_t Alignment>
using block_cache_for = block_cache<detail::round_up(Size, std::max(Alignment, std::size_t{8}))>;

}  // namespace freehold
