// SPDX-License-Identifier: BSL-1.0
// Threads that share too few blocks, under each policy that lets them go on.
#include <freehold/memory/pool.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_that_is_exhausted_test {
namespace {

constexpr std::size_t capacity = 12;
// Of one thread, which finds the pool exhausted even if it is alone.
constexpr std::size_t most = 20;

pool_options scarce(exhaustion policy) {
    pool_options asked;
    asked.block_size = 96;
    asked.maximum_capacity = capacity;
    asked.growth = 5;
    asked.magazine_size = 3;
    asked.on_exhaustion = policy;
    return asked;
}

// Blocks also change hands. Returns those that are left.
std::vector<void*> share_among_threads(pool& shared) {
    constexpr unsigned threads = 4;
    std::mutex mutex;
    std::vector<void*> in_transit;
    const auto exchange = [&](std::vector<void*>& mine) {
        const std::lock_guard lock(mutex);
        mine.swap(in_transit);
    };
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t) {
        workers.emplace_back([&, t] {
            shared.deallocate_bulk(contracts::use_at_random(shared, t, 1000, most, exchange));
        });
    }
    for (std::thread& thread : workers) thread.join();
    return in_transit;
}

class exhausted_by_threads : public testing::TestWithParam<exhaustion> {};

TEST_P(exhausted_by_threads, loses_no_block) {
    contracts::observed_resource upstream;
    pool_options asked = scarce(GetParam());
    asked.upstream = &upstream;
    asked.wait_limit = std::chrono::microseconds(100);
    std::atomic<unsigned> calls{0};
    if (asked.on_exhaustion == exhaustion::call_back) {
        asked.when_exhausted = [&](pool& exhausted) {
            exhausted.release_thread_cache();
            std::this_thread::yield();
            return ++calls % 4 != 0;
        };
    }
    pool tested(asked);
    const std::vector<void*> left = share_among_threads(tested);
    contracts::expect_conserved(tested, left.size());
    EXPECT_GT(tested.statistics().exhaustions, 0U);
    tested.deallocate_bulk(left);
    tested.release_thread_cache();
    contracts::expect_conserved(tested, 0);
    EXPECT_EQ(tested.statistics().upstream_blocks, 0U) << "blocks beyond the maximum go back";
}

INSTANTIATE_TEST_SUITE_P(policies, exhausted_by_threads,
                         testing::Values(exhaustion::throw_bad_alloc, exhaustion::wait,
                                         exhaustion::grow, exhaustion::use_upstream,
                                         exhaustion::call_back));

}  // namespace
}  // namespace freehold::pool_that_is_exhausted_test
