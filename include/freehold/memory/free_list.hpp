// SPDX-License-Identifier: BSL-1.0
// Blocks of one size from a free list: one list for each thread, for all of the process.
//
// A thread takes from and gives back to its own list, whichever thread allocated the block. What a
// list lacks, or has too much of, is exchanged in batches with a depot that the threads share; so
// blocks that one thread allocates and another frees come round again, and a thread that exits
// leaves all it has to the others. The depot asks operator new when it has none, and keeps what it
// got until the process ends: a free list never gives memory back.
//
// Costs a few plain instructions and no atomic on a thread's own list, and once in `batch`
// operations, at worst, a mutex. A block has no header: it takes exactly BlockSize bytes.
// Thread-safe. Exceptions: allocate throws std::bad_alloc, deallocate nothing.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001), with linked lists as magazines.
#pragma once

#include <freehold/memory/free_list_depot.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace freehold {

template <std::size_t BlockSize, std::size_t Alignment = alignof(std::max_align_t)>
class free_list {
    using block = detail::free_block;
    static_assert(BlockSize >= sizeof(block), "a free block must hold two pointers");
    static_assert(Alignment >= alignof(block), "a free block must hold pointers");
    static_assert(BlockSize % Alignment == 0, "neighbours in a slab must be aligned alike");

public:
    // How many blocks change hands at once. A thread keeps at most twice as many for itself.
    static constexpr std::size_t batch = 128;

    [[nodiscard]] static void* allocate() {
        if (mine_.list == nullptr) [[unlikely]]
            return allocate_slowly();
        return pop();
    }

    static void deallocate(void* place) noexcept {
        if (mine_.length == mine_.capacity) [[unlikely]]
            return deallocate_slowly(place);
        push(place);
    }

    // How many blocks were ever had from operator new, in use or free.
    [[nodiscard]] static std::size_t reserved_blocks() noexcept {
        return depot_.value.reserved_blocks();
    }

private:
    // A thread's own blocks. Its capacity is `batch` while the thread is registered, and 0 before
    // its first slow call and after its exit, when thread-local destructors may still free; so the
    // fast paths need no further test. It is trivially destructible: reading it needs no guard.
    struct own_lists {
        block* list;  // `length` blocks, at most `capacity`
        std::size_t length;
        std::size_t capacity;
        block* spare;  // a full list, or null
        bool exited;
    };

    struct exit_hook {
        exit_hook() noexcept { mine_.capacity = batch; }
        ~exit_hook() {
            if (mine_.spare != nullptr) depot_.value.give_list(std::exchange(mine_.spare, nullptr));
            while (mine_.list != nullptr) depot_.value.give_one(pop());
            mine_.capacity = 0;
            mine_.exited = true;
        }
    };

    // Never destroyed: it serves frees from destructors of statics, whatever their order.
    union immortal_depot {
        detail::free_list_depot<BlockSize, Alignment, batch> value;
        constexpr immortal_depot() noexcept : value() {}
        constexpr ~immortal_depot() {}
    };

    static block* pop() noexcept {
        --mine_.length;
        return std::exchange(mine_.list, mine_.list->next_block);
    }

    static void push(void* place) noexcept {
        auto* const freed = ::new (place) block;
        freed->next_block = mine_.list;
        mine_.list = freed;
        ++mine_.length;
    }

    [[gnu::noinline]] static void* allocate_slowly() {
        if (mine_.exited) return depot_.value.take_one();
        register_thread();
        if (mine_.spare != nullptr) {
            mine_.list = std::exchange(mine_.spare, nullptr);
            mine_.length = batch;
        } else {
            const auto [first, length] = depot_.value.take_list();
            mine_.list = first;
            mine_.length = length;
        }
        return pop();
    }

    [[gnu::noinline]] static void deallocate_slowly(void* place) noexcept {
        if (mine_.exited) return depot_.value.give_one(::new (place) block);
        register_thread();
        if (mine_.length == batch) {
            if (mine_.spare != nullptr) depot_.value.give_list(mine_.spare);
            mine_.spare = std::exchange(mine_.list, nullptr);
            mine_.length = 0;
        }
        push(place);
    }

    static void register_thread() { [[maybe_unused]] static thread_local const exit_hook hook; }

    static inline constinit thread_local own_lists mine_{};
    static inline constinit immortal_depot depot_{};
};

}  // namespace freehold
