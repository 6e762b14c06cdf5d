// SPDX-License-Identifier: BSL-1.0
// The rule of a pool's adaptors: a request that fits into a block, in size and alignment, gets a
// block of the pool. All other requests go to the pool's upstream. A pool's block size and
// alignment never change, so memory always returns to its source.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pool.hpp>

#include <cstddef>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard, gnu::always_inline]] inline bool fits_into_a_block(const pool& from, std::size_t bytes,
                                                                std::size_t alignment) noexcept {
    return bytes <= from.block_size() && alignment <= from.alignment();
}

[[nodiscard, gnu::always_inline]] inline void* allocate_block_or_upstream(pool& from,
                                                                          std::size_t bytes,
                                                                          std::size_t alignment) {
    if (!fits_into_a_block(from, bytes, alignment)) [[unlikely]]
        return from.upstream().allocate(bytes, alignment);
    void* const block = from.allocate();
    // A pool with exhaustion::return_null returns nullptr; an allocator must throw.
    if (block == nullptr) [[unlikely]]
        FREEHOLD_THROW(std::bad_alloc());
    return block;
}

[[gnu::always_inline]] inline void deallocate_block_or_upstream(pool& to, void* memory,
                                                                std::size_t bytes,
                                                                std::size_t alignment) noexcept {
    if (!fits_into_a_block(to, bytes, alignment)) [[unlikely]]
        return to.upstream().deallocate(memory, bytes, alignment);
    to.deallocate(memory);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
