// SPDX-License-Identifier: BSL-1.0
#include <freehold/buffer/policies/keep_largest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

keep_largest::keep_largest(const options& settings) : max_entries_(settings.entries) {
    entries_.reserve(max_entries_);
}

buffer_block* keep_largest::take(buffer_request request, buffer_context) noexcept {
    for (std::size_t i = 0; i < entries_.size() && entries_[i]->capacity >= request.size; ++i) {
        if (entries_[i]->is_aligned(request.alignment)) return &removed(i);
    }
    return nullptr;
}

void keep_largest::keep(buffer_block& block, buffer_context context,
                        dropped_buffers& dropped) noexcept {
    if (entries_.size() == max_entries_) {
        if (max_entries_ == 0 || block.capacity <= entries_.back()->capacity) {
            dropped.push(block);
            return;
        }
        drop(entries_.size() - 1, dropped);
    }
    block.stamp = idle_stamp::of(context.now);
    idle_bytes_ += block.capacity;
    const auto smaller = [&](const buffer_block* entry) {
        return entry->capacity < block.capacity;
    };
    entries_.insert(std::find_if(entries_.begin(), entries_.end(), smaller), &block);
}

void keep_largest::trim(std::size_t bytes, buffer_context, dropped_buffers& dropped) noexcept {
    while (idle_bytes_ > bytes) drop(entries_.size() - 1, dropped);
}

void keep_largest::trim_older(std::uint64_t nanoseconds, buffer_context context,
                              dropped_buffers& dropped) noexcept {
    for (std::size_t i = entries_.size(); i-- > 0;) {
        if (idle_stamp::is_older(entries_[i]->stamp, nanoseconds, context.now)) {
            drop(i, dropped);
        }
    }
}

buffer_block& keep_largest::removed(std::size_t index) noexcept {
    buffer_block& block = *entries_[index];
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
    idle_bytes_ -= block.capacity;
    return block;
}

void keep_largest::drop(std::size_t index, dropped_buffers& dropped) noexcept {
    dropped.push(removed(index));
}

}  // namespace freehold::inline FREEHOLD_ABI
