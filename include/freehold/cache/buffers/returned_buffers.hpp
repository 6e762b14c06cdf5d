// SPDX-License-Identifier: BSL-1.0
// Buffers on their way back from other threads to the part of a cache that they belong to: a stack
// that any thread pushes to and one takes whole, so that no block is ever popped from under another
// (the ABA problem does not arise).
//
// What lies in it is idle, and counts: who pushes takes room for it first. Room is made from what
// the part has reserved. Costs two atomic operations for each push. Of what a buffer takes from one
// processor to another and back, most is waiting for its header's cache line to come over; so each
// says where another is that will soon be wanted, and several are fetched at the same time: some
// 40 ns a buffer in place of 90.
// Source: the stacks of remotely freed blocks of mimalloc (Leijen, Zorn, de Moura, APLAS 2019).
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>
#include <freehold/cache/buffers/byte_budget.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class returned_buffers {
public:
    // By any thread: whether the block is on its way now. Room that lacks is reserved of `budget`.
    [[nodiscard]] bool push(buffer_block& block, thread_budget& budget) noexcept {
        if (is_closed()) return false;
        const std::size_t bytes = block.capacity;
        if (!take_room(bytes)) {
            const std::size_t reserved = budget.reserve(bytes);
            if (reserved == 0) {
                lacks_room_.store(true, std::memory_order_relaxed);  // relaxed: a hint
                return false;
            }
            if (reserved > bytes) add_room(reserved - bytes);
        }
        note_earlier(block);
        if (push(block)) return true;
        add_room(bytes);
        return false;
    }
    // By any thread: bytes that were reserved, or that were taken and are not used.
    void add_room(std::size_t bytes) noexcept {
        room_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    }
    // By the part's thread: takes all room that is unused, and says how much that was.
    [[nodiscard]] std::size_t withdraw_room() noexcept {
        std::int64_t room = room_.load(std::memory_order_relaxed);
        while (room > 0 && !room_.compare_exchange_weak(room, 0, std::memory_order_relaxed)) {
        }
        return room > 0 ? static_cast<std::size_t>(room) : 0;
    }

    // The rest is for the part's thread alone.

    // Whether a block found no room since it was last asked. relaxed: a hint, and nobody is told
    // that it was taken.
    [[nodiscard]] bool lacks_room() const noexcept {
        return lacks_room_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool take_lack_of_room() noexcept {
        const bool lacks = lacks_room();
        if (lacks) lacks_room_.store(false, std::memory_order_relaxed);
        return lacks;
    }
    [[nodiscard]] bool is_empty() const noexcept {
        // relaxed: whoever acts upon it takes all, and acquires then.
        buffer_block* const first = first_.load(std::memory_order_relaxed);
        return first == nullptr || first == &closed_;
    }
    // The first of those that came back, each with the next; nullptr if there is none. Where one's
    // `previous` points to, another probably lies that follows later, and nothing to be read if
    // not: it is to be fetched as soon as its predecessor is looked at, no more.
    [[nodiscard]] buffer_block* take_all() noexcept { return take_all_and_leave(nullptr); }
    [[nodiscard]] buffer_block* take_all_and_close() noexcept {
        return take_all_and_leave(&closed_);
    }
    // It is closed, as it is at first.
    void open() noexcept {
        // relaxed: the pushes that this lets in publish themselves.
        first_.store(nullptr, std::memory_order_relaxed);
    }

private:
    // Whoever finds it open may still find it closed when he pushes.
    [[nodiscard]] bool is_closed() const noexcept {
        return first_.load(std::memory_order_relaxed) == &closed_;  // relaxed: a hint
    }
    [[nodiscard]] bool take_room(std::size_t bytes) noexcept {
        // Relaxed, as all that concerns room: a number that guards no data. It may be below zero
        // between a vain subtraction and its undoing, so that others ask in vain too.
        const auto amount = static_cast<std::int64_t>(bytes);
        if (room_.fetch_sub(amount, std::memory_order_relaxed) >= amount) return true;
        room_.fetch_add(amount, std::memory_order_relaxed);
        return false;
    }
    void note_earlier(buffer_block& block) noexcept {
        // Relaxed, all: addresses that nothing is read through. Threads that do this at the same
        // time may both name the same block, or none of them their own.
        const std::size_t place = next_earlier_.load(std::memory_order_relaxed) % earlier_.size();
        next_earlier_.store(static_cast<std::uint8_t>(place + 1), std::memory_order_relaxed);
        block.previous = earlier_[place].load(std::memory_order_relaxed);
        earlier_[place].store(&block, std::memory_order_relaxed);
    }
    // False if this is closed.
    [[nodiscard]] bool push(buffer_block& block) noexcept {
        buffer_block* first = first_.load(std::memory_order_relaxed);
        do {
            if (first == &closed_) return false;
            block.next = first;
            // release: the thread that takes it sees its header, and reuses its bytes only after
            // the last use of them here. Relaxed otherwise: nothing was read through `first`.
        } while (!first_.compare_exchange_weak(first, &block, std::memory_order_release,
                                               std::memory_order_relaxed));
        return true;
    }
    [[nodiscard]] buffer_block* take_all_and_leave(buffer_block* instead) noexcept {
        // acquire: see push.
        buffer_block* const first = first_.exchange(instead, std::memory_order_acquire);
        return first == &closed_ ? nullptr : first;
    }

    static inline buffer_block closed_{};

    std::atomic<buffer_block*> first_{&closed_};
    std::atomic<std::int64_t> room_{0};
    std::atomic<bool> lacks_room_{false};
    // The last that were pushed, in turn. As few as find room in the cache line of all the rest.
    std::atomic<std::uint8_t> next_earlier_{0};
    std::array<std::atomic<buffer_block*>, 4> earlier_{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
