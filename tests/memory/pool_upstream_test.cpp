// SPDX-License-Identifier: BSL-1.0
// What a pool does with its upstream: all comes back to it, also when it fails at any of its calls.
#include <freehold/memory/pool.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <cstddef>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_upstream_test {
namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

pool_options over(std::pmr::memory_resource& upstream) {
    pool_options asked;
    asked.block_size = 48;
    asked.initial_capacity = 8;
    asked.growth = 8;
    asked.magazine_size = 4;
    asked.upstream = &upstream;
    return asked;
}

TEST(the_upstream_of_a_pool, gets_all_back_from_a_pool_that_is_destroyed) {
    contracts::observed_resource upstream;
    {
        pool tested(over(upstream));
        EXPECT_EQ(upstream.pieces_lent(), 1U);
        give_back(tested, take(tested, 100));
        EXPECT_EQ(upstream.pieces_lent(), 13U);
    }
    EXPECT_EQ(upstream.pieces_lent(), 0U);
}

TEST(the_upstream_of_a_pool, is_asked_for_no_more_than_the_maximum) {
    contracts::observed_resource upstream;
    pool_options asked = over(upstream);
    asked.maximum_capacity = 19;
    pool tested(asked);
    const std::vector<void*> blocks = take(tested, 19);
    EXPECT_THROW(static_cast<void>(tested.allocate()), std::bad_alloc);
    EXPECT_EQ(tested.statistics().capacity, 19U);
    EXPECT_EQ(upstream.pieces_lent(), 3U);
    give_back(tested, blocks);
}

TEST(the_upstream_of_a_pool, may_fail_at_each_of_its_calls) {
    contracts::observed_resource upstream;
    for (const exhaustion policy :
         {exhaustion::throw_bad_alloc, exhaustion::grow, exhaustion::use_upstream}) {
        for (long k = 1;; ++k) {
            upstream.fail_from(k);
            bool made = false;
            bool failed = true;
            try {
                pool_options asked = over(upstream);
                asked.on_exhaustion = policy;
                asked.maximum_capacity = 64;
                pool tested(asked);
                made = true;
                std::vector<void*> blocks;
                try {
                    for (int i = 0; i < 90; ++i) blocks.push_back(tested.allocate());
                } catch (const std::bad_alloc&) {
                }
                expect_conserved(tested, blocks.size());
                failed = upstream.failures() > 0;
                if (failed) {
                    EXPECT_EQ(blocks.size(), tested.statistics().capacity);
                }
                // The failure is not for good.
                upstream.fail_from(0);
                if (blocks.size() < 64) blocks.push_back(tested.allocate());
                give_back(tested, blocks);
                expect_conserved(tested, 0);
            } catch (const std::bad_alloc&) {
                EXPECT_EQ(k, 1);
            }
            EXPECT_EQ(made, k != 1);
            EXPECT_EQ(upstream.pieces_lent(), 0U) << "call " << k;
            if (!failed) break;
            ASSERT_LT(k, 200);
        }
    }
    upstream.fail_from(0);
}

class refusing_resource : public std::pmr::memory_resource {
    void* do_allocate(std::size_t, std::size_t) override { throw std::runtime_error("refused"); }
    void do_deallocate(void*, std::size_t, std::size_t) override {
        ADD_FAILURE() << "nothing was lent";
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

TEST(the_upstream_of_a_pool, may_throw_what_it_likes) {
    refusing_resource upstream;
    EXPECT_THROW(const pool made(over(upstream)), std::runtime_error);
    pool_options asked = over(upstream);
    asked.initial_capacity = 0;
    asked.maximum_capacity = 100;
    pool tested(asked);
    for (int i = 0; i < 30; ++i) {
        EXPECT_THROW(static_cast<void>(tested.allocate()), std::runtime_error);
    }
    expect_conserved(tested, 0);
    EXPECT_EQ(tested.statistics().capacity, 0U);
}

TEST(the_upstream_of_a_pool, keeps_what_it_lent_until_the_end) {
    contracts::observed_resource upstream;
    pool tested(over(upstream));
    give_back(tested, take(tested, 50));
    tested.release_thread_cache();
    EXPECT_EQ(upstream.pieces_lent(), 7U);
    const long allocations = upstream.allocations();
    for (int round = 0; round < 20; ++round) give_back(tested, take(tested, 50));
    EXPECT_EQ(upstream.allocations(), allocations);
}

}  // namespace
}  // namespace freehold::pool_upstream_test
