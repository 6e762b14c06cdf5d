// SPDX-License-Identifier: BSL-1.0
// The buffers that other threads return to one thread cache: a stack that any thread pushes to, and
// that the owner takes as a whole. No block is popped singly, so there is no ABA problem.
//
// Blocks on the stack are idle and count as such. Before a push, the pushing thread takes room:
// bytes that the owner has reserved from the quota. A push takes two atomic operations.
//
// Most of the cost of a return is the transfer of the header's cache line between processors. Each
// block therefore carries the address of one that will be taken soon after it, and the owner
// prefetches several at once: about 40 ns per buffer instead of 90.
//
// Source: the lists of remotely freed blocks in mimalloc (Leijen, Zorn, de Moura, APLAS 2019).
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/config.hpp>

#include "buffer/thread_quota.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class returned_buffers {
public:
    // Any thread may call this. Returns whether the block was pushed. If there is not enough room,
    // reserves it from `quota`.
    [[nodiscard]] bool push(buffer_block& block, thread_quota& quota) noexcept {
        if (is_closed()) return false;
        const std::size_t bytes = block.capacity;
        if (!take_room(bytes)) {
            const std::size_t reserved = quota.reserve(bytes);
            if (reserved == 0) {
                lacks_room_.store(true, std::memory_order_relaxed);  // relaxed: a hint
                return false;
            }
            if (reserved > bytes) add_room(reserved - bytes);
        }
        link_recent(block);
        if (push(block)) return true;
        add_room(bytes);
        return false;
    }
    // Any thread may call this. Adds bytes that were reserved, or that were taken and not used.
    void add_room(std::size_t bytes) noexcept {
        room_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    }
    // Only the owner may call this. Takes all unused room, and returns its size.
    [[nodiscard]] std::size_t withdraw_room() noexcept {
        std::int64_t room = room_.load(std::memory_order_relaxed);
        while (room > 0 && !room_.compare_exchange_weak(room, 0, std::memory_order_relaxed)) {
        }
        return room > 0 ? static_cast<std::size_t>(room) : 0;
    }

    // Only the owner may call the functions below.

    // Whether a push failed for lack of room since the flag was last cleared. relaxed: a hint.
    [[nodiscard]] bool lacks_room() const noexcept {
        return lacks_room_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool test_and_clear_lacks_room() noexcept {
        const bool lacks = lacks_room();
        if (lacks) lacks_room_.store(false, std::memory_order_relaxed);
        return lacks;
    }
    [[nodiscard]] bool is_empty() const noexcept {
        // relaxed: a hint; the owner acquires when it takes the blocks.
        buffer_block* const first = first_.load(std::memory_order_relaxed);
        return first == nullptr || first == &closed_;
    }
    // Returns the list of returned blocks, linked by `next`, or nullptr. The `previous` of each
    // block is a hint for a prefetch and must not be dereferenced: it usually points to a block
    // that follows later in the list.
    [[nodiscard]] buffer_block* take_all() noexcept { return exchange_all(nullptr); }
    [[nodiscard]] buffer_block* take_all_if_open() noexcept {
        return is_closed() ? nullptr : exchange_all(nullptr);
    }
    [[nodiscard]] buffer_block* take_all_and_close() noexcept { return exchange_all(&closed_); }
    // What the stack had when the owner began to fork goes back to it. In a child, what was pushed
    // meanwhile is lost: a child gets the memory page by page, and could have a block without its
    // `next`.
    void put_back(buffer_block* first, bool is_child) noexcept {
        if (is_closed()) return;
        if (is_child) {
            first_.store(first, std::memory_order_relaxed);  // relaxed: there is no other thread
            return;
        }
        while (first != nullptr) static_cast<void>(push(*std::exchange(first, first->next)));
    }
    // Opens a closed stack. A new stack is closed.
    void open() noexcept {
        // relaxed: the first push publishes its own block.
        first_.store(nullptr, std::memory_order_relaxed);
    }

private:
    // A stack that looks open may be closed by the time of the push.
    [[nodiscard]] bool is_closed() const noexcept {
        return first_.load(std::memory_order_relaxed) == &closed_;  // relaxed: a hint
    }
    [[nodiscard]] bool take_room(std::size_t bytes) noexcept {
        // relaxed, as every access to room_: the number guards no data. It is negative between a
        // failed subtraction and its reversal, so that other pushes may fail too.
        const auto amount = static_cast<std::int64_t>(bytes);
        if (room_.fetch_sub(amount, std::memory_order_relaxed) >= amount) return true;
        room_.fetch_add(amount, std::memory_order_relaxed);
        return false;
    }
    void link_recent(buffer_block& block) noexcept {
        // relaxed, all of them: the addresses are only prefetched. Concurrent calls may both record
        // the same block, or lose one.
        const std::size_t place = next_recent_.load(std::memory_order_relaxed) % recent_.size();
        next_recent_.store(static_cast<std::uint8_t>(place + 1), std::memory_order_relaxed);
        block.previous = recent_[place].load(std::memory_order_relaxed);
        recent_[place].store(&block, std::memory_order_relaxed);
    }
    // Returns false if the stack is closed.
    [[nodiscard]] bool push(buffer_block& block) noexcept {
        buffer_block* first = first_.load(std::memory_order_relaxed);
        do {
            if (first == &closed_) return false;
            block.next = first;
            // release: the owner sees the header, and reuses the data only after this thread's last
            // use of it. relaxed otherwise: nothing is read through `first`.
        } while (!first_.compare_exchange_weak(first, &block, std::memory_order_release,
                                               std::memory_order_relaxed));
        return true;
    }
    [[nodiscard]] buffer_block* exchange_all(buffer_block* instead) noexcept {
        // acquire: see push.
        buffer_block* const first = first_.exchange(instead, std::memory_order_acquire);
        return first == &closed_ ? nullptr : first;
    }

    static inline buffer_block closed_{};

    std::atomic<buffer_block*> first_{&closed_};
    std::atomic<std::int64_t> room_{0};
    std::atomic<bool> lacks_room_{false};
    // The addresses of the last blocks that were pushed, overwritten in turn. There are as many as
    // fit into the cache line of the other members.
    std::atomic<std::uint8_t> next_recent_{0};
    std::array<std::atomic<buffer_block*>, 4> recent_{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
