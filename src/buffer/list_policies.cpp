// SPDX-License-Identifier: BSL-1.0
// What the policies with lists are made of, and keep_largest.
#include <freehold/buffer/idle_lists.hpp>
#include <freehold/buffer/policies/keep_largest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace freehold::inline FREEHOLD_ABI {

std::uint32_t idle_stamp::age(std::uint32_t stamp, std::uint64_t now) noexcept {
    constexpr std::uint32_t a_minute_ahead = 1U << 16;
    const std::uint32_t units = of(now) - stamp;
    return units > std::numeric_limits<std::uint32_t>::max() - a_minute_ahead ? 0 : units;
}

bool idle_stamp::is_older(std::uint32_t stamp, std::uint64_t nanoseconds,
                          std::uint64_t now) noexcept {
    return age(stamp, now) >= (nanoseconds >> log2_unit);
}

bool idle_lists::grow_to(std::size_t lists) noexcept {
    if (lists <= lists_.size()) return true;
    try {
        lists_.resize(lists);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void idle_lists::keep(std::size_t list, buffer_block& block, std::uint64_t now) noexcept {
    block.stamp = idle_stamp::of(now);
    lists_[list].push(block);
    bytes_ += block.capacity;
}

buffer_block* idle_lists::take_newest(std::size_t list, buffer_request request) noexcept {
    buffer_block* block = lists_[list].newest();
    while (block != nullptr && !satisfies(*block, request)) block = block->next;
    return block == nullptr ? nullptr : &taken(list, *block);
}

buffer_block* idle_lists::take_oldest(std::size_t list, buffer_request request) noexcept {
    buffer_block* block = lists_[list].oldest();
    while (block != nullptr && !satisfies(*block, request)) block = block->previous;
    return block == nullptr ? nullptr : &taken(list, *block);
}

void idle_lists::move_oldest(std::size_t from, std::size_t to) noexcept {
    buffer_block& block = *lists_[from].oldest();
    lists_[from].remove(block);
    lists_[to].push(block);
}

void idle_lists::trim(std::size_t bytes, dropped_buffers& dropped) noexcept {
    for (std::size_t each = classes_; each-- > 0;) {
        for (std::size_t list = each; list < lists_.size(); list += classes_) {
            while (bytes_ > bytes && count(list) > 0) drop_oldest(list, dropped);
        }
    }
}

void idle_lists::trim_older(std::uint64_t nanoseconds, std::uint64_t now,
                            dropped_buffers& dropped) noexcept {
    for (std::size_t list = 0; list < lists_.size(); ++list) {
        buffer_block* block = lists_[list].oldest();
        while (block != nullptr) {
            buffer_block* const newer = block->previous;
            if (idle_stamp::is_older(block->stamp, nanoseconds, now)) {
                dropped.push(taken(list, *block));
            }
            block = newer;
        }
    }
}

bool idle_lists::satisfies(const buffer_block& block, buffer_request request) noexcept {
    return block.capacity >= request.size && block.is_aligned(request.alignment);
}

buffer_block& idle_lists::taken(std::size_t list, buffer_block& block) noexcept {
    lists_[list].remove(block);
    bytes_ -= block.capacity;
    return block;
}

void list_policy::trim_older(std::uint64_t nanoseconds, buffer_context context,
                             dropped_buffers& dropped) noexcept {
    lists_.trim_older(nanoseconds, context.now, dropped);
}

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
