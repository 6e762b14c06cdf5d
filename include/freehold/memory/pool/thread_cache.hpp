// SPDX-License-Identifier: BSL-1.0
// One thread's free blocks of one pool: two magazines, one in use and one that is either full or
// empty, so that a whole magazine of operations in either direction lies between two exchanges.
//
// Only the thread itself writes to a cache, except where said; others read the numbers for
// statistics, and see them as they are when the thread does nothing.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001).
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/pool/relaxed.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class depot;
struct magazine;

class thread_cache {
public:
    constexpr thread_cache() noexcept = default;
    thread_cache(const thread_cache&) = delete;
    thread_cache& operator=(const thread_cache&) = delete;

    // The next four are all that an allocation or a free costs. A thread reads what it alone writes
    // without more ado, and calls no relaxed::set, for compilers that do not optimise.

    // Whether the magazine in use has no block, or no room.
    [[nodiscard, gnu::always_inline]] bool is_empty() const noexcept {
        return top_.value == bottom_.value;
    }
    [[nodiscard, gnu::always_inline]] bool is_full() const noexcept {
        return top_.value >= __atomic_load_n(&end_.value, __ATOMIC_RELAXED);
    }
    // It is not empty.
    [[nodiscard, gnu::always_inline]] void* take() noexcept {
        void** const top = top_.value - 1;
        __atomic_store_n(&top_.value, top, __ATOMIC_RELAXED);
        return *top;
    }
    // It is not full.
    [[gnu::always_inline]] void put(void* block) noexcept {
        void** const top = top_.value;
        *top = block;
        __atomic_store_n(&top_.value, top + 1, __ATOMIC_RELAXED);
    }

    // All or nothing. False for no blocks at all, too: threads without a cache share one, and must
    // not write to it.
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
    // What was taken counts as allocated only when told so: who has no use for the number is spared
    // the addition.
    [[gnu::always_inline]] void count_allocations(std::size_t blocks) noexcept {
        allocations_.add(blocks);
    }

    // How many blocks can be taken, or put, without a slow path.
    [[nodiscard]] std::size_t available() const noexcept {
        return static_cast<std::size_t>(top_.get() - bottom_.get());
    }
    [[nodiscard]] std::size_t room() const noexcept {
        void** const top = top_.get();
        void** const end = end_.get();
        return top < end ? static_cast<std::size_t>(end - top) : 0;
    }

    [[nodiscard]] bool is_open() const noexcept { return depot_ != nullptr; }

    // Gets its magazines; false if they cannot be had.
    [[nodiscard, gnu::noinline]] FREEHOLD_API bool open(depot& source) noexcept;
    // Gives all back.
    [[gnu::noinline]] FREEHOLD_API void close() noexcept;
    // Has no blocks and no room from now on. May be called by any thread if its own does nothing.
    void forget() noexcept {
        top_.set(nullptr);
        bottom_.set(nullptr);
        end_.set(nullptr);
        depot_ = nullptr;
    }

    // When it is empty: false if the depot is exhausted, else a block can be taken. Blocks come
    // upwards from a chunk, and from a magazine the last freed first; or, if the depot keeps their
    // order, as they were freed: one by one, or `next` at once and `burst` at a time from then on.
    // So those that go round between threads stay in the order of their addresses, in which
    // processors fetch ahead: on a Zen 4, 2 KiB written by one thread and read by another take 0.82
    // of the time that they take with the last freed first.
    [[nodiscard, gnu::noinline]] FREEHOLD_API bool refill(std::size_t next = 1,
                                                          std::size_t burst = 1);

    // When it is full: makes room, unless a thread waits for blocks.
    [[gnu::noinline]] FREEHOLD_API void spill() noexcept;

    // Gives all blocks to the depot's chunks.
    [[gnu::noinline]] FREEHOLD_API void give_back() noexcept;

    // Makes it full, until the thread makes room. May be called by any thread.
    void refuse() noexcept {
        __atomic_store_n(&end_.value, nullptr, __ATOMIC_SEQ_CST);  // see open_up
    }

    [[nodiscard]] std::size_t cached() const noexcept {
        const std::size_t loaded = available();
        // The thread may just be exchanging its magazine.
        return (loaded < size_ ? loaded : size_) + (other_full_.get() ? size_ : 0);
    }
    [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_.get(); }
    // A free is what made the number of blocks what it is. Never below zero.
    [[nodiscard]] std::uint64_t frees() const noexcept {
        const std::uint64_t received = received_.get();
        const std::uint64_t gone = cached() + returned_.get() + allocations();
        return gone > received ? gone - received : 0;
    }
    [[nodiscard]] std::uint64_t refills() const noexcept { return refills_.get(); }

private:
    FREEHOLD_CORE void use_loaded(std::size_t blocks) noexcept;
    // Ends a refusal, unless a thread waits for blocks just now.
    FREEHOLD_CORE void open_up() noexcept;
    FREEHOLD_CORE void note_received(std::size_t blocks) noexcept;
    // Copies a full magazine to the one in use, so that the first block is used first. A burst is
    // taken as it stands.
    FREEHOLD_CORE void copy_in_order(void* const* first, std::size_t next,
                                     std::size_t burst) noexcept;
    // The same for blocks in the magazine in use of which the last is to be used first.
    FREEHOLD_CORE void turn_bursts(std::size_t blocks, std::size_t next,
                                   std::size_t burst) noexcept;
    // Exchanges the magazine in use, full or empty, with the other, which is the opposite.
    FREEHOLD_CORE void swap() noexcept;

    // The free blocks lie between `bottom` and `top`, and there is room up to `end`. All are null
    // while the cache has no magazines: each operation takes the slow path then.
    relaxed<void**> top_{nullptr};
    relaxed<void**> bottom_{nullptr};
    relaxed<void**> end_{nullptr};  // null: it is to be found full
    relaxed<std::uint64_t> allocations_{0};
    magazine* loaded_ = nullptr;
    magazine* other_ = nullptr;  // full or empty
    depot* depot_ = nullptr;
    std::size_t size_ = 0;  // blocks of a magazine
    relaxed<std::uint64_t> received_{0};
    relaxed<std::uint64_t> returned_{0};
    relaxed<std::uint64_t> refills_{0};
    relaxed<bool> other_full_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/memory/pool/thread_cache_inl.hpp>
#endif
