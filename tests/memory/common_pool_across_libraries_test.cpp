// SPDX-License-Identifier: BSL-1.0
// A program and a shared library that hides its symbols use one pool.
#include "memory/hiding_library.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::tests::common_pool_across_libraries_test {
namespace {

using pool_type = pool_of_two_libraries;

TEST(a_common_pool_across_libraries, is_one_pool) {
    void* const block = allocate_in_library();
    EXPECT_GT(pool_type::capacity(), 0U);
    pool_type::deallocate(block);
    EXPECT_EQ(allocate_in_library(), block);
    deallocate_in_library(block);
    EXPECT_EQ(pool_type::allocate(), block);
    pool_type::deallocate(block);
}

TEST(a_common_pool_across_libraries, gets_back_what_either_allocated) {
    constexpr std::size_t many = 20'000;
    std::size_t capacity = 0;
    for (int round = 0; round < 4; ++round) {
        std::vector<void*> blocks;
        for (std::size_t i = 0; i < many; ++i) {
            blocks.push_back(i % 2 == 0 ? allocate_in_library() : pool_type::allocate());
        }
        for (std::size_t i = 0; i < many; ++i) {
            i % 3 == 0 ? deallocate_in_library(blocks[i]) : pool_type::deallocate(blocks[i]);
        }
        if (round == 0) capacity = pool_type::capacity();
        EXPECT_EQ(pool_type::capacity(), capacity);
        EXPECT_EQ(capacity_in_library(), capacity);
    }
}

}  // namespace
}  // namespace freehold::tests::common_pool_across_libraries_test
