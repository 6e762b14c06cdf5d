// SPDX-License-Identifier: BSL-1.0
// What it is: a std::pmr::memory_resource over a buffer_cache.
// When to use it: for std::pmr containers whose memory is often allocated and freed.
// When not: where the type of the allocator may be part of the container's type. buffer_allocator
// saves the virtual call.
// Example: `freehold::buffer_resource resource(cache); std::pmr::vector<int> numbers(&resource);`
//
// Units: two pointers.
// Complexity: that of buffer_cache::allocate and deallocate, and one virtual call.
// Thread safety: as the cache's.
// Exceptions: allocate throws what the cache's upstream throws.
// Ownership: the cache must outlive the resource and everything allocated from it. Two resources
// are equal if they use the same cache.
// Source: the standard's std::pmr::memory_resource.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/memory_resource.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

template <class Cache>
class buffer_resource : public memory_resource {
public:
    // The cache must outlive the resource.
    explicit buffer_resource(Cache& from) noexcept : cache_(&from) {}

    // The cache that the memory comes from.
    [[nodiscard]] Cache& cache() const noexcept { return *cache_; }

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        return cache_->allocate(bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t, std::size_t) override {
        cache_->deallocate(memory);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        const auto* const same_kind = dynamic_cast<const buffer_resource*>(&other);
        return same_kind != nullptr && same_kind->cache_ == cache_;
    }

    Cache* cache_;
};

}  // namespace freehold::inline FREEHOLD_ABI
