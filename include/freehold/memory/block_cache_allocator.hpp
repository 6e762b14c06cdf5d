// SPDX-License-Identifier: BSL-1.0
// A standard allocator that takes single objects from the block_cache of their size, and arrays and
// objects of more than a KiB from operator new: what makes a counted_ptr "special counted".
//
// Costs no state; see block_cache for the rest. Under the address sanitizer all comes from operator
// new, so that it sees a use after the release, and what was not released.
// Thread-safe: memory may be given back on another thread. Exceptions: std::bad_alloc.
#pragma once

#include <freehold/memory/block_cache.hpp>
#include <freehold/memory/sanitizers.hpp>

#include <cstddef>
#include <memory>

namespace freehold {

template <class T>
class block_cache_allocator {
public:
    using value_type = T;

    constexpr block_cache_allocator() noexcept = default;
    template <class U>
    constexpr block_cache_allocator(const block_cache_allocator<U>&) noexcept {}

    [[nodiscard, gnu::always_inline]] T* allocate(std::size_t n) {
        if constexpr (is_cached<T>()) {
            if (n == 1) [[likely]]
                return static_cast<T*>(block_cache_for<sizeof(T), alignof(T)>::allocate());
        }
        return std::allocator<T>().allocate(n);
    }

    [[gnu::always_inline]] void deallocate(T* place, std::size_t n) noexcept {
        if constexpr (is_cached<T>()) {
            if (n == 1) [[likely]]
                return block_cache_for<sizeof(T), alignof(T)>::deallocate(place);
        }
        std::allocator<T>().deallocate(place, n);
    }

    template <class U>
    [[nodiscard]] constexpr bool operator==(const block_cache_allocator<U>&) const noexcept {
        return true;
    }

private:
    // A template, because T may be incomplete where the allocator is named.
    template <class U>
    static constexpr bool is_cached() noexcept {
        return !detail::under_address_sanitizer && sizeof(U) <= largest_cached_block;
    }
};

}  // namespace freehold
