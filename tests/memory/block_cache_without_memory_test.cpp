// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/block_cache.hpp>

#include "handle/failing_new.hpp"

#include <cstddef>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {
namespace {

TEST(a_block_cache_without_memory, says_so_and_goes_on) {
    using cache = block_cache<192>;
    cache::deallocate(cache::allocate());
    std::vector<void*> blocks;
    blocks.reserve(2000);
    int refusals = 0;
    while (blocks.size() < 2000) {
        const std::size_t reserved = cache::reserved_blocks();
        tests::fail_allocation(1);
        try {
            blocks.push_back(cache::allocate());
        } catch (const std::bad_alloc&) {
            ++refusals;
            EXPECT_EQ(cache::reserved_blocks(), reserved);
            tests::fail_allocation(0);
            blocks.push_back(cache::allocate());
            EXPECT_GT(cache::reserved_blocks(), reserved);
        }
        tests::fail_allocation(0);
    }
    EXPECT_GE(refusals, 4);
    EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
    for (void* block : blocks) cache::deallocate(block);
}

// A thread whose every operation is refused the stack for its blocks takes them from their slab,
// and puts them back there.
TEST(a_block_cache_without_memory, does_without_a_stack) {
    using cache = block_cache<208>;
    std::thread([] {
        tests::fail_allocation(1);
        void* const block = cache::allocate();
        EXPECT_TRUE(tests::has_failed());
        const std::size_t reserved = cache::reserved_blocks();
        for (int i = 0; i < 100; ++i) {
            tests::fail_allocation(1);
            void* const another = cache::allocate();
            EXPECT_TRUE(tests::has_failed());
            EXPECT_NE(another, block);
            tests::fail_allocation(1);
            cache::deallocate(another);
            EXPECT_TRUE(tests::has_failed());
        }
        tests::fail_allocation(1);
        cache::deallocate(block);
        EXPECT_TRUE(tests::has_failed());
        tests::fail_allocation(0);
        EXPECT_EQ(tests::live_allocations(), 1);  // the slab
        EXPECT_EQ(cache::allocate(), block);
        cache::deallocate(block);
        EXPECT_EQ(cache::reserved_blocks(), reserved);
    }).join();
}

// The first call of a thread makes two allocations: each is refused in turn.
TEST(a_block_cache_without_memory, may_be_refused_its_first_slab) {
    using cache = block_cache<216>;
    std::thread([] {
        tests::fail_allocation(2);
        EXPECT_THROW(static_cast<void>(cache::allocate()), std::bad_alloc);
        EXPECT_EQ(cache::reserved_blocks(), 0U);
        tests::fail_allocation(0);
        cache::deallocate(cache::allocate());
        EXPECT_GT(cache::reserved_blocks(), 0U);
    }).join();
}

}  // namespace
}  // namespace freehold
