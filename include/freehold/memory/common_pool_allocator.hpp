// SPDX-License-Identifier: BSL-1.0
// What it is: a standard allocator that takes single objects from the common_pool of their size.
// Arrays, and objects of more than 1024 bytes, come from operator new. A counted_ptr with this
// allocator is "special counted".
// When to use it: for control blocks, nodes and other small objects that are often allocated and
// freed.
// When not: for arrays, or for objects of more than 1024 bytes. std::allocator does the same for
// them.
// Example: `std::list<int, freehold::common_pool_allocator<int>> numbers;`
//
// Under the address sanitizer all memory comes from operator new, so that the sanitizer finds uses
// after the release, and leaks.
//
// Units: an allocator has no state.
// Complexity: that of common_pool::allocate and deallocate for single objects, that of operator new
// and delete for the rest.
// Thread safety: all functions may be called by several threads at once. Any thread may free the
// memory.
// Exceptions: allocate throws std::bad_alloc, or std::bad_array_new_length, derived from it, if the
// array is larger than any memory.
// Ownership: the common pools outlive everything allocated from them. All allocators are equal.
// Source: the standard's allocator requirements.
#pragma once

#include <freehold/detail/sanitizers.hpp>
#include <freehold/memory/common_pool.hpp>

#include <cstddef>
#include <memory>

namespace freehold::inline FREEHOLD_ABI {

template <class T>
class common_pool_allocator {
public:
    using value_type = T;

    constexpr common_pool_allocator() noexcept = default;
    template <class U>
    [[FREEHOLD_INLINED]] constexpr common_pool_allocator(const common_pool_allocator<U>&) noexcept {
    }

    [[nodiscard, FREEHOLD_INLINED]] T* allocate(std::size_t n) {
        if constexpr (is_pooled<T>()) {
            if (n == 1) [[likely]]
                return static_cast<T*>(common_pool_for<sizeof(T), alignof(T)>::allocate());
        }
        return std::allocator<T>().allocate(n);
    }

    [[FREEHOLD_INLINED]] void deallocate(T* place, std::size_t n) noexcept {
        if constexpr (is_pooled<T>()) {
            if (n == 1) [[likely]]
                return common_pool_for<sizeof(T), alignof(T)>::deallocate(place);
        }
        std::allocator<T>().deallocate(place, n);
    }

    // All allocators are equal.
    template <class U>
    [[nodiscard]] constexpr bool operator==(const common_pool_allocator<U>&) const noexcept {
        return true;
    }

private:
    // A template, because T may be incomplete where the allocator type is named.
    template <class U>
    static constexpr bool is_pooled() noexcept {
        return !detail::under_address_sanitizer && sizeof(U) <= largest_common_block;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI
