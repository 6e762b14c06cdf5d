// SPDX-License-Identifier: BSL-1.0
// A std::pmr::memory_resource over a pool: for std::pmr containers, and as the upstream of others.
//
// What fits into a block of the pool in size and alignment is a block of it; all else comes from
// the pool's upstream. The pool must outlive the resource. A pool that says by null that it is
// exhausted throws std::bad_alloc here. Two resources are equal if they name the same pool.
//
// Costs two pointers, and a virtual call and two comparisons over the pool's own operations; where
// the type is known, pool_allocator has no virtual call.
// Thread-safe as the pool is, if the pool's upstream is. Exceptions: allocate throws
// std::bad_alloc, and what the pool's upstream throws.
#pragma once

#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool/block_or_upstream.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

class pool_resource : public memory_resource {
public:
    explicit pool_resource(freehold::pool& from) noexcept : pool_(&from) {}

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
