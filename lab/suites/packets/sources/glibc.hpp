// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace lab::packets {

template <std::size_t BlockBytes>
class malloc_blocks {
public:
    explicit malloc_blocks(std::size_t) noexcept {}

    void* allocate() {
        void* const block = std::malloc(BlockBytes);
        if (block == nullptr) [[unlikely]]
            throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { std::free(block); }
};

struct glibc : competitor {
    static constexpr const char* name = "glibc";
#ifdef __GLIBC__
    template <std::size_t BlockBytes>
    using source = one_by_one<malloc_blocks<BlockBytes>>;
#else
    static constexpr const char* missing = "this system's C library is another";
#endif
};

}  // namespace lab::packets
