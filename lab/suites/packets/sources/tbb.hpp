// SPDX-License-Identifier: BSL-1.0
// oneTBB's scalable allocator, called by its own names: it does not replace malloc.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>

#ifdef FREEHOLD_LAB_HAS_TBB
#include <tbb/scalable_allocator.h>
#endif

namespace lab::packets {

#ifdef FREEHOLD_LAB_HAS_TBB
template <std::size_t BlockBytes>
struct scalable_functions {
    static void* allocate() noexcept { return scalable_malloc(BlockBytes); }
    static void deallocate(void* block) noexcept { scalable_free(block); }
};
#endif

struct tbb : competitor {
    static constexpr const char* name = "TBB";
#ifdef FREEHOLD_LAB_HAS_TBB
    template <std::size_t BlockBytes>
    using source = one_by_one<blocks_by<scalable_functions<BlockBytes>>>;
#else
    static constexpr const char* missing = "install oneTBB (Debian: libtbb-dev)";
#endif
};

}  // namespace lab::packets
