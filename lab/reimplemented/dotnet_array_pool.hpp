// SPDX-License-Identifier: BSL-1.0
// The rules of .NET's ArrayPool<T>.Shared as a policy of buffer_cache. For comparison.
//
// Sizes are rounded up to powers of two from 16 bytes to 1 GiB; larger ones are not kept. For each
// size, a thread keeps the last buffer that it returned. The one before moves to a stack of 32 for
// the thread's processor, or for another processor if that one is full. A request looks at its
// thread's buffer, then at its processor's stack, then at the other stacks. Trimming drops a
// thread's buffer that it has seen for 30 seconds. It drops one buffer of each stack that has not
// been empty for 60 seconds, and another one every 15 seconds after that.
//
// Differences from the original:
// 1. .NET trims after each collection of its second generation. Here an interval takes its place.
// 2. A policy does not know a thread's processor, so threads are assigned to processors in turn.
//
// Each size of each stack and of each thread takes 24 bytes.
//
// Source: SharedArrayPool.cs and Utilities.SelectBucketIndex of dotnet/runtime, .NET 8.
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

namespace freehold::reimplemented {

class dotnet_array_pool : public list_policy {
public:
    struct options {
        std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
        std::size_t stack_entries = 32;             // for each size and processor
        std::uint64_t trim_interval = 10 * second;  // nanoseconds
    };

    explicit dotnet_array_pool(const options& settings)
        : list_policy(idle_lists(sizes, sizes * std::max<std::size_t>(1, settings.processors))),
          processors_(std::max<std::size_t>(1, settings.processors)),
          stack_entries_(settings.stack_entries),
          trim_interval_(settings.trim_interval),
          first_seen_(lists_.size()) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        return size <= largest ? std::bit_ceil(std::max(size, smallest)) : size;
    }

    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context context) noexcept {
        if (request.size > largest) return nullptr;
        const std::size_t size = size_of(request.size);
        if (const std::size_t slot = slot_of(context.thread, size); slot < lists_.size()) {
            if (buffer_block* const block = lists_.take_newest(slot, request)) {
                return block;
            }
        }
        for (std::size_t i = 0; i < processors_; ++i) {
            const std::size_t stack = stack_of(context.thread + i, size);
            if (buffer_block* const block = lists_.take_newest(stack, request)) {
                return block;
            }
        }
        return nullptr;
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        if (block.capacity > largest || !has_slots(context.thread)) {
            dropped.push(block);
            return;
        }
        const std::size_t size = size_of(block.capacity);
        const std::size_t slot = slot_of(context.thread, size);
        if (lists_.count(slot) > 0) push(slot, context.thread, size, dropped);
        lists_.keep(slot, block, context.now);
        first_seen_[slot] = 0;
        if (context.now - last_trim_ >= trim_interval_) {
            last_trim_ = context.now;
            trim_unused(context.now, dropped);
        }
    }

private:
    static constexpr std::uint64_t second = 1'000'000'000;
    static constexpr std::size_t smallest = 16;
    static constexpr std::size_t largest = std::size_t{1} << 30;
    static constexpr std::size_t sizes = 27;

    [[nodiscard]] static std::size_t size_of(std::size_t bytes) noexcept {
        const std::size_t rounded = std::max(bytes, smallest);
        return static_cast<std::size_t>(std::bit_width(rounded - 1)) - 4;
    }
    // The stacks of all processors come first, then the slots of all threads.
    [[nodiscard]] std::size_t stack_of(std::size_t processor, std::size_t size) const noexcept {
        return processor % processors_ * sizes + size;
    }
    [[nodiscard]] std::size_t slot_of(std::size_t thread, std::size_t size) const noexcept {
        return (processors_ + thread) * sizes + size;
    }

    // Returns false if memory is exhausted.
    [[nodiscard]] bool has_slots(std::size_t thread) noexcept {
        const std::size_t lists = slot_of(thread + 1, 0);
        if (lists <= lists_.size()) return true;
        try {
            first_seen_.resize(lists);
        } catch (const std::bad_alloc&) {
            return false;
        }
        return lists_.grow_to(lists);
    }

    // Moves a slot's block to a stack that has space, or drops it.
    void push(std::size_t slot, std::size_t thread, std::size_t size,
              dropped_buffers& dropped) noexcept {
        for (std::size_t i = 0; i < processors_; ++i) {
            const std::size_t stack = stack_of(thread + i, size);
            if (lists_.count(stack) == stack_entries_) continue;
            if (lists_.count(stack) == 0) first_seen_[stack] = 0;
            lists_.move_oldest(slot, stack);
            return;
        }
        lists_.drop_oldest(slot, dropped);
    }

    void trim_unused(std::uint64_t now, dropped_buffers& dropped) noexcept {
        const std::size_t stacks = stack_of(processors_ - 1, sizes);
        for (std::size_t list = 0; list < lists_.size(); ++list) {
            if (lists_.count(list) == 0) continue;
            std::uint64_t& seen = first_seen_[list];
            if (seen == 0) {
                seen = std::max<std::uint64_t>(now, 1);
            } else if (list >= stacks) {
                if (now - seen >= 30 * second) lists_.drop_newest(list, dropped);
            } else if (now - seen > 60 * second) {
                lists_.drop_newest(list, dropped);
                seen = lists_.count(list) > 0 ? seen + 15 * second : 0;
            }
        }
    }

    std::size_t processors_;
    std::size_t stack_entries_;
    std::uint64_t trim_interval_;
    std::uint64_t last_trim_ = 0;
    // When trimming first found the list not empty; 0 before that. One element for each list.
    std::vector<std::uint64_t> first_seen_;
};

}  // namespace freehold::reimplemented
