// SPDX-License-Identifier: BSL-1.0
// What it is: a standard allocator over a pool. Objects and arrays that fit into a block, in size
// and alignment, are blocks of the pool. All others come from the pool's upstream.
// When to use it: for std::allocate_shared, freehold::allocate_shared, allocate_arc, std::list,
// std::map, and whatever else allocates objects of few sizes.
// When not: for containers of growing arrays, such as std::vector. Most of their arrays would come
// from the upstream.
// Example: `std::list<int, freehold::pool_allocator<int>> numbers(pool);`
//
// Units: an allocator is one pointer.
// Complexity: that of pool::allocate and deallocate, and two comparisons, with constants for single
// objects.
// Thread safety: as the pool's, if the pool's upstream is thread-safe. Any thread may free the
// memory.
// Exceptions: allocate throws what pool::allocate and the pool's upstream throw. It throws
// std::bad_alloc where the pool returns nullptr. It throws std::bad_array_new_length if the array
// is larger than any memory.
// Ownership: the pool must outlive its allocators and everything allocated by them. Two allocators
// are equal if they use the same pool. Move assignment and swap of a container transfer its
// allocator, so they never move an element. Copy assignment does not transfer it.
// Source: the standard's allocator requirements.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/memory/detail/block_or_upstream.hpp>
#include <freehold/memory/pool.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <span>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI {

template <class T>
class pool_allocator {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    // Implicit, so that `std::list<T, pool_allocator<T>> list(pool)` compiles.
    pool_allocator(freehold::pool& from) noexcept : pool_(&from) {}
    template <class U>
    pool_allocator(const pool_allocator<U>& other) noexcept : pool_(&other.pool()) {}

    [[nodiscard, gnu::always_inline]] T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) [[unlikely]]
            FREEHOLD_THROW(std::bad_array_new_length());
        return static_cast<T*>(
            detail::allocate_block_or_upstream(*pool_, n * sizeof(T), alignof(T)));
    }

    [[gnu::always_inline]] void deallocate(T* place, std::size_t n) noexcept {
        detail::deallocate_block_or_upstream(*pool_, place, n * sizeof(T), alignof(T));
    }

    // Frees the objects that calls of allocate(1) returned, one for each element.
    void deallocate_bulk(std::span<void* const> places) noexcept {
        if (detail::fits_into_a_block(*pool_, sizeof(T), alignof(T))) [[likely]]
            return pool_->deallocate_bulk(places);
        for (void* const place : places) deallocate(static_cast<T*>(place), 1);
    }

    // The pool that the allocator gets single objects from.
    [[nodiscard]] freehold::pool& pool() const noexcept { return *pool_; }

    // Whether both allocators use the same pool.
    template <class U>
    [[nodiscard]] bool operator==(const pool_allocator<U>& other) const noexcept {
        return pool_ == &other.pool();
    }

private:
    freehold::pool* pool_;
};

}  // namespace freehold::inline FREEHOLD_ABI
