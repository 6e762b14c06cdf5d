// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/common_pool.hpp>

#include "handle/failing_new.hpp"

#include <cstddef>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::common_pool_without_memory_test {
namespace {

TEST(a_common_pool_without_memory, says_so_and_goes_on) {
    using pool_type = common_pool<192>;
    pool_type::deallocate(pool_type::allocate());
    std::vector<void*> blocks;
    blocks.reserve(2000);
    int refusals = 0;
    while (blocks.size() < 2000) {
        const std::size_t capacity = pool_type::capacity();
        tests::fail_allocation(1);
        try {
            blocks.push_back(pool_type::allocate());
        } catch (const std::bad_alloc&) {
            ++refusals;
            EXPECT_EQ(pool_type::capacity(), capacity);
            tests::fail_allocation(0);
            blocks.push_back(pool_type::allocate());
            EXPECT_GT(pool_type::capacity(), capacity);
        }
        tests::fail_allocation(0);
    }
    EXPECT_GE(refusals, 4);
    EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
    for (void* block : blocks) pool_type::deallocate(block);
}

// A thread that is refused its magazines takes a block from its chunk, and asks again next time.
TEST(a_common_pool_without_memory, does_without_magazines) {
    using pool_type = common_pool<208>;
    // The pool has the first thread's magazine already.
    std::set<void*> blocks{pool_type::allocate()};
    while (blocks.size() < pool_type::capacity()) blocks.insert(pool_type::allocate());
    std::thread([&blocks] {
        tests::fail_allocation(1);
        blocks.insert(pool_type::allocate());
        const bool refused = tests::has_failed();
        tests::fail_allocation(0);
        EXPECT_TRUE(refused);
        const std::size_t capacity = pool_type::capacity();
        while (blocks.size() < capacity) blocks.insert(pool_type::allocate());
        EXPECT_EQ(pool_type::capacity(), capacity);
        for (void* each : blocks) pool_type::deallocate(each);
    }).join();
}

// The first growth makes several allocations: each is refused in turn.
TEST(a_common_pool_without_memory, may_be_refused_its_first_blocks) {
    using pool_type = common_pool<216>;
    std::thread([] {
        void* block = nullptr;
        int refusals = 0;
        for (int which = 1; block == nullptr; ++which) {
            tests::fail_allocation(which);
            try {
                block = pool_type::allocate();
            } catch (const std::bad_alloc&) {
                ++refusals;
                EXPECT_EQ(pool_type::capacity(), 0U);
            }
        }
        tests::fail_allocation(0);
        EXPECT_GE(refusals, 2);
        EXPECT_GT(pool_type::capacity(), 0U);
        pool_type::deallocate(block);
    }).join();
}

}  // namespace
}  // namespace freehold::common_pool_without_memory_test
