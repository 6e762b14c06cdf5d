// SPDX-License-Identifier: BSL-1.0
// Where a burst of arcs puts objects that have lost their last owner: ends their lives, and
// collects their blocks to give them back together if it can.
#pragma once

#include <freehold/handle/arc/object_block.hpp>
#include <freehold/handle/shared/block_memory.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

namespace freehold::detail {

// Takes many blocks at once, each as allocate(1) gave it.
template <class Allocator>
concept deallocates_in_bulk =
    std::is_pointer_v<typename std::allocator_traits<Allocator>::pointer> &&
    requires(Allocator& allocator, std::span<void* const> places) {
        { allocator.deallocate_bulk(places) } noexcept;
    };

template <class Block>
class returned_blocks {
public:
    template <class T>
    void end(const T* object) noexcept {
        Block::destroy(object);
        Block::free(object);
    }
};

// Objects whose destructors do nothing: nobody can ask for the blocks that are kept meanwhile.
template <class T, class Count, class Allocator>
    requires(std::is_trivially_destructible_v<T> &&
             deallocates_in_bulk<rebound_allocator<Allocator, object_block<T, Count, Allocator>>>)
class returned_blocks<object_block<T, Count, Allocator>> {
    using block = object_block<T, Count, Allocator>;

public:
    returned_blocks() noexcept {}
    returned_blocks(const returned_blocks&) = delete;
    returned_blocks& operator=(const returned_blocks&) = delete;
    ~returned_blocks() { give_back(); }

    void end(const T* object) noexcept {
        block::destroy(object);
        const Allocator& from = block::allocator_of(object);
        if (count_ == places_.size() || (allocator_ && !(*allocator_ == from))) give_back();
        if (!allocator_) allocator_.emplace(from);
        places_[count_++] = block::end(object);
    }

private:
    void give_back() noexcept {
        if (!allocator_) return;
        rebound_allocator<Allocator, block> own(*allocator_);
        own.deallocate_bulk(std::span<void* const>(places_.data(), count_));
        count_ = 0;
        allocator_.reset();
    }

    // Of all the blocks that are kept.
    std::optional<Allocator> allocator_;
    std::size_t count_ = 0;
    std::array<void*, 64> places_;
};

}  // namespace freehold::detail
