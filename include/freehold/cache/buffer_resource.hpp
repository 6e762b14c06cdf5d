// SPDX-License-Identifier: BSL-1.0
// A std::pmr::memory_resource over a buffer_cache, for std::pmr containers whose memory comes and
// goes: `buffer_resource resource(cache);`. The cache must outlive it, and what came from it. Two
// are equal if they name the same cache.
//
// Costs two pointers, and a virtual call over the cache's own operations. Thread-safe. Exceptions:
// allocate throws what the cache's upstream throws.
#pragma once

#include <freehold/memory/memory_resource.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

template <class Cache>
class buffer_resource : public memory_resource {
public:
    explicit buffer_resource(Cache& from) noexcept : cache_(&from) {}

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
