// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <cstdlib>

namespace lab::blocks {

template <std::size_t BlockBytes>
struct malloc_and_free {
    static void* allocate() noexcept { return std::malloc(BlockBytes); }
    static void deallocate(void* block) noexcept { std::free(block); }
};

#ifdef __GLIBC__
inline constexpr std::string_view why_no_glibc = "";
#else
inline constexpr std::string_view why_no_glibc = "this system's C library is another";
#endif

struct glibc {
    static constexpr identity is = {
        .name = "glibc", .family = family::allocator, .order = 4, .missing = why_no_glibc};
    template <std::size_t BlockBytes>
    using source = packets::one_by_one<packets::blocks_by<malloc_and_free<BlockBytes>>>;
};

}  // namespace lab::blocks
