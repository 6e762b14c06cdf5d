// SPDX-License-Identifier: BSL-1.0
// What it is: a std::pmr::memory_resource over a pool. Requests that fit into a block, in size and
// alignment, are served by the pool. All others go to the pool's upstream.
// When to use it: for std::pmr containers, and as the upstream of other memory resources.
// When not: where the type of the allocator may be part of the container's type. pool_allocator
// saves the virtual call.
// Example: `freehold::pool_resource resource(pool); std::pmr::list<int> numbers(&resource);`
//
// Units: two pointers.
// Complexity: that of pool::allocate and deallocate, one virtual call, and two comparisons.
// Thread safety: as the pool's, if the pool's upstream is thread-safe.
// Exceptions: allocate throws what pool::allocate and the pool's upstream throw. It throws
// std::bad_alloc where the pool returns nullptr.
// Ownership: the pool must outlive the resource and everything allocated from it. Two resources are
// equal if they use the same pool. Without RTTI, a resource is equal to itself only.
// Source: the standard's std::pmr::memory_resource.
#pragma once

#include <freehold/memory/detail/block_or_upstream.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pool.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

class pool_resource : public memory_resource {
public:
    // The pool must outlive the resource.
    explicit pool_resource(freehold::pool& from) noexcept : pool_(&from) {}

    // The pool that the blocks come from.
    [[nodiscard]] freehold::pool& pool() const noexcept { return *pool_; }

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        return detail::allocate_block_or_upstream(*pool_, bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        detail::deallocate_block_or_upstream(*pool_, memory, bytes, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
#if defined(__cpp_rtti)
        const auto* const same_kind = dynamic_cast<const pool_resource*>(&other);
        return same_kind != nullptr && same_kind->pool_ == pool_;
#else
        return this == &other;
#endif
    }

    freehold::pool* pool_;
};

}  // namespace freehold::inline FREEHOLD_ABI
