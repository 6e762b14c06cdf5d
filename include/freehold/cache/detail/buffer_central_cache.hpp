// SPDX-License-Identifier: BSL-1.0
// The part of a cache that all threads share: an object of its policy behind a lock, which has what
// it is given as long as the cache's budget of idle bytes allows.
//
// Under the lock the policy decides, no more: the upstream is called outside it. Until then, what
// was dropped has its share of the budget still: the operations say how many bytes the caller is to
// release when it has given to the upstream what they dropped.
#pragma once

#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/detail/quota.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace freehold::detail {

template <buffer_policy Policy>
class buffer_central_cache {
public:
    buffer_central_cache(const typename Policy::options& options, byte_quota& quota,
                         std::size_t step)
        : policy_(options), quota_(quota), step_(step) {}

    // nullptr if there is none.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context context) noexcept {
        // Where it is all that there is of the policy, that is to learn of each request.
        if (Policy::per_thread && is_empty()) return nullptr;
        const std::lock_guard lock(mutex_);
        buffer_block* const block = policy_.take(request, context);
        note_idle();
        if (policy_.idle_bytes() == 0) quota_.release(take_surplus());
        return block;
    }
    // Of a new buffer.
    [[nodiscard]] std::size_t capacity_for(std::size_t size) noexcept {
        const std::lock_guard lock(mutex_);
        return policy_.capacity_for(size);
    }

    // Takes over a block that nobody has counted as idle.
    [[nodiscard]] std::size_t keep(buffer_block& block, buffer_context context,
                                   dropped_buffers& dropped) noexcept {
        const std::size_t capacity = block.capacity;
        if (capacity > quota_.limit() ||
            (Policy::per_thread && is_empty() && quota_.left() < capacity)) {
            dropped.push(block);
            note_lack_of_quota(true);
            return 0;
        }
        const std::lock_guard lock(mutex_);
        const std::size_t before = policy_.idle_bytes();
        policy_.keep(block, context, dropped);
        if (const std::size_t idle = policy_.idle_bytes(); idle > reserved_) {
            const std::size_t more = idle - reserved_;
            reserved_ += quota_.reserve(more, std::max(more, step_));
            note_lack_of_quota(idle > reserved_);
            if (idle > reserved_) policy_.trim(reserved_, context, dropped);
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
                                    buffer_context context, dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        reserved_ += reserved;
        while (buffer_block* const block = blocks.pop()) policy_.keep(*block, context, dropped);
        return release_unused();
    }

    [[nodiscard]] std::size_t trim(std::size_t idle_bytes, buffer_context context,
                                   dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_.trim(idle_bytes, context, dropped);
        return release_unused();
    }
    [[nodiscard]] std::size_t trim_older(std::uint64_t nanoseconds, buffer_context context,
                                         dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_.trim_older(nanoseconds, context, dropped);
        return release_unused();
    }
    // Lets go of so many bytes of the budget, or of all that it has, if need be with what lies in
    // them.
    [[nodiscard]] std::size_t release_quota(std::size_t bytes, buffer_context context,
                                            dropped_buffers& dropped) noexcept {
        if (is_empty()) return 0;
        const std::lock_guard lock(mutex_);
        const std::size_t left = reserved_ - std::min(reserved_, bytes);
        if (policy_.idle_bytes() > left) policy_.trim(left, context, dropped);
        return release_unused();
    }

    // Whether there was nothing a moment ago.
    [[nodiscard]] bool is_empty() const noexcept {
        // relaxed: a hint, by which nothing is read; who is late by a moment misses a buffer.
        return idle_.load(std::memory_order_relaxed) == 0;
    }

    // Whether, when it last wanted some of the budget, there was not enough.
    [[nodiscard]] bool lacks_quota() const noexcept {
        return lacks_quota_.load(std::memory_order_relaxed);  // relaxed: a hint, as above
    }

private:
    void note_lack_of_quota(bool lacks) noexcept {
        lacks_quota_.store(lacks, std::memory_order_relaxed);  // relaxed: see lacks_quota
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
    [[nodiscard]] std::size_t release_unused() noexcept {
        note_idle();
        return take_surplus();
    }

    std::mutex mutex_;
    Policy policy_;
    byte_quota& quota_;
    const std::size_t step_;
    std::size_t reserved_ = 0;  // of the budget: idle bytes are never more
    std::atomic<std::size_t> idle_{0};
    std::atomic<bool> lacks_quota_{false};
};

}  // namespace freehold::detail
