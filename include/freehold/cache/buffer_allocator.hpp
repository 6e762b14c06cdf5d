// SPDX-License-Identifier: BSL-1.0
// A standard allocator over a buffer_cache, and buffers that have several owners: an arc whose
// block, counts and all, is one buffer of the cache, and goes back to it with the last owner.
//
// The cache must outlive the allocator and all that came from it. Costs a pointer of state: 8 bytes
// in each container and each shared buffer. Two are equal if they name the same cache; a container
// that is swapped, or assigned by move, takes its allocator along.
// Thread-safe. Exceptions: allocate throws what the cache's upstream throws, and
// std::bad_array_new_length for arrays larger than memory.
#pragma once

#include <freehold/handle/arc/make_arc.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI {

template <class T, class Cache>
class buffer_allocator {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    // Not explicit: `std::vector<T, buffer_allocator<T, Cache>> elements(cache)`.
    buffer_allocator(Cache& from) noexcept : cache_(&from) {}
    template <class U>
    buffer_allocator(const buffer_allocator<U, Cache>& other) noexcept : cache_(&other.cache()) {}

    [[nodiscard]] T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) [[unlikely]]
            throw std::bad_array_new_length();
        return static_cast<T*>(cache_->allocate(n * sizeof(T), alignof(T)));
    }
    void deallocate(T* place, std::size_t) noexcept { cache_->deallocate(place); }

    [[nodiscard]] Cache& cache() const noexcept { return *cache_; }

    template <class U>
    [[nodiscard]] bool operator==(const buffer_allocator<U, Cache>& other) const noexcept {
        return cache_ == &other.cache();
    }

private:
    Cache* cache_;
};

template <class Cache>
using shared_buffer = arc<std::byte[], atomic_count, buffer_allocator<std::byte, Cache>>;

// So many bytes for several owners, as their last user left them.
template <class Cache>
[[nodiscard]] shared_buffer<Cache> make_shared_buffer(Cache& from, std::size_t size) {
    return allocate_arc_for_overwrite<std::byte[]>(buffer_allocator<std::byte, Cache>(from), size);
}

}  // namespace freehold::inline FREEHOLD_ABI
