// SPDX-License-Identifier: BSL-1.0
// Idle blocks in lists, each in the order in which they came back: what most policies are made of.
// Whatever is done to a block costs a few instructions; a list costs 24 bytes, a block none beyond
// its header. Not thread-safe. Throws std::bad_alloc where it is constructed, nothing later.
#pragma once

#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffers/buffer_block.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

// A block's stamp: when it came back, in units of about a millisecond, so that 32 bits are weeks.
struct idle_stamp {
    static constexpr unsigned log2_unit = 20;  // of nanoseconds

    [[nodiscard]] static std::uint32_t of(std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(now >> log2_unit);
    }
    // How long ago that was. The clocks of two threads may differ by a little.
    [[nodiscard]] static std::uint32_t age(std::uint32_t stamp, std::uint64_t now) noexcept {
        constexpr std::uint32_t a_minute_ahead = 1U << 16;
        const std::uint32_t units = of(now) - stamp;
        return units > std::numeric_limits<std::uint32_t>::max() - a_minute_ahead ? 0 : units;
    }
    [[nodiscard]] static bool is_older(std::uint32_t stamp, std::uint64_t nanoseconds,
                                       std::uint64_t now) noexcept {
        return age(stamp, now) >= (nanoseconds >> log2_unit);
    }
};

class idle_list {
public:
    [[nodiscard]] buffer_block* newest() const noexcept { return newest_; }
    [[nodiscard]] buffer_block* oldest() const noexcept { return oldest_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

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
    // A block's `next` came back before it, its `previous` after it.
    buffer_block* newest_ = nullptr;
    buffer_block* oldest_ = nullptr;
    std::size_t count_ = 0;
};

class idle_lists {
public:
    // Lists whose numbers leave the same remainder by `classes` hold the same sizes, the larger the
    // larger that is.
    explicit idle_lists(std::size_t classes, std::size_t lists)
        : classes_(classes), lists_(lists) {}
    explicit idle_lists(std::size_t classes) : idle_lists(classes, classes) {}

    // Whether there are so many lists, by now.
    [[nodiscard]] bool grow_to(std::size_t lists) noexcept {
        if (lists <= lists_.size()) return true;
        try {
            lists_.resize(lists);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return lists_.size(); }
    [[nodiscard]] std::size_t count(std::size_t list) const noexcept {
        return lists_[list].count();
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    void keep(std::size_t list, buffer_block& block, std::uint64_t now) noexcept {
        block.stamp = idle_stamp::of(now);
        lists_[list].push(block);
        bytes_ += block.capacity;
    }

    // The one that satisfies the request and came back last, or first; nullptr for none.
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

    // These want the list not to be empty.
    void drop_oldest(std::size_t list, dropped_buffers& dropped) noexcept {
        dropped.push(taken(list, *lists_[list].oldest()));
    }
    void drop_newest(std::size_t list, dropped_buffers& dropped) noexcept {
        dropped.push(taken(list, *lists_[list].newest()));
    }
    void drop_all(std::size_t list, dropped_buffers& dropped) noexcept {
        while (count(list) > 0) drop_oldest(list, dropped);
    }

    // The oldest of one list becomes the newest of another, and keeps its stamp.
    void move_oldest(std::size_t from, std::size_t to) noexcept {
        buffer_block& block = *lists_[from].oldest();
        lists_[from].remove(block);
        lists_[to].push(block);
    }

    // The largest class goes first, and of each list the oldest.
    void trim(std::size_t bytes, dropped_buffers& dropped) noexcept {
        for (std::size_t each = classes_; each-- > 0;) {
            for (std::size_t list = each; list < lists_.size(); list += classes_) {
                while (bytes_ > bytes && count(list) > 0) drop_oldest(list, dropped);
            }
        }
    }
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

// What the policies have in common that hold their blocks in lists.
class policy_of_lists {
public:
    static constexpr bool per_thread = false;

    policy_of_lists(const policy_of_lists&) = delete;
    policy_of_lists& operator=(const policy_of_lists&) = delete;

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept { return size; }
    void trim(std::size_t bytes, buffer_occasion, dropped_buffers& dropped) noexcept {
        lists_.trim(bytes, dropped);
    }
    void trim_older(std::uint64_t nanoseconds, buffer_occasion occasion,
                    dropped_buffers& dropped) noexcept {
        lists_.trim_older(nanoseconds, occasion.now, dropped);
    }
    [[nodiscard]] std::size_t idle_bytes() const noexcept { return lists_.bytes(); }

protected:
    explicit policy_of_lists(idle_lists lists) noexcept : lists_(std::move(lists)) {}
    ~policy_of_lists() = default;

    idle_lists lists_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
