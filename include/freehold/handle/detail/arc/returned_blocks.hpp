// SPDX-License-Identifier: BSL-1.0
// What it is: the destination of objects that lose their last owner in a burst of arcs. It ends
// their lives, and collects their blocks to free them together if it can.
#pragma once

#include <freehold/detail/unmade.hpp>
#include <freehold/handle/detail/arc/object_block.hpp>
#include <freehold/handle/detail/shared/block_memory.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI::detail {

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
        Block::destroy(Block::counts(object));
        Block::free(Block::counts(object));
    }
};

// For objects with trivial destructors: no code runs that could allocate the kept blocks meanwhile.
template <class T, class Count, class Allocator>
    requires(std::is_trivially_destructible_v<T> &&
             deallocates_in_bulk<rebound_allocator<Allocator, object_block<T, Count, Allocator>>>)
class returned_blocks<object_block<T, Count, Allocator>> {
    using block = object_block<T, Count, Allocator>;

public:
    returned_blocks() noexcept {}
    returned_blocks(const returned_blocks&) = delete;
    returned_blocks& operator=(const returned_blocks&) = delete;
    ~returned_blocks() {
        if (count_ > 0) give_back();
    }

    void end(const T* object) noexcept {
        block::destroy(block::counts(object));
        const Allocator& from = block::allocator_of(object);
        if (count_ == most || (count_ > 0 && !(allocator_.object == from))) give_back();
        if (count_ == 0) std::construct_at(&allocator_.object, from);
        places_[count_++] = block::end(object);
    }

private:
    void give_back() noexcept {
        rebound_allocator<Allocator, block> own(allocator_.object);
        own.deallocate_bulk(std::span<void* const>(places_, count_));
        count_ = 0;
        std::destroy_at(&allocator_.object);
    }

    static constexpr std::size_t most = 64;
    // Of all the blocks that are kept; there while there are such.
    unmade<Allocator> allocator_;
    std::size_t count_ = 0;
    void* places_[most];
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
