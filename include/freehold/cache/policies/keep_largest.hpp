// SPDX-License-Identifier: BSL-1.0
// The policy of a buffer_cache that keeps the largest buffers, and hands them out to whoever comes:
// the flawed one of "A cache with a bad policy is another name for a memory leak" (Raymond Chen,
// 2006). It is here to be measured. Large buffers reach small requests, seldom go, and go only for
// larger ones; the more entries, the worse.
//
// Costs 8 bytes an entry, and a walk over the entries for each get and put.
#pragma once

#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffers/idle_lists.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

class keep_largest {
public:
    struct options {
        std::size_t entries = 1;
    };
    static constexpr bool per_thread = false;

    explicit keep_largest(const options& asked) : most_(asked.entries) { entries_.reserve(most_); }
    keep_largest(const keep_largest&) = delete;
    keep_largest& operator=(const keep_largest&) = delete;

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept { return size; }

    // Of several that satisfy it the largest, as the one that a single entry would have.
    [[nodiscard]] detail::buffer_block* take(buffer_request request, buffer_occasion) noexcept {
        for (std::size_t i = 0; i < entries_.size() && entries_[i]->capacity >= request.size; ++i) {
            if (entries_[i]->is_aligned(request.alignment)) return &removed(i);
        }
        return nullptr;
    }

    void keep(detail::buffer_block& block, buffer_occasion occasion,
              detail::dropped_buffers& dropped) noexcept {
        if (entries_.size() == most_) {
            if (most_ == 0 || block.capacity <= entries_.back()->capacity) {
                dropped.push(block);
                return;
            }
            drop(entries_.size() - 1, dropped);
        }
        block.stamp = detail::idle_stamp::of(occasion.now);
        idle_bytes_ += block.capacity;
        const auto smaller = [&](const detail::buffer_block* entry) {
            return entry->capacity < block.capacity;
        };
        entries_.insert(std::find_if(entries_.begin(), entries_.end(), smaller), &block);
    }

    // The smallest go first.
    void trim(std::size_t bytes, buffer_occasion, detail::dropped_buffers& dropped) noexcept {
        while (idle_bytes_ > bytes) drop(entries_.size() - 1, dropped);
    }
    void trim_older(std::uint64_t nanoseconds, buffer_occasion occasion,
                    detail::dropped_buffers& dropped) noexcept {
        for (std::size_t i = entries_.size(); i-- > 0;) {
            if (detail::idle_stamp::is_older(entries_[i]->stamp, nanoseconds, occasion.now)) {
                drop(i, dropped);
            }
        }
    }
    [[nodiscard]] std::size_t idle_bytes() const noexcept { return idle_bytes_; }

private:
    detail::buffer_block& removed(std::size_t index) noexcept {
        detail::buffer_block& block = *entries_[index];
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
        idle_bytes_ -= block.capacity;
        return block;
    }
    void drop(std::size_t index, detail::dropped_buffers& dropped) noexcept {
        dropped.push(removed(index));
    }

    std::size_t most_;
    // The largest first, and never more than were reserved, so that nothing throws.
    std::vector<detail::buffer_block*> entries_;
    std::size_t idle_bytes_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI
