// SPDX-License-Identifier: BSL-1.0
// A standard allocator that takes single objects from the common_pool of their size, and arrays and
// objects of more than a KiB from operator new: what makes a counted_ptr "special counted".
//
// Costs no state; see common_pool for the rest. Under the address sanitizer all comes from operator
// new, so that it sees a use after the release, and what was not released.
// Thread-safe: memory may be given back on another thread. Exceptions: std::bad_alloc.
#pragma once

#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/sanitizers.hpp>

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

    template <class U>
    [[nodiscard]] constexpr bool operator==(const common_pool_allocator<U>&) const noexcept {
        return true;
    }

private:
    // A template, because T may be incomplete where the allocator is named.
    template <class U>
    static constexpr bool is_pooled() noexcept {
        return !detail::under_address_sanitizer && sizeof(U) <= largest_common_block;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI
