// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <cstdlib>

namespace lab::packets {

template <std::size_t BlockBytes>
struct malloc_and_free {
    static void* allocate() noexcept { return std::malloc(BlockBytes); }
    static void deallocate(void* block) noexcept { std::free(block); }
};

struct glibc : competitor {
    static constexpr const char* name = "glibc";
#ifdef __GLIBC__
    template <std::size_t BlockBytes>
    using source = one_by_one<blocks_by<malloc_and_free<BlockBytes>>>;
#else
    static constexpr const char* missing = "this system's C library is another";
#endif
};

}  // namespace lab::packets
