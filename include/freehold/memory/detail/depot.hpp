// SPDX-License-Identifier: BSL-1.0
// The state that all threads of one pool share: full magazines on their way from freeing threads to
// allocating threads, empty magazines on their way back, and the chunks. All other free blocks are
// marked in their chunks.
//
// Threads exchange whole magazines without a lock, so an interrupted thread delays no other thread.
// The mutex guards the chunks. A thread takes it in four cases: no magazine is full; more than
// `most_full` magazines are full; a thread's cache is added or removed; the depot grows. In the
// second case, small blocks are sorted into their chunks, so that they come back as neighbours. A
// thread that is interrupted while it holds the mutex delays only the threads that need it. The
// upstream and operator new are called without the mutex.
//
// The shelf has memory for two magazines for each thread's cache, one for each possible full
// magazine, and one more. So a thread that gives a full magazine gets an empty one. The exception:
// several threads have taken a full magazine and have not yet returned an empty one. Then the
// blocks are marked in their chunks. While all blocks fit in one magazine, no cache needs a second
// one, and the shelf has memory for one for each cache. A magazine is made when a thread first
// needs it, so that a program with few blocks touches little memory.
// Thread-safe. Throws what the upstream throws, except std::bad_alloc, which counts as exhaustion.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/platform/mutex.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/chunk_memory.hpp>
#include <freehold/memory/detail/chunk_store.hpp>
#include <freehold/memory/detail/depot_counts.hpp>
#include <freehold/memory/detail/depot_layout.hpp>
#include <freehold/memory/detail/magazine_stack.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class depot {
public:
    constexpr explicit depot(const depot_layout& layout) noexcept
        : layout_(layout), shelf_(layout.magazine_size), chunks_(layout_) {}
    depot(const depot&) = delete;
    depot& operator=(const depot&) = delete;

    // Requires that no thread has a cache of this depot.
    ~depot() {
        chunk_memory::free_all(layout_, chunks_.remove_all());
        ::operator delete(chunks_.map().memory(), std::align_val_t(64));
        mutex_.end();
    }

    [[nodiscard]] const depot_layout& layout() const noexcept { return layout_; }
    [[nodiscard]] const depot_counts& counts() const noexcept { return counts_; }
    // Takes over the memory of the first magazine. To be called before any other function, for a
    // depot that is never destroyed.
    void add_board(void* memory) noexcept { shelf_.add_board(memory); }

    // Returns a full magazine, or nullptr.
    [[nodiscard, gnu::noinline]] magazine* take_full() noexcept {
        magazine* const taken = full_.pop(shelf_);
        if (taken != nullptr) {
            counts_.full.fetch_sub(1, std::memory_order_relaxed);
            note_taken(layout_.magazine_size);
        }
        return taken;
    }
    [[nodiscard]] bool has_full() const noexcept { return !full_.is_empty(); }
    // Takes over a full magazine and returns an empty one. If there are enough full magazines, or
    // no empty one, returns nullptr and does nothing.
    [[nodiscard]] magazine* exchange_full(magazine& given) noexcept {
        magazine* empty = nullptr;
        if (counts_.full.fetch_add(1, std::memory_order_relaxed) < layout_.most_full &&
            counts_.overflow.load(std::memory_order_relaxed) == 0) {
            empty = take_empty();
        }
        if (empty == nullptr) {
            counts_.full.fetch_sub(1, std::memory_order_relaxed);
            return nullptr;
        }
        note_given(layout_.magazine_size);
        full_.push(given);
        if (is_waited_for()) layout_.waiting->wake_all();
        return empty;
    }
    void give_empty(magazine& given) noexcept { empty_.push(given); }
    // Returns an empty magazine, or nullptr.
    [[nodiscard, gnu::noinline]] magazine* take_empty() noexcept {
        magazine* const taken = empty_.pop(shelf_);
        // Relaxed: the number is only a hint, see note_unmade.
        if (taken != nullptr || unmade_.load(std::memory_order_relaxed) == 0) [[likely]]
            return taken;
        return make_magazine();
    }

    // Writes up to `wanted` blocks to `place`, with the next one to use last. Returns their number;
    // 0 means that the depot is exhausted.
    [[nodiscard, gnu::noinline]] std::size_t take(void** place, std::size_t wanted) {
        do {
            chunk::range pages{nullptr, 0};
            std::size_t taken = 0;
            {
                const lock_holder lock(mutex_);
                taken = chunks_.take(place, wanted, pages, prefaulted_ahead());
            }
            if (pages.size > 0) prefault_within(pages);
            if (taken > 0) {
                note_taken(taken);
                return taken;
            }
        } while (grow());
        return 0;
    }

    // Returns a single block for a thread without a cache, or nullptr if the depot is exhausted.
    [[nodiscard, gnu::noinline, gnu::cold]] void* take_one() {
        // This function asks the chunks first, but they do not grow as long as a magazine is full.
        for (;;) {
            void* block = nullptr;
            {
                chunk::range pages{nullptr, 0};
                const lock_holder lock(mutex_);
                if (chunks_.take(&block, 1, pages, 0) == 1) {
                    note_taken(1);
                    return block;
                }
            }
            if (magazine* const full = take_full()) {
                give(full->blocks(), layout_.magazine_size);
                give_empty(*full);
            } else if (!grow() && !has_full()) {
                return nullptr;
            }
        }
    }

    // Marks the blocks as free in their chunks.
    [[gnu::noinline]] void give(void* const* blocks, std::size_t count) noexcept {
        chunk* leaving = nullptr;
        note_given(count);
        {
            const lock_holder lock(mutex_);
            leaving = chunks_.give(blocks, count);
        }
        if (is_waited_for()) layout_.waiting->wake_all();
        if (leaving != nullptr) [[unlikely]]
            layout_.functions->free_overflow(*this, leaving);
    }
    // For pool_functions.
    [[gnu::cold]] static void free_overflow(depot& of, chunk* leaving) noexcept {
        const std::size_t gone = chunk_memory::free_all(of.layout_, leaving);
        of.counts_.overflow.fetch_sub(gone, std::memory_order_relaxed);
        of.counts_.capacity.fetch_sub(gone, std::memory_order_relaxed);
        of.counts_.free.fetch_sub(gone,
                                  std::memory_order_relaxed);  // after the capacity: see note_taken
    }

    // Frees all chunks without a block in use or cached by a thread. Returns their bytes. Empties
    // the full magazines first.
    [[gnu::cold]] std::size_t trim() noexcept {
        while (magazine* const full = take_full()) {
            give(full->blocks(), layout_.magazine_size);
            give_empty(*full);
        }
        chunk* leaving = nullptr;
        std::size_t blocks = 0;
        {
            const lock_holder lock(mutex_);
            leaving = chunks_.remove_free();
            for (const chunk* each = leaving; each != nullptr; each = each->next) {
                blocks += each->blocks();
            }
            asked_for_ -= blocks;
            chunk_blocks_ -= blocks;
        }
        chunk_memory::free_all(layout_, leaving);
        counts_.capacity.fetch_sub(blocks, std::memory_order_relaxed);
        counts_.free.fetch_sub(blocks,
                               std::memory_order_relaxed);  // after the capacity: see note_taken
        return blocks * layout_.stride;
    }

    // Adds a step of growth, if `beyond_maximum` even beyond the maximum capacity. If the maximum
    // is reached and another thread is still adding a step, waits for that step. Returns false if
    // no block is available; then nothing has changed.
    [[gnu::noinline, gnu::cold]] bool grow(bool beyond_maximum = false) {
        for (;;) {
            std::uint32_t finished = 0;
            std::size_t blocks = 0;
            {
                const lock_holder lock(mutex_);
                // Another thread has added free blocks meanwhile.
                if (chunks_.has_free()) return true;
                blocks = step_of_growth();
                if (!beyond_maximum) {
                    blocks = smaller(blocks, layout_.maximum_capacity -
                                                 smaller(layout_.maximum_capacity, asked_for_));
                }
                if (blocks > 0) {
                    ask_for(blocks);
                } else if (unfinished_ == 0) {
                    return false;
                }
                // Relaxed: it changes under the mutex, which both sides take.
                finished = finished_.load(std::memory_order_relaxed);
            }
            if (blocks > 0) return add_asked_for(blocks, false);
            layout_.functions->wait_for_step(*this, finished);  // only a pool has a maximum
        }
    }
    // For pool_functions, both.
    [[gnu::cold]] static void wait_for_step(depot& of, std::uint32_t finished) noexcept {
        of.finished_.wait(finished, std::memory_order_relaxed);
    }
    [[gnu::cold]] static void tell_of_step(depot& of) noexcept { of.finished_.notify_all(); }
    // Adds this number of blocks. Throws std::bad_alloc.
    void reserve(std::size_t blocks) {
        {
            const lock_holder lock(mutex_);
            ask_for(blocks);
        }
        if (!add_asked_for(blocks, false)) FREEHOLD_THROW(std::bad_alloc());
    }
    // Adds a block that returns to the upstream as soon as it returns to its chunk.
    [[nodiscard]] bool add_overflow_block() { return add_asked_for(1, true); }

    // Returns an empty magazine for a thread's cache, or nullptr if none is available now. The
    // cache takes a second one by take_empty() when it needs it.
    [[nodiscard, gnu::cold]] magazine* add_cache() noexcept {
        bool has_room = false;
        {
            lock_holder lock(mutex_);
            ++cache_count_;
            has_room = make_room_for_magazines(lock);
        }
        magazine* const first = has_room ? take_empty() : nullptr;
        if (first == nullptr) remove_cache(nullptr, nullptr);
        return first;
    }
    [[gnu::cold]] void remove_cache(magazine* first, magazine* second) noexcept {
        if (first != nullptr) give_empty(*first);
        if (second != nullptr) give_empty(*second);
        const lock_holder lock(mutex_);
        --cache_count_;
    }

    // Whether threads may wait for blocks. If so, the caches of other threads can be told to refuse
    // blocks.
    [[nodiscard]] bool has_room_to_wait() const noexcept { return layout_.waiting != nullptr; }
    [[nodiscard]] bool is_waited_for() const noexcept {
        return has_room_to_wait() && layout_.waiting->is_occupied();
    }

    // Ends the program unless this is a block of the pool that is not marked as free.
    void expect_taken(const void* block) noexcept {
        const lock_holder lock(mutex_);
        chunks_.expect_taken(block);
    }
    // Whether another block is directly before this block, which must be taken.
    [[nodiscard]] bool has_block_before(const void* block) noexcept {
        const lock_holder lock(mutex_);
        return chunks_.has_block_before(block);
    }
    [[nodiscard]] bool owns(const void* place) noexcept {
        const lock_holder lock(mutex_);
        return chunks_.owns(place);
    }
    // Calls visit(block) for each block that is not marked as free in a chunk.
    template <class Visitor>
    void for_each_taken(Visitor visit) {
        const lock_holder lock(mutex_);
        chunks_.for_each_taken(visit);
    }

    // For a thread that forks. Between the steps, no other thread takes a magazine or the mutex. In
    // the child, blocks that other threads had in hand count as in use, and steps of growth that
    // they had begun are given up.
    [[nodiscard]] bool try_lock() noexcept { return mutex_.try_lock(); }
    void unlock() noexcept { mutex_.unlock(); }
    // Requires the mutex.
    [[gnu::cold]] void around_fork(fork_step step) noexcept {
        if (step == fork_step::before) {
            full_aside_ = full_.set_aside();
            empty_aside_ = empty_.set_aside();
        } else if (step == fork_step::in_parent) {
            full_.put_back(full_aside_, shelf_);
            empty_.put_back(empty_aside_, shelf_);
        } else {
            static_cast<void>(empty_.keep_only(empty_aside_, shelf_));
            count_again(full_.keep_only(full_aside_, shelf_));
        }
        if (has_room_to_wait()) layout_.waiting->around_fork(step);
    }

    // These are exact if no thread uses the pool. Relaxed: no thread derives an order from them.
    [[nodiscard]] std::size_t capacity() const noexcept {
        return counts_.capacity.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t free_blocks() const noexcept {
        return counts_.free.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t high_water() const noexcept {
        return counts_.high_water.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t overflow_blocks() const noexcept {
        return counts_.overflow.load(std::memory_order_relaxed);
    }

private:
    [[nodiscard]] std::size_t prefaulted_ahead() const noexcept {
        return smaller(layout_.prefault_ahead,
                       capacity() * layout_.stride / layout_.prefault_share);
    }
    [[nodiscard]] std::size_t step_of_growth() const noexcept {
        if (layout_.growth > 0) return layout_.growth;
        std::size_t least = layout_.first_growth;
        if (asked_for_ > 0) {
            // The second step adds up to a sixteenth of the least growth. Each later one triples
            // the capacity.
            const std::size_t next = larger(3 * asked_for_, layout_.least_growth / 16);
            least = larger(least, next - asked_for_);
        }
        least = smaller(least, layout_.least_growth);
        const std::size_t blocks = larger(asked_for_ / layout_.growth_share, least);
        if (!layout_.whole_chunks) return blocks;
        const std::size_t size = blocks * layout_.stride;
        return up_to_whole(layout_.chunk_alignment(size), size) / layout_.stride;
    }
    void ask_for(std::size_t blocks) noexcept {
        asked_for_ += blocks;
        ++unfinished_;
    }
    [[gnu::cold]] void finish(std::size_t blocks_not_had) noexcept {
        {
            const lock_holder lock(mutex_);
            asked_for_ -= blocks_not_had;
            --unfinished_;
            finished_.fetch_add(1, std::memory_order_relaxed);
        }
        if (layout_.functions != nullptr) layout_.functions->tell_of_step(*this);
    }

    // Adds a chunk of blocks. Unless it is an overflow block, ask_for has announced the blocks
    // before.
    [[nodiscard, gnu::cold]] bool add_asked_for(std::size_t blocks, bool is_overflow) {
        bool is_added = false;
        FREEHOLD_TRY {
            is_added = add_chunk(blocks, is_overflow);
        }
        FREEHOLD_CATCH(...) {  // from the upstream
            if (!is_overflow) finish(blocks);
            FREEHOLD_RETHROW;
        }
        if (!is_overflow) finish(is_added ? 0 : blocks);
        return is_added;
    }

    // Returns false if memory is exhausted.
    [[nodiscard, gnu::cold]] bool add_chunk(std::size_t blocks, bool is_overflow) {
        chunk* const added = chunk_memory::make(layout_, blocks, is_overflow);
        if (added == nullptr) return false;
        const std::size_t size = blocks * layout_.stride;
        const std::size_t with_magazines = is_overflow ? 0 : blocks;
        bool has_room = false;
        {
            lock_holder lock(mutex_);
            chunk_blocks_ += with_magazines;
            has_room = make_room_for_magazines(lock) && make_room_for_chunk(lock, size);
            if (has_room) {
                list(added, size, is_overflow);
            } else {
                chunk_blocks_ -= with_magazines;
            }
        }
        if (!has_room) chunk_memory::free_all(layout_, added);
        return has_room;
    }
    // Requires the mutex.
    void list(chunk* added, std::size_t size, bool is_overflow) noexcept {
        const std::size_t before = capacity() * layout_.stride;
        if (before < layout_.unprefaulted) {
            added->skip_pages(smaller(size, layout_.unprefaulted - before));
        }
        chunks_.add(added);
        if (is_overflow) counts_.overflow.fetch_add(1, std::memory_order_relaxed);
        // before the capacity: see note_taken
        counts_.free.fetch_add(added->blocks(), std::memory_order_relaxed);
        counts_.capacity.fetch_add(added->blocks(), std::memory_order_relaxed);
    }
    // Calls operator new without the lock, because a replaced operator new may itself use a pool.
    // Holds the lock again when it returns. Returns nullptr if memory is exhausted.
    [[nodiscard, gnu::cold]] static void* allocate_unlocked(lock_holder<platform_mutex>& lock,
                                                            std::size_t size) noexcept {
        lock.unlock();
        void* const memory = ::operator new(size, std::align_val_t(64), std::nothrow);
        lock.lock();
        return memory;
    }
    static void free_unlocked(lock_holder<platform_mutex>& lock, void* memory) noexcept {
        lock.unlock();
        ::operator delete(memory, std::align_val_t(64));
        lock.lock();
    }

    // Both functions return false if memory is exhausted.
    [[nodiscard, gnu::noinline, gnu::cold]] bool make_room_for_chunk(
        lock_holder<platform_mutex>& lock, std::size_t size) noexcept {
        while (const std::size_t room = chunks_.map().room_wanted_for(size)) {
            void* memory = allocate_unlocked(lock, chunk_map::memory_for(room));
            if (memory == nullptr) return false;
            if (room == chunks_.map().room_wanted_for(size))
                memory = chunks_.map().move_to(memory, room);
            free_unlocked(lock, memory);
        }
        return true;
    }
    // Provides the memory for all magazines that may be needed.
    [[nodiscard, gnu::noinline, gnu::cold]] bool make_room_for_magazines(
        lock_holder<platform_mutex>& lock) noexcept {
        while (shelf_.room() < magazines_needed()) {
            const std::size_t size = shelf_.board_size();
            void* const board = allocate_unlocked(lock, size);
            if (board == nullptr) return false;
            if (shelf_.room() < magazines_needed() && size == shelf_.board_size()) {
                shelf_.add_board(board);
            } else {
                free_unlocked(lock, board);
            }
        }
        note_unmade();
        return true;
    }
    // Returns nullptr if as many are made as may be needed now, or as there is memory for.
    [[nodiscard, gnu::noinline, gnu::cold]] magazine* make_magazine() noexcept {
        const lock_holder lock(mutex_);
        if (unmade_magazines() == 0) return nullptr;
        magazine& made = shelf_.make();
        note_unmade();
        return &made;
    }
    void note_unmade() noexcept {
        // Relaxed: a thread that sees it late takes the mutex in vain, or does without.
        unmade_.store(unmade_magazines(), std::memory_order_relaxed);
    }
    // Another thread may need more magazines, and be allocating the memory for them.
    [[nodiscard]] std::size_t unmade_magazines() const noexcept {
        const std::size_t possible = smaller(magazines_needed(), shelf_.room());
        return possible - smaller(possible, shelf_.made());
    }
    [[nodiscard]] std::size_t magazines_needed() const noexcept {
        const std::size_t full = chunk_blocks_ / layout_.magazine_size;
        if (full == 0) return cache_count_;
        return smaller(full, layout_.most_full) + 1 + 2 * cache_count_;
    }

    // Called in a child of fork(), where no other thread changes anything. Relaxed for this reason.
    [[gnu::cold]] void count_again(std::size_t full_magazines) noexcept {
        const chunk_store::block_counts counts = chunks_.count();
        counts_.full.store(full_magazines, std::memory_order_relaxed);
        counts_.free.store(counts.free + full_magazines * layout_.magazine_size,
                           std::memory_order_relaxed);
        counts_.capacity.store(counts.all, std::memory_order_relaxed);
        counts_.overflow.store(counts.overflow, std::memory_order_relaxed);
        asked_for_ = counts.all - counts.overflow;
        chunk_blocks_ = asked_for_;
        unfinished_ = 0;
    }

    [[gnu::noinline]] void note_taken(std::size_t blocks) noexcept {
        const std::size_t left = counts_.free.fetch_sub(blocks, std::memory_order_relaxed) - blocks;
        // Relaxed: another thread may be changing both counters. Their order of change ensures that
        // no free block counts as taken.
        const std::size_t out = capacity() - smaller(capacity(), left);
        std::size_t most = high_water();
        while (out > most &&
               !counts_.high_water.compare_exchange_weak(most, out, std::memory_order_relaxed)) {
        }
    }
    void note_given(std::size_t blocks) noexcept {
        counts_.free.fetch_add(blocks, std::memory_order_relaxed);
    }

    // All words that an exchange of magazines writes are in one cache line, so it moves between
    // cores once.
    alignas(64) magazine_stack full_;
    magazine_stack empty_;
    depot_counts counts_;
    // Relaxed in all accesses: see note_unmade.
    std::atomic<std::size_t> unmade_{0};  // magazines for which there is room

    alignas(64) const depot_layout layout_;
    magazine_shelf shelf_;

    // The number of steps of growth that have ended, successfully or not.
    std::atomic<std::uint32_t> finished_{0};
    platform_mutex mutex_;  // guards the members below; only its holder makes magazines
    chunk_store chunks_;
    std::size_t asked_for_ = 0;     // blocks in chunks or being added, without overflow blocks
    std::size_t unfinished_ = 0;    // steps of growth that have not ended
    std::size_t chunk_blocks_ = 0;  // blocks that have magazines
    std::size_t cache_count_ = 0;
    // The tops of both stacks while a thread forks.
    std::uint32_t full_aside_ = 0;
    std::uint32_t empty_aside_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
