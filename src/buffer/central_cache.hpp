// SPDX-License-Identifier: BSL-1.0
// The part of a buffer_cache that all threads share: a policy object and a reservation of the
// cache's quota, under a lock.
//
// The lock is held while the policy decides, but not while the upstream is called. Blocks in
// `dropped` keep their share of the quota until the caller has returned them to the upstream. The
// functions return how many bytes the caller must then release from the quota.
#pragma once

#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/detail/idle_policy.hpp>
#include <freehold/buffer/detail/quota.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/backoff_lock.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class buffer_central_cache {
public:
    // `is_only` tells that thread caches have no policies of their own.
    buffer_central_cache(std::unique_ptr<idle_policy> policy, bool is_only, byte_quota& quota,
                         std::size_t step)
        : policy_(std::move(policy)), is_only_(is_only), quota_(quota), step_(step) {}

    // Returns nullptr if no idle block satisfies the request.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context context) noexcept;
    // The capacity of a new buffer.
    [[nodiscard]] std::size_t capacity_for(std::size_t size) noexcept {
        const std::lock_guard lock(mutex_);
        return policy_->capacity_for(size);
    }

    // Takes ownership of a block that has no reservation.
    [[nodiscard]] std::size_t keep(buffer_block& block, buffer_context context,
                                   dropped_buffers& dropped) noexcept;
    // Takes ownership of blocks and of their reservation.
    [[nodiscard]] std::size_t adopt(dropped_buffers& blocks, std::size_t reserved,
                                    buffer_context context, dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        reserved_ += reserved;
        while (buffer_block* const block = blocks.pop()) policy_->keep(*block, context, dropped);
        return release_unused();
    }

    [[nodiscard]] std::size_t trim(std::size_t idle_bytes, buffer_context context,
                                   dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_->trim(idle_bytes, context, dropped);
        return release_unused();
    }
    [[nodiscard]] std::size_t trim_older(std::uint64_t nanoseconds, buffer_context context,
                                         dropped_buffers& dropped) noexcept {
        const std::lock_guard lock(mutex_);
        policy_->trim_older(nanoseconds, context, dropped);
        return release_unused();
    }
    // Gives up to `bytes` of the reservation back, and drops idle blocks if necessary.
    [[nodiscard]] std::size_t release_quota(std::size_t bytes, buffer_context context,
                                            dropped_buffers& dropped) noexcept;

    // Whether no block was idle a moment ago.
    [[nodiscard]] bool is_empty() const noexcept {
        // relaxed: a hint that guards no data. A thread that sees an old value misses a buffer.
        return idle_.load(std::memory_order_relaxed) == 0;
    }

    // Whether the last reservation failed in part.
    [[nodiscard]] bool lacks_quota() const noexcept {
        return lacks_quota_.load(std::memory_order_relaxed);  // relaxed: a hint, as above
    }

    // Held around fork().
    [[nodiscard]] backoff_lock& mutex() noexcept { return mutex_; }

private:
    void note_lack_of_quota(bool lacks) noexcept {
        lacks_quota_.store(lacks, std::memory_order_relaxed);  // relaxed: see lacks_quota
    }
    // These require mutex_.
    void note_idle() noexcept {
        idle_.store(policy_->last_idle_bytes(),
                    std::memory_order_relaxed);  // relaxed: see is_empty
    }
    [[nodiscard]] std::size_t take_surplus() noexcept {
        const std::size_t surplus = reserved_ - policy_->last_idle_bytes();
        reserved_ -= surplus;
        return surplus;
    }
    // To be called after the policy may have dropped blocks. Returns the bytes that are no longer
    // needed.
    [[nodiscard]] std::size_t release_unused() noexcept {
        note_idle();
        return take_surplus();
    }

    backoff_lock mutex_;
    const std::unique_ptr<idle_policy> policy_;
    const bool is_only_;
    byte_quota& quota_;
    const std::size_t step_;
    std::size_t reserved_ = 0;  // of the quota; at least the policy's idle bytes
    std::atomic<std::size_t> idle_{0};
    std::atomic<bool> lacks_quota_{false};
};

inline buffer_block* buffer_central_cache::take(buffer_request request,
                                                buffer_context context) noexcept {
    // If this is the only policy object, it must see every request, because it may learn from
    // misses.
    if (!is_only_ && is_empty()) return nullptr;
    const std::lock_guard lock(mutex_);
    buffer_block* const block = policy_->take(request.size, request.alignment, context);
    note_idle();
    // Nobody else needs the quota if this is the only policy object.
    if (!is_only_ && policy_->last_idle_bytes() == 0) quota_.release(take_surplus());
    return block;
}

inline std::size_t buffer_central_cache::keep(buffer_block& block, buffer_context context,
                                              dropped_buffers& dropped) noexcept {
    const std::size_t capacity = block.capacity;
    if (capacity > quota_.limit() || (!is_only_ && is_empty() && quota_.left() < capacity)) {
        dropped.push(block);
        note_lack_of_quota(true);
        return 0;
    }
    const std::lock_guard lock(mutex_);
    const std::size_t before = policy_->last_idle_bytes();
    policy_->keep(block, context, dropped);
    if (const std::size_t idle = policy_->last_idle_bytes(); idle > reserved_) {
        const std::size_t more = idle - reserved_;
        reserved_ += quota_.reserve(more, std::max(more, step_));
        note_lack_of_quota(idle > reserved_);
        if (idle > reserved_) policy_->trim(reserved_, context, dropped);
    }
    note_idle();
    // The returned block has no reservation of its own until the dropped blocks have released
    // theirs.
    const std::size_t after = policy_->last_idle_bytes();
    const std::size_t owed = before > after ? before - after : 0;
    reserved_ -= owed;
    return owed;
}

inline std::size_t buffer_central_cache::release_quota(std::size_t bytes, buffer_context context,
                                                       dropped_buffers& dropped) noexcept {
    if (is_empty()) return 0;
    const std::lock_guard lock(mutex_);
    const std::size_t left = reserved_ - std::min(reserved_, bytes);
    if (policy_->last_idle_bytes() > left) policy_->trim(left, context, dropped);
    return release_unused();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
