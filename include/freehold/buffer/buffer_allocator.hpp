// SPDX-License-Identifier: BSL-1.0
// What it is: a standard allocator over a buffer_cache, and buffers with several owners. A
// shared_buffer is an arc whose counts and bytes are one buffer of the cache. The last owner
// returns it.
// When to use it: for containers and shared buffers whose memory is often allocated and freed.
// When not: for nodes of one size. A pool_allocator is faster for them.
// Example: `std::vector<int, freehold::buffer_allocator<int, Cache>> numbers(cache);`
//
// Units: an allocator is one pointer, in each container and in each shared buffer.
// Complexity: that of buffer_cache::allocate and deallocate.
// Thread safety: as the cache's. Several threads may use one allocator.
// Exceptions: allocate throws what the cache's upstream throws, and std::bad_array_new_length if
// the array is larger than any memory.
// Ownership: the cache must outlive its allocators and everything allocated by them. Two allocators
// are equal if they use the same cache. Move assignment and swap of a container transfer its
// allocator.
// Source: the standard's allocator requirements.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>

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

    // Implicit, so that a container can be constructed from the cache.
    buffer_allocator(Cache& from) noexcept : cache_(&from) {}
    template <class U>
    buffer_allocator(const buffer_allocator<U, Cache>& other) noexcept : cache_(&other.cache()) {}

    [[nodiscard]] T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) [[unlikely]]
            throw std::bad_array_new_length();
        return static_cast<T*>(cache_->allocate(n * sizeof(T), alignof(T)));
    }
    void deallocate(T* place, std::size_t) noexcept { cache_->deallocate(place); }

    // The cache that the allocator gets its memory from. Allocators of one cache are equal.
    [[nodiscard]] Cache& cache() const noexcept { return *cache_; }

    // Whether both allocators use the same cache.
    template <class U>
    [[nodiscard]] bool operator==(const buffer_allocator<U, Cache>& other) const noexcept {
        return cache_ == &other.cache();
    }

private:
    Cache* cache_;
};

// Bytes from a cache that have several owners.
template <class Cache>
using shared_buffer = arc<std::byte[], atomic_count, buffer_allocator<std::byte, Cache>>;

// Returns `size` bytes for several owners. The bytes keep what their last user wrote.
template <class Cache>
[[nodiscard]] shared_buffer<Cache> make_shared_buffer(Cache& from, std::size_t size) {
    return allocate_arc_for_overwrite<std::byte[]>(buffer_allocator<std::byte, Cache>(from), size);
}

}  // namespace freehold::inline FREEHOLD_ABI
