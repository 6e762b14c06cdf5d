// SPDX-License-Identifier: BSL-1.0
// oneTBB's scalable allocator, called by its own names: it does not replace malloc.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <new>

#ifdef FREEHOLD_LAB_HAS_TBB
#include <tbb/scalable_allocator.h>
#endif

namespace lab::packets {

#ifdef FREEHOLD_LAB_HAS_TBB
template <std::size_t BlockBytes>
class scalable_blocks {
public:
    explicit scalable_blocks(std::size_t) noexcept {}

    void* allocate() {
        void* const block = scalable_malloc(BlockBytes);
        if (block == nullptr) [[unlikely]]
            throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { scalable_free(block); }
};
#endif

struct tbb : competitor {
    static constexpr const char* name = "TBB";
#ifdef FREEHOLD_LAB_HAS_TBB
    template <std::size_t BlockBytes>
    using source = one_by_one<scalable_blocks<BlockBytes>>;
#else
    static constexpr const char* missing = "install oneTBB (Debian: libtbb-dev)";
#endif
};

}  // namespace lab::packets
