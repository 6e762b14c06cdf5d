// SPDX-License-Identifier: BSL-1.0
// Memory for one block of a handle: had from an allocator, and given back to it unless a block came
// to stand there. Inlined by force, for compilers that do not optimise, and so without the help of
// std::allocator_traits: g++ takes its `deallocate` out of line, which costs a release a call.
#pragma once

#include <freehold/fwd.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Allocator, class T>
using rebound_allocator = typename std::allocator_traits<Allocator>::template rebind_alloc<T>;

// Room for `units` Units, at the start of which a Block is to stand.
template <class Block, class Allocator, class Unit = Block>
class block_memory {
    using allocator_type = rebound_allocator<Allocator, Unit>;
    using traits = std::allocator_traits<allocator_type>;

public:
    [[gnu::always_inline]] explicit block_memory(const Allocator& allocator, std::size_t units = 1)
        : allocator_(allocator), units_(units), place_(allocator_.allocate(units)) {}
    block_memory(const block_memory&) = delete;
    block_memory& operator=(const block_memory&) = delete;
    [[gnu::always_inline]] ~block_memory() {
        if (!kept_) allocator_.deallocate(place_, units_);
    }

    // Nothing is lost when Block's constructor throws.
    template <class... Args>
    [[nodiscard, gnu::always_inline]] Block* construct(Args&&... args) {
        Block* const made =
            ::new (static_cast<void*>(std::to_address(place_))) Block(std::forward<Args>(args)...);
        kept_ = true;
        return made;
    }

    // Gives back what a Block stood in whose life is over.
    [[gnu::always_inline]] static void free(void* block, const Allocator& allocator,
                                            std::size_t units = 1) noexcept {
        allocator_type own(allocator);
        using pointer_traits = std::pointer_traits<typename traits::pointer>;
        own.deallocate(pointer_traits::pointer_to(*static_cast<Unit*>(block)), units);
    }

private:
    [[no_unique_address]] allocator_type allocator_;
    std::size_t units_;
    typename traits::pointer place_;
    bool kept_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
