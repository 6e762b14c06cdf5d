// SPDX-License-Identifier: BSL-1.0
// The free blocks of one pool that one thread has: two magazines. One is in use; the other is full
// or empty. So at least one magazine of operations in either direction is between two exchanges.
// Only the owning thread writes to a cache, except where a comment says otherwise. Other threads
// read the numbers for statistics. These are exact while the owning thread does nothing.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001).
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/relaxed.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class depot;
struct magazine;

// The part that an allocation or a free reads and writes. A thread reads the values that only it
// writes without an atomic load. The functions do not call relaxed::set, because a compiler that
// does not optimise would make a function call. Relaxed: other threads read the values for
// statistics only; for `end_`, see thread_cache::open_up.
class loaded_blocks {
public:
    constexpr loaded_blocks() noexcept = default;
    loaded_blocks(const loaded_blocks&) = delete;
    loaded_blocks& operator=(const loaded_blocks&) = delete;

    // Whether the magazine in use has no block, or no room.
    [[nodiscard, gnu::always_inline]] bool is_empty() const noexcept {
        return top_.value == bottom_.value;
    }
    [[nodiscard, gnu::always_inline]] bool is_full() const noexcept {
        return top_.value >= __atomic_load_n(&end_.value, __ATOMIC_RELAXED);
    }
    // Requires that the cache is not empty.
    [[nodiscard, gnu::always_inline]] void* take() noexcept {
        void** const top = top_.value - 1;
        __atomic_store_n(&top_.value, top, __ATOMIC_RELAXED);
        return *top;
    }
    // Requires that the cache is not full.
    [[gnu::always_inline]] void put(void* block) noexcept {
        void** const top = top_.value;
        *top = block;
        __atomic_store_n(&top_.value, top + 1, __ATOMIC_RELAXED);
    }

    // The calling thread must own both.
    [[gnu::noinline]] void become(const loaded_blocks& other) noexcept {
        top_.set(other.top_.get());
        bottom_.set(other.bottom_.get());
        end_.set(other.end_.get());
    }

protected:
    // The free blocks are between `bottom` and `top`. There is room up to `end`. All three are null
    // while the cache has no magazines, so each operation takes the slow path.
    relaxed<void**> top_{nullptr};
    relaxed<void**> bottom_{nullptr};
    relaxed<void**> end_{nullptr};  // null: is_full() is true
};

class thread_cache : public loaded_blocks {
public:
    // Transfers all blocks or none. Returns false also for zero blocks: threads without a cache
    // share one, and must not write to it.
    [[nodiscard, gnu::always_inline]] bool take_all(void** to, std::size_t count) noexcept {
        if (count - 1 >= available()) [[unlikely]]
            return false;
        void** const top = top_.value - count;
        top_.set(top);
        __builtin_memcpy(to, top, count * sizeof(void*));
        return true;
    }
    [[nodiscard, gnu::always_inline]] bool put_all(void* const* blocks,
                                                   std::size_t count) noexcept {
        if (count - 1 >= room()) [[unlikely]]
            return false;
        void** const top = top_.value;
        __builtin_memcpy(top, blocks, count * sizeof(void*));
        top_.set(top + count);
        return true;
    }
    // Taken blocks count as allocated only by this call. A caller without use for the number saves
    // the addition.
    [[gnu::always_inline]] void count_allocations(std::size_t blocks) noexcept {
        allocations_.add(blocks);
    }

    // The numbers of blocks that can be taken, or put, without a slow path.
    [[nodiscard]] std::size_t available() const noexcept {
        return static_cast<std::size_t>(top_.get() - bottom_.get());
    }
    [[nodiscard]] std::size_t room() const noexcept {
        void** const top = top_.get();
        void** const end = end_.get();
        return top < end ? static_cast<std::size_t>(end - top) : 0;
    }

    // Gets two magazines. Returns false if they are not available.
    [[nodiscard, gnu::noinline, gnu::cold]] FREEHOLD_API bool open(depot& source) noexcept;
    // Returns all blocks and both magazines to the depot.
    [[gnu::noinline, gnu::cold]] FREEHOLD_API void close() noexcept;
    // Makes the cache empty and full. Another thread may call it while the owning thread does not
    // use the cache.
    void forget() noexcept {
        top_.set(nullptr);
        bottom_.set(nullptr);
        end_.set(nullptr);
        depot_ = nullptr;
    }

    // To be called when the cache is empty. Returns false if the depot is exhausted; otherwise a
    // block can be taken. Blocks from a chunk come in ascending order. Blocks from a magazine come
    // with the last freed first.
    [[nodiscard, gnu::noinline]] FREEHOLD_API bool refill();
    // Does the same, but blocks from a magazine come in the order of their frees: first `next` at
    // once, and then `burst` at a time. So blocks that circulate between threads stay in the order
    // of their addresses, in which processors prefetch. On a Zen 4, writing 2 KiB on one thread and
    // reading them on another takes 0.82 of the time that it takes with the last freed first.
    [[nodiscard, gnu::noinline]] FREEHOLD_API bool refill_in_order(std::size_t next,
                                                                   std::size_t burst);

    // To be called when the cache is full. Makes room, unless a thread waits for blocks.
    [[gnu::noinline]] FREEHOLD_API void spill() noexcept;

    // Marks all blocks of the cache as free in the depot's chunks.
    [[gnu::noinline]] FREEHOLD_API void give_back() noexcept;

    // Makes the cache full until its thread makes room. Any thread may call it.
    void refuse() noexcept {
        __atomic_store_n(&end_.value, nullptr, __ATOMIC_SEQ_CST);  // see open_up
    }

    [[nodiscard]] std::size_t cached() const noexcept {
        const std::size_t loaded = available();
        // The owning thread may be exchanging its magazine.
        return (loaded < size_ ? loaded : size_) + (other_full_.get() ? size_ : 0);
    }
    [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_.get(); }
    // The frees follow from the other numbers of blocks. The result is never below zero.
    [[nodiscard]] std::uint64_t frees() const noexcept {
        const std::uint64_t received = received_.get();
        const std::uint64_t gone = cached() + returned_.get() + allocations();
        return gone > received ? gone - received : 0;
    }
    [[nodiscard]] std::uint64_t refills() const noexcept { return refills_.get(); }

private:
    FREEHOLD_CORE void use_loaded(std::size_t blocks) noexcept;
    // Ends a refusal, unless a thread is waiting for blocks now.
    FREEHOLD_CORE void open_up() noexcept;
    FREEHOLD_CORE void note_received(std::size_t blocks) noexcept;
    // Copies a full magazine to the one in use, in such an order that the first block is used
    // first. The order within a burst does not change.
    FREEHOLD_CORE void copy_in_order(void* const* first, std::size_t next,
                                     std::size_t burst) noexcept;
    // Does the same for blocks that are already in the magazine in use, with the first to use last.
    FREEHOLD_CORE void turn_bursts(std::size_t blocks, std::size_t next,
                                   std::size_t burst) noexcept;
    // Exchanges the magazine in use, which is full or empty, with the other, which is the opposite.
    FREEHOLD_CORE void swap() noexcept;

    relaxed<std::uint64_t> allocations_{0};
    magazine* loaded_ = nullptr;
    magazine* other_ = nullptr;  // full or empty; null until it is first needed
    depot* depot_ = nullptr;
    std::size_t size_ = 0;  // blocks of a magazine
    relaxed<std::uint64_t> received_{0};
    relaxed<std::uint64_t> returned_{0};
    relaxed<std::uint64_t> refills_{0};
    relaxed<bool> other_full_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/detail/ordered_refill_inl.hpp>
#include <freehold/memory/detail/thread_cache_inl.hpp>
#endif
