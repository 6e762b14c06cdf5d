// SPDX-License-Identifier: BSL-1.0
// A standard allocator over a pool: for std::allocate_shared, freehold::allocate_shared and
// allocate_arc, std::list, std::map and whatever else allocates objects of few sizes.
//
// Objects, and arrays, that fit into a block of the pool in size and alignment are blocks of it;
// all others come from the pool's upstream. The pool must outlive the allocator and all that came
// from it. Where the pool may throw, so does this; a pool that says by null that it is exhausted
// throws std::bad_alloc here.
//
// Costs a pointer of state, and over the pool's own operations two comparisons with constants for
// single objects. Two allocators are equal if they name the same pool. A container that is swapped,
// or assigned by move, takes its allocator along, which never moves an element; assigned by copy it
// stays with its own.
// Thread-safe as the pool is, if the pool's upstream is: memory may be given back on another
// thread. Exceptions: allocate throws std::bad_alloc, std::bad_array_new_length for arrays larger
// than memory, and what the pool's upstream throws.
#pragma once

#include <freehold/exceptions.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool/block_or_upstream.hpp>

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

    // Not explicit: `std::list<T, pool_allocator<T>> list(pool)`.
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

    // Gives back what as many calls of allocate(1) gave.
    void deallocate_bulk(std::span<void* const> places) noexcept {
        if (detail::fits_into_a_block(*pool_, sizeof(T), alignof(T))) [[likely]]
            return pool_->deallocate_bulk(places);
        for (void* const place : places) deallocate(static_cast<T*>(place), 1);
    }

    [[nodiscard]] freehold::pool& pool() const noexcept { return *pool_; }

    template <class U>
    [[nodiscard]] bool operator==(const pool_allocator<U>& other) const noexcept {
        return pool_ == &other.pool();
    }

private:
    freehold::pool* pool_;
};

}  // namespace freehold::inline FREEHOLD_ABI
