// SPDX-License-Identifier: BSL-1.0
// What it is: the memory of one block of a handle. It comes from an allocator, and returns to it
// unless a block was constructed there. This class does not use std::allocator_traits: g++ does not
// inline its `deallocate`, which costs each release a call.
#pragma once

#include <freehold/detail/rounding.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/fwd.hpp>
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Allocator, class T>
using rebound_allocator = typename std::allocator_traits<Allocator>::template rebind_alloc<T>;

// Memory for `units` Units. `construct` makes a Block at its start.
template <class Block, class Allocator, class Unit = Block>
class block_memory {
    using allocator_type = rebound_allocator<Allocator, Unit>;
    using traits = std::allocator_traits<allocator_type>;

public:
    [[FREEHOLD_INLINED]] explicit block_memory(const Allocator& allocator, std::size_t units = 1)
        : allocator_(allocator), units_(units), place_(allocator_.allocate(units)) {}
    block_memory(const block_memory&) = delete;
    block_memory& operator=(const block_memory&) = delete;
    [[FREEHOLD_INLINED]] ~block_memory() {
        if (!kept_) allocator_.deallocate(place_, units_);
    }

    // If Block's constructor throws, the destructor returns the memory.
    template <class... Args>
    [[nodiscard, FREEHOLD_INLINED]] Block* construct(Args&&... args) {
        Block* const made =
            ::new (static_cast<void*>(std::to_address(place_))) Block(std::forward<Args>(args)...);
        kept_ = true;
        return made;
    }

    // Returns the memory of a Block that was destroyed.
    [[FREEHOLD_INLINED]] static void free(void* block, const Allocator& allocator,
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

// The memory of default_allocator, by size and alignment. An allocator for each type of block would
// be compiled for each type.
template <std::size_t Size, std::size_t Alignment>
struct default_memory {
    static constexpr bool is_pooled =
        !under_address_sanitizer && up_to_whole(larger(Alignment, 8), Size) <= largest_common_block;
    static constexpr bool is_overaligned = Alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__;

    [[nodiscard, FREEHOLD_INLINED]] static void* allocate(std::size_t units) {
        if constexpr (is_pooled) {
            if (units == 1) [[likely]]
                return common_pool_for<Size, Alignment>::allocate();
        }
        if constexpr (is_overaligned) {
            return ::operator new(units* Size, std::align_val_t(Alignment));
        } else {
            return ::operator new(units* Size);
        }
    }
    [[gnu::always_inline]] static void free(void* memory, std::size_t units) noexcept {
        static_cast<void>(free_at_end(memory, units));
    }
    // `free`, for callers that seldom free.
    [[FREEHOLD_INLINED]] static void free_by_call(void* memory, std::size_t units) noexcept {
        if constexpr (is_pooled) {
            if (units == 1) [[likely]]
                return common_pool_for<Size, Alignment>::deallocate_by_call(memory);
        }
        static_cast<void>(delete_at_end(memory, units));
    }
    // The result means nothing: see common_pool::deallocate_at_end.
    [[gnu::always_inline]] static void* free_at_end(void* memory, std::size_t units) noexcept {
        if constexpr (is_pooled) {
            if (units == 1) [[likely]]
                return common_pool_for<Size, Alignment>::deallocate_at_end(memory);
        }
        return delete_at_end(memory, units);
    }

private:
    [[FREEHOLD_INLINED]] static void* delete_at_end(void* memory,
                                                    [[maybe_unused]] std::size_t units) noexcept {
#if defined(__cpp_sized_deallocation)
        if constexpr (is_overaligned) {
            ::operator delete(memory, units* Size, std::align_val_t(Alignment));
        } else {
            ::operator delete(memory, units* Size);
        }
#else
        if constexpr (is_overaligned) {
            ::operator delete(memory, std::align_val_t(Alignment));
        } else {
            ::operator delete(memory);
        }
#endif
        return nullptr;
    }
};

template <class Block, class Unit>
class block_memory<Block, default_allocator, Unit> {
    using source = default_memory<sizeof(Unit), alignof(Unit)>;

public:
    [[FREEHOLD_INLINED]] explicit block_memory(const default_allocator&, std::size_t units = 1)
        : units_(units), place_(source::allocate(units)) {}
    block_memory(const block_memory&) = delete;
    block_memory& operator=(const block_memory&) = delete;
    [[FREEHOLD_INLINED]] ~block_memory() {
        if (place_ != nullptr) source::free_by_call(place_, units_);
    }

    template <class... Args>
    [[nodiscard, FREEHOLD_INLINED]] Block* construct(Args&&... args) {
        Block* const made = ::new (place_) Block(static_cast<Args&&>(args)...);
        place_ = nullptr;
        return made;
    }

    [[gnu::always_inline]] static void free(void* block, const default_allocator&,
                                            std::size_t units = 1) noexcept {
        source::free(block, units);
    }

private:
    std::size_t units_;
    void* place_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
