// SPDX-License-Identifier: BSL-1.0
// What it is: idle_lists, lists of idle blocks by time of return, of which most policies are made;
// and list_policy, the base of such policies.
// When to use it: to write a policy for buffer_cache.
// Example: policies/keep_first_below.hpp.
//
// Units: bytes, and nanoseconds of the cache's clock. A list takes 24 bytes.
// Complexity: a few instructions for each block.
// Thread safety: one thread at a time may use an object.
// Exceptions: the constructors throw std::bad_alloc. Nothing else throws.
// Ownership: see buffer_policy.
// Source: none.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

// The time of a block's return, in units of 2^20 ns (about a millisecond). 32 bits last for 52
// days.
struct idle_stamp {
    static constexpr unsigned log2_unit = 20;  // of nanoseconds

    // The stamp of a time in nanoseconds.
    [[nodiscard]] static std::uint32_t of(std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(now >> log2_unit);
    }
    // In units. The clocks of two threads may differ, so a stamp up to a minute ahead has the age
    // 0.
    [[nodiscard]] static std::uint32_t age(std::uint32_t stamp, std::uint64_t now) noexcept {
        constexpr std::uint32_t a_minute_ahead = 1U << 16;
        const std::uint32_t units = of(now) - stamp;
        return units > std::numeric_limits<std::uint32_t>::max() - a_minute_ahead ? 0 : units;
    }
    // Whether a stamp is at least so many nanoseconds old.
    [[nodiscard]] static bool is_older(std::uint32_t stamp, std::uint64_t nanoseconds,
                                       std::uint64_t now) noexcept {
        return age(stamp, now) >= (nanoseconds >> log2_unit);
    }
};

// A list of idle blocks in the order of their return.
class idle_list {
public:
    // The ends of the list, or nullptr, and the number of blocks.
    [[nodiscard]] buffer_block* newest() const noexcept { return newest_; }
    [[nodiscard]] buffer_block* oldest() const noexcept { return oldest_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    // Adds the newest block, or removes any block of the list.
    void push(buffer_block& block) noexcept {
        block.previous = nullptr;
        block.next = newest_;
        (newest_ == nullptr ? oldest_ : newest_->previous) = &block;
        newest_ = &block;
        ++count_;
    }
    void remove(buffer_block& block) noexcept {
        (block.previous == nullptr ? newest_ : block.previous->next) = block.next;
        (block.next == nullptr ? oldest_ : block.next->previous) = block.previous;
        --count_;
    }

private:
    // A block's `next` was returned before it, its `previous` after it.
    buffer_block* newest_ = nullptr;
    buffer_block* oldest_ = nullptr;
    std::size_t count_ = 0;
};

class idle_lists {
public:
    // List i holds blocks of size class i % classes; a larger class has larger blocks.
    explicit idle_lists(std::size_t classes, std::size_t lists)
        : classes_(classes), lists_(lists) {}
    explicit idle_lists(std::size_t classes) : idle_lists(classes, classes) {}

    // Returns whether there are that many lists now.
    [[nodiscard]] bool grow_to(std::size_t lists) noexcept {
        if (lists <= lists_.size()) return true;
        try {
            lists_.resize(lists);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    // The number of lists, of the blocks in one list, and of the bytes in all blocks.
    [[nodiscard]] std::size_t size() const noexcept { return lists_.size(); }
    [[nodiscard]] std::size_t count(std::size_t list) const noexcept {
        return lists_[list].count();
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    // Adds a block to a list and stamps it with the time `now`.
    void keep(std::size_t list, buffer_block& block, std::uint64_t now) noexcept {
        block.stamp = idle_stamp::of(now);
        lists_[list].push(block);
        bytes_ += block.capacity;
    }

    // Removes and returns the newest or oldest block that satisfies the request, or returns
    // nullptr.
    [[nodiscard]] buffer_block* take_newest(std::size_t list, buffer_request request) noexcept {
        buffer_block* block = lists_[list].newest();
        while (block != nullptr && !satisfies(*block, request)) block = block->next;
        return block == nullptr ? nullptr : &taken(list, *block);
    }
    [[nodiscard]] buffer_block* take_oldest(std::size_t list, buffer_request request) noexcept {
        buffer_block* block = lists_[list].oldest();
        while (block != nullptr && !satisfies(*block, request)) block = block->previous;
        return block == nullptr ? nullptr : &taken(list, *block);
    }

    // These require that the list is not empty.
    void drop_oldest(std::size_t list, dropped_buffers& dropped) noexcept {
        dropped.push(taken(list, *lists_[list].oldest()));
    }
    void drop_newest(std::size_t list, dropped_buffers& dropped) noexcept {
        dropped.push(taken(list, *lists_[list].newest()));
    }
    void drop_all(std::size_t list, dropped_buffers& dropped) noexcept {
        while (count(list) > 0) drop_oldest(list, dropped);
    }

    // Makes the oldest block of one list the newest of another. Its stamp stays.
    void move_oldest(std::size_t from, std::size_t to) noexcept {
        buffer_block& block = *lists_[from].oldest();
        lists_[from].remove(block);
        lists_[to].push(block);
    }

    // Drops the oldest blocks of the largest classes first.
    void trim(std::size_t bytes, dropped_buffers& dropped) noexcept {
        for (std::size_t each = classes_; each-- > 0;) {
            for (std::size_t list = each; list < lists_.size(); list += classes_) {
                while (bytes_ > bytes && count(list) > 0) drop_oldest(list, dropped);
            }
        }
    }
    // Drops the blocks that have been idle for so long.
    void trim_older(std::uint64_t nanoseconds, std::uint64_t now,
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

    // Whether the block is large enough for the request, and aligned as it asks.
    [[nodiscard]] static bool satisfies(const buffer_block& block,
                                        buffer_request request) noexcept {
        return block.capacity >= request.size && block.is_aligned(request.alignment);
    }

private:
    buffer_block& taken(std::size_t list, buffer_block& block) noexcept {
        lists_[list].remove(block);
        bytes_ -= block.capacity;
        return block;
    }

    std::size_t classes_;
    std::vector<idle_list> lists_;
    std::size_t bytes_ = 0;  // of all blocks in all lists
};

// The base of policies that hold their blocks in idle_lists.
class list_policy {
public:
    static constexpr bool per_thread = false;

    list_policy(const list_policy&) = delete;
    list_policy& operator=(const list_policy&) = delete;

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept { return size; }
    void trim(std::size_t bytes, buffer_context, dropped_buffers& dropped) noexcept {
        lists_.trim(bytes, dropped);
    }
    void trim_older(std::uint64_t nanoseconds, buffer_context context,
                    dropped_buffers& dropped) noexcept {
        lists_.trim_older(nanoseconds, context.now, dropped);
    }
    [[nodiscard]] std::size_t idle_bytes() const noexcept { return lists_.bytes(); }

protected:
    // The lists start empty.
    explicit list_policy(idle_lists lists) noexcept : lists_(std::move(lists)) {}
    ~list_policy() = default;

    // The idle blocks of the policy.
    idle_lists lists_;
};

}  // namespace freehold::inline FREEHOLD_ABI
