// SPDX-License-Identifier: BSL-1.0
// A standard allocator that takes single objects from the free list of their size, and arrays from
// operator new: what makes a counted_ptr "special counted".
//
// Costs no state; see free_list for the rest. Types of one rounded size share a list.
// Thread-safe: memory may be given back on another thread. Exceptions: std::bad_alloc.
#pragma once

#include <freehold/memory/free_list.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace freehold {

template <class T>
class free_list_allocator {
public:
    using value_type = T;

    constexpr free_list_allocator() noexcept = default;
    template <class U>
    constexpr free_list_allocator(const free_list_allocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t n) {
        if (n == 1) return static_cast<T*>(list_for<T>::allocate());
        return std::allocator<T>().allocate(n);
    }

    void deallocate(T* place, std::size_t n) noexcept {
        if (n == 1) return list_for<T>::deallocate(place);
        std::allocator<T>().deallocate(place, n);
    }

    template <class U>
    [[nodiscard]] constexpr bool operator==(const free_list_allocator<U>&) const noexcept {
        return true;
    }

private:
    template <class U>
    static constexpr std::size_t block_alignment =
        std::max(alignof(U), alignof(detail::free_block));
    template <class U>
    static constexpr std::size_t block_size =
        (std::max(sizeof(U), sizeof(detail::free_block)) + block_alignment<U> - 1) /
        block_alignment<U> * block_alignment<U>;
    template <class U>
    using list_for = free_list<block_size<U>, block_alignment<U>>;
};

}  // namespace freehold
