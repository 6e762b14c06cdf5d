// SPDX-License-Identifier: BSL-1.0
// oneTBB's scalable allocator, called by its own names. It does not replace malloc.
#pragma once

#include "runner/subject.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>

#ifdef FREEHOLD_LAB_HAS_TBB
#include <tbb/scalable_allocator.h>
#include <tbb/version.h>
#endif

namespace lab::blocks {

#ifdef FREEHOLD_LAB_HAS_TBB
inline constexpr origin tbb_library = {"TBB", TBB_VERSION_STRING, ""};
#else
inline constexpr origin tbb_library = {"TBB", "", "install oneTBB (Debian: libtbb-dev)"};
#endif

#ifdef FREEHOLD_LAB_HAS_TBB
template <std::size_t BlockBytes>
struct scalable_functions {
    static void* allocate() noexcept { return scalable_malloc(BlockBytes); }
    static void deallocate(void* block) noexcept { scalable_free(block); }
};
#endif

struct tbb {
    static constexpr identity is = {
        .name = "TBB", .family = family::allocator, .order = 11, .from = &tbb_library};
#ifdef FREEHOLD_LAB_HAS_TBB
    template <std::size_t BlockBytes>
    using source = packets::one_by_one<packets::blocks_by<scalable_functions<BlockBytes>>>;
#endif
};

}  // namespace lab::blocks
