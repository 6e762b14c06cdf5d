// SPDX-License-Identifier: BSL-1.0
// A program and a shared library that hides its symbols use one cache.
#include "memory/hiding_library.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::tests {
namespace {

using cache = cache_of_two_libraries;

TEST(a_block_cache_across_libraries, is_one_cache) {
    void* const block = allocate_in_library();
    EXPECT_GT(cache::reserved_blocks(), 0U);
    cache::deallocate(block);
    EXPECT_EQ(allocate_in_library(), block);
    deallocate_in_library(block);
    EXPECT_EQ(cache::allocate(), block);
    cache::deallocate(block);
}

TEST(a_block_cache_across_libraries, gets_back_what_either_allocated) {
    constexpr std::size_t many = 20'000;
    std::size_t reserved = 0;
    for (int round = 0; round < 4; ++round) {
        std::vector<void*> blocks;
        for (std::size_t i = 0; i < many; ++i) {
            blocks.push_back(i % 2 == 0 ? allocate_in_library() : cache::allocate());
        }
        for (std::size_t i = 0; i < many; ++i) {
            i % 3 == 0 ? deallocate_in_library(blocks[i]) : cache::deallocate(blocks[i]);
        }
        if (round == 0) reserved = cache::reserved_blocks();
        EXPECT_EQ(cache::reserved_blocks(), reserved);
        EXPECT_EQ(reserved_blocks_in_library(), reserved);
    }
}

}  // namespace
}  // namespace freehold::tests
