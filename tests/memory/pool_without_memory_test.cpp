// SPDX-License-Identifier: BSL-1.0
// A pool that is refused, at each place in turn, the memory that it needs for itself.
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"
#include "handle/failing_new.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace freehold::pool_without_memory_test {
namespace {

constexpr std::size_t most = 300;

// Refuses the k-th allocation of a new thread, for which the pool needs all that it needs for a
// thread; false when it needs fewer than k.
template <class Scenario>
bool refuse_on_a_thread(long k, Scenario scenario) {
    bool refused = false;
    std::thread([&] {
        tests::fail_allocation(k);
        try {
            scenario();
        } catch (const std::bad_alloc&) {
            EXPECT_TRUE(tests::has_failed());
        }
        refused = tests::has_failed();
        tests::fail_allocation(0);
    }).join();
    return refused;
}

pool_options growing(std::pmr::memory_resource* upstream) {
    pool_options asked;
    asked.block_size = 64;
    asked.growth = 20;
    asked.magazine_size = 8;
    asked.upstream = upstream;
    return asked;
}

TEST(a_pool_without_memory, loses_nothing_at_whichever_allocation_it_is_refused) {
    for (std::pmr::memory_resource* const upstream :
         {static_cast<std::pmr::memory_resource*>(nullptr), std::pmr::new_delete_resource()}) {
        int refusals = 0;
        for (long k = 1;; ++k) {
            const bool refused = refuse_on_a_thread(k, [&] {
                pool tested(growing(upstream));
                std::array<void*, most> blocks;
                std::size_t had = 0;
                try {
                    for (; had < most; ++had) blocks[had] = tested.allocate();
                } catch (const std::bad_alloc&) {
                }
                contracts::expect_conserved(tested, had);
                // Refused once, it has what it needs the next time.
                for (; had < most; ++had) blocks[had] = tested.allocate();
                std::sort(blocks.begin(), blocks.end());
                EXPECT_EQ(std::adjacent_find(blocks.begin(), blocks.end()), blocks.end());
                for (void* block : blocks) tested.deallocate(block);
                contracts::expect_conserved(tested, 0);
            });
            if (!refused) break;
            ++refusals;
            ASSERT_LT(k, 1000);
        }
        EXPECT_GE(refusals, 10);
    }
}

// A thread that cannot have a cache takes and gives single blocks, and tries again each time.
TEST(a_pool_without_memory, serves_threads_that_cannot_have_a_cache) {
    pool tested(growing(nullptr));
    contracts::give_back(tested, contracts::take(tested, 50));
    tested.release_thread_cache();
    std::thread([&] {
        std::array<void*, 30> blocks;
        for (void*& block : blocks) {
            tests::fail_allocation(1);
            block = tested.allocate();
            EXPECT_TRUE(tests::has_failed());
        }
        tests::fail_allocation(0);
        EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
        contracts::expect_conserved(tested, blocks.size());
        EXPECT_EQ(tested.statistics().cached, 0U);
        for (void* block : blocks) {
            tests::fail_allocation(1);
            tested.deallocate(block);
            EXPECT_TRUE(tests::has_failed());
        }
        tests::fail_allocation(0);
        contracts::expect_conserved(tested, 0);
        tested.deallocate(tested.allocate());
        EXPECT_GT(tested.statistics().cached, 0U);
    }).join();
    contracts::expect_conserved(tested, 0);
}

TEST(a_pool_without_memory, tells_its_statistics_as_soon_as_there_is_some) {
    pool tested(growing(nullptr));
    void* const block = tested.allocate();
    tests::fail_allocation(1);
    EXPECT_THROW(static_cast<void>(tested.statistics()), std::bad_alloc);
    EXPECT_TRUE(tests::has_failed());
    tests::fail_allocation(0);
    contracts::expect_conserved(tested, 1);
    tested.deallocate(block);
    contracts::expect_conserved(tested, 0);
}

TEST(a_pool_without_memory, gives_back_what_it_had_for_itself) {
    const auto scenario = [] {
        pool tested(growing(std::pmr::new_delete_resource()));
        contracts::give_back(tested, contracts::take(tested, most));
    };
    // The first time, the process gets what it keeps for all pools, and this thread a cache of
    // which it is told later that its pool is gone.
    scenario();
    const long live = tests::live_allocations();
    for (int round = 0; round < 5; ++round) scenario();
    EXPECT_EQ(tests::live_allocations(), live);
}

}  // namespace
}  // namespace freehold::pool_without_memory_test
