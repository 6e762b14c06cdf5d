// SPDX-License-Identifier: BSL-1.0
// Tells the address sanitizer which blocks of a pool are free, so that it finds accesses to them.
// Tells Valgrind's memcheck too, if FREEHOLD_VALGRIND is defined. Without both, the functions do
// nothing.
// Define FREEHOLD_VALGRIND for the whole program or not at all. It requires the header
// <valgrind/memcheck.h>.
#pragma once

#include <freehold/detail/poison.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/detail/sanitizers.hpp>

#include <cstddef>
#include <cstdint>

#ifdef FREEHOLD_VALGRIND
#include <valgrind/memcheck.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

#ifdef FREEHOLD_VALGRIND
inline constexpr bool annotates_blocks = true;
#else
inline constexpr bool annotates_blocks = under_address_sanitizer;
#endif

// The part of a block that consists of whole granules of 8 bytes. The sanitizer tracks such
// granules. A granule that two blocks share is left out, because another thread may be annotating
// the neighbour.
struct own_granules {
    void* begin;
    std::size_t size;

    own_granules(void* block, std::size_t block_size) noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(block);
        const std::uintptr_t first = up_to_whole(8, address);
        const std::uintptr_t last = down_to_whole(8, address + block_size);
        begin = reinterpret_cast<void*>(first);
        size = first < last ? last - first : 0;
    }
};

[[gnu::always_inline]] inline void poison_own_granules([[maybe_unused]] void* memory,
                                                       [[maybe_unused]] std::size_t size) noexcept {
    if constexpr (under_address_sanitizer) {
        const own_granules own(memory, size);
        poison(own.begin, own.size);
    }
}
[[gnu::always_inline]] inline void unpoison_own_granules(
    [[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) noexcept {
    if constexpr (under_address_sanitizer) {
        const own_granules own(memory, size);
        unpoison(own.begin, own.size);
    }
}

[[gnu::always_inline]] inline void annotate_pool([[maybe_unused]] const void* pool) noexcept {
#ifdef FREEHOLD_VALGRIND
    VALGRIND_CREATE_MEMPOOL(pool, 0, 0);
#endif
}
[[gnu::always_inline]] inline void annotate_end([[maybe_unused]] const void* pool) noexcept {
#ifdef FREEHOLD_VALGRIND
    VALGRIND_DESTROY_MEMPOOL(pool);
#endif
}

// For memory that must not be touched from now on: blocks that were never allocated, and guards.
[[gnu::always_inline]] inline void annotate_hidden([[maybe_unused]] void* memory,
                                                   [[maybe_unused]] std::size_t size) noexcept {
    poison_own_granules(memory, size);
#ifdef FREEHOLD_VALGRIND
    static_cast<void>(VALGRIND_MAKE_MEM_NOACCESS(memory, size));
#endif
}
// For hidden memory, or a freed block, before the pool itself inspects it.
[[gnu::always_inline]] inline void annotate_inspected([[maybe_unused]] void* memory,
                                                      [[maybe_unused]] std::size_t size) noexcept {
    unpoison_own_granules(memory, size);
#ifdef FREEHOLD_VALGRIND
    static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(memory, size));
#endif
}

// To be called before the block is used.
[[gnu::always_inline]] inline void annotate_allocated([[maybe_unused]] const void* pool,
                                                      [[maybe_unused]] void* block,
                                                      [[maybe_unused]] std::size_t size) noexcept {
    unpoison_own_granules(block, size);
#ifdef FREEHOLD_VALGRIND
    VALGRIND_MEMPOOL_ALLOC(pool, block, size);
#endif
}
// To be called after the last use of the block.
[[gnu::always_inline]] inline void annotate_freed([[maybe_unused]] const void* pool,
                                                  [[maybe_unused]] void* block,
                                                  [[maybe_unused]] std::size_t size) noexcept {
    poison_own_granules(block, size);
#ifdef FREEHOLD_VALGRIND
    VALGRIND_MEMPOOL_FREE(pool, block);
#endif
}
// To be called before the memory of blocks is used for something else.
[[gnu::always_inline]] inline void annotate_returned([[maybe_unused]] void* memory,
                                                     [[maybe_unused]] std::size_t size) noexcept {
    unpoison(memory, size);
#ifdef FREEHOLD_VALGRIND
    static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(memory, size));
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
