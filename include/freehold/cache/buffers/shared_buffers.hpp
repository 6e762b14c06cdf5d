// SPDX-License-Identifier: BSL-1.0
// The part of a cache that all threads share: an object of its policy behind a lock, which has what
// it is given as long as the cache's budget of idle bytes allows.
//
// Under the lock the policy decides, no more: the upstream is called outside it. Until then, what
// was dropped has its share of the budget still: the operations say how many bytes the caller is to
// release when it has given to the upstream what they dropped.
#pragma once

#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffers/byte_budget.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace freehold::inline FREEHOLD_ABI::detail {

template <buffer_policy Policy>
class shared_buffers {
public:
    shared_buffers(const typename Policy::options& options, byte_budget& budget, std::size_t step)
        : policy_(options), budget_(budget), step_(step) {}

    // nullptr if there is none.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_occasion occasion) noexcept {
        // Where it is all that there is of the policy, that is to learn of each request.
        if (Policy::per_thread && is_empty()) return nullptr;
        const std::lock_guard lock(mutex_);
        buffer_block* const block = policy_.take(request, occasion);
        note_idle();
        if (policy_.idle_bytes() == 0) budget_.release(take_surplus());
        return block;
    }
    // Of a new buffer.
    [[nodiscard]] std::size_t capacity_for(std::size_t size) noexcept {
        const std::lock_guard lock(mutex_);
        return policy_.capacity_for(size);
    }

    // Takes over a block that nobody has counted as idle.
    [[nodiscard]] std::size_t keep(buffer_block& block, buffer_occasion occasion,
                                   dropped_buffers& dropped) noexcept {
        const std::size_t capacity = block.capacity;
        if (capacity > budget_.limit() ||
            (Policy::per_thread && is_empty() && budget_.left() < capacity)) {
            dropped.push(block);
            note_shortage(true);
            return 0;
        }
        const std::lock_guard lock(mutex_);
        const std::size_t before = policy_.idle_bytes();
        policy_.keep(block, occasion, dropped);
        if (const std::size_t idle = policy_.idle_bytes(); idle > reserved_) {
            const std::size_t more = idle - reserved_;
            reserved_ += budget_.reserve(more, std::max(more, step_));
            note_shortage(idle > reserved_);
            if (idle > reserved_) policy_.trim(reserved_, occasion, dropped);
        }
        note_idle();
        // The block itself is the caller's until it has done with what was dropped for it.
        const std::size_t after = policy_.idle_bytes();
        const std::size_t owed = before > after ? before - after : 0;
        reserved_ -= owed;
        return owed;
    }
    // Takes over blocks together with what is reserved for them.
    [[nodiscard]] std::size_t adopt(dropped_buffers& blocks, std::size_t reserved,
                                    buffer_occasion occasion, dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        reserved_ += reserved;
        while (buffer_block* const block = blocks.pop()) policy_.keep(*block, occasion, dropped);
        return settle();
    }

    [[nodiscard]] std::size_t trim(std::size_t idle_bytes, buffer_occasion occasion,
                                   dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_.trim(idle_bytes, occasion, dropped);
        return settle();
    }
    [[nodiscard]] std::size_t trim_older(std::uint64_t nanoseconds, buffer_occasion occasion,
                                         dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_.trim_older(nanoseconds, occasion, dropped);
        return settle();
    }
    // Lets go of so many bytes of the budget, or of all that it has, if need be with what lies in
    // them.
    [[nodiscard]] std::size_t yield(std::size_t bytes, buffer_occasion occasion,
                                    dropped_buffers& dropped) noexcept {
        if (is_empty()) return 0;
        const std::lock_guard lock(mutex_);
        const std::size_t left = reserved_ - std::min(reserved_, bytes);
        if (policy_.idle_bytes() > left) policy_.trim(left, occasion, dropped);
        return settle();
    }

    // Whether there was nothing a moment ago.
    [[nodiscard]] bool is_empty() const noexcept {
        // relaxed: a hint, by which nothing is read; who is late by a moment misses a buffer.
        return idle_.load(std::memory_order_relaxed) == 0;
    }

    // Whether, when it last wanted some of the budget, there was not enough.
    [[nodiscard]] bool is_short() const noexcept {
        return is_short_.load(std::memory_order_relaxed);  // relaxed: a hint, as above
    }

private:
    void note_shortage(bool there_is_one) noexcept {
        is_short_.store(there_is_one, std::memory_order_relaxed);  // relaxed: see is_short
    }
    // Of these and of policy_, the mutex is held.
    void note_idle() noexcept {
        idle_.store(policy_.idle_bytes(), std::memory_order_relaxed);  // relaxed: see is_empty
    }
    [[nodiscard]] std::size_t take_surplus() noexcept {
        const std::size_t surplus = reserved_ - policy_.idle_bytes();
        reserved_ -= surplus;
        return surplus;
    }
    // After what may have dropped blocks: how many bytes are owed for them.
    [[nodiscard]] std::size_t settle() noexcept {
        note_idle();
        return take_surplus();
    }

    std::mutex mutex_;
    Policy policy_;
    byte_budget& budget_;
    const std::size_t step_;
    std::size_t reserved_ = 0;  // of the budget: idle bytes are never more
    std::atomic<std::size_t> idle_{0};
    std::atomic<bool> is_short_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
