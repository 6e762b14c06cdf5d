// SPDX-License-Identifier: BSL-1.0
#include "buffer/central_cache.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>

namespace freehold::inline FREEHOLD_ABI::detail {

buffer_block* buffer_central_cache::take(buffer_request request, buffer_context context) noexcept {
    // If this is the only policy object, it must see every request, because it may learn from
    // misses.
    if (!is_only_ && is_empty()) return nullptr;
    const std::lock_guard lock(mutex_);
    buffer_block* const block = policy_->take(request, context);
    note_idle();
    if (policy_->idle_bytes() == 0) quota_.release(take_surplus());
    return block;
}

std::size_t buffer_central_cache::keep(buffer_block& block, buffer_context context,
                                       dropped_buffers& dropped) noexcept {
    const std::size_t capacity = block.capacity;
    if (capacity > quota_.limit() || (!is_only_ && is_empty() && quota_.left() < capacity)) {
        dropped.push(block);
        note_lack_of_quota(true);
        return 0;
    }
    const std::lock_guard lock(mutex_);
    const std::size_t before = policy_->idle_bytes();
    policy_->keep(block, context, dropped);
    if (const std::size_t idle = policy_->idle_bytes(); idle > reserved_) {
        const std::size_t more = idle - reserved_;
        reserved_ += quota_.reserve(more, std::max(more, step_));
        note_lack_of_quota(idle > reserved_);
        if (idle > reserved_) policy_->trim(reserved_, context, dropped);
    }
    note_idle();
    // The returned block has no reservation of its own until the dropped blocks have released
    // theirs.
    const std::size_t after = policy_->idle_bytes();
    const std::size_t owed = before > after ? before - after : 0;
    reserved_ -= owed;
    return owed;
}

std::size_t buffer_central_cache::release_quota(std::size_t bytes, buffer_context context,
                                                dropped_buffers& dropped) noexcept {
    if (is_empty()) return 0;
    const std::lock_guard lock(mutex_);
    const std::size_t left = reserved_ - std::min(reserved_, bytes);
    if (policy_->idle_bytes() > left) policy_->trim(left, context, dropped);
    return release_unused();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
