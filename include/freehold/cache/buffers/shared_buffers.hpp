// SPDX-License-Identifier: BSL-1.0
// The part of a cache that all threads share: an object of its policy behind a lock, which has what
// it is given as long as the cache's budget of idle bytes allows.
//
// Under the lock the policy decides, no more: the upstream is called outside it.
#pragma once

#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffers/byte_budget.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace freehold::detail {

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
        if (policy_.idle_bytes() == 0) {
            release_surplus();
        } else {
            note_idle();
        }
        return block;
    }
    // Of a new buffer.
    [[nodiscard]] std::size_t capacity_for(std::size_t size) noexcept {
        const std::lock_guard lock(mutex_);
        return policy_.capacity_for(size);
    }

    // Takes over a block that nobody else has counted as idle.
    void keep(buffer_block& block, buffer_occasion occasion, dropped_buffers& dropped) noexcept {
        if (block.capacity > budget_.limit()) return dropped.push(block);
        if (Policy::per_thread && is_empty() && budget_.left() < block.capacity) {
            return dropped.push(block);
        }
        const std::lock_guard lock(mutex_);
        policy_.keep(block, occasion, dropped);
        if (const std::size_t idle = policy_.idle_bytes(); idle > reserved_) {
            const std::size_t more = idle - reserved_;
            reserved_ += budget_.reserve(more, std::max(more, step_));
            if (idle > reserved_) policy_.trim(reserved_, occasion, dropped);
        }
        note_idle();
    }

    void trim(std::size_t idle_bytes, buffer_occasion occasion, dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_.trim(idle_bytes, occasion, dropped);
        release_surplus();
    }
    void trim_older(std::uint64_t nanoseconds, buffer_occasion occasion,
                    dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_.trim_older(nanoseconds, occasion, dropped);
        release_surplus();
    }
    // Lets go of so many bytes of the budget, if need be with what lies in them. False for none.
    [[nodiscard]] bool yield(std::size_t bytes, buffer_occasion occasion,
                             dropped_buffers& dropped) noexcept {
        if (is_empty()) return false;
        const std::lock_guard lock(mutex_);
        const std::size_t idle = policy_.idle_bytes();
        const std::size_t left = reserved_ - std::min(reserved_, bytes);
        if (idle > left) policy_.trim(left, occasion, dropped);
        release_surplus();
        return true;
    }

    // Whether there was nothing a moment ago.
    [[nodiscard]] bool is_empty() const noexcept {
        // relaxed: a hint, by which nothing is read; who is late by a moment misses a buffer.
        return idle_.load(std::memory_order_relaxed) == 0;
    }

private:
    // Of these and of policy_, the mutex is held.
    void note_idle() noexcept {
        idle_.store(policy_.idle_bytes(), std::memory_order_relaxed);  // relaxed: see is_empty
    }
    void release_surplus() noexcept {
        note_idle();
        const std::size_t idle = policy_.idle_bytes();
        budget_.release(reserved_ - idle);
        reserved_ = idle;
    }

    std::mutex mutex_;
    Policy policy_;
    byte_budget& budget_;
    const std::size_t step_;
    std::size_t reserved_ = 0;  // of the budget: idle bytes are never more
    std::atomic<std::size_t> idle_{0};
};

}  // namespace freehold::detail
