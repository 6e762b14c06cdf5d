// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/pool_resource.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <cstddef>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_resource_test {
namespace {

static_assert(!std::is_constructible_v<pool_resource, freehold::pool>,
              "a pool that is gone at the end of the line");

class a_pool_resource : public testing::Test {
protected:
    static pool_options options(std::pmr::memory_resource* upstream) {
        pool_options asked;
        asked.block_size = 100;
        asked.alignment = 16;
        asked.upstream = upstream;
        return asked;
    }

    contracts::observed_resource upstream_;
    pool pool_{options(&upstream_)};
    pool_resource resource_{pool_};
};

TEST_F(a_pool_resource, takes_from_the_pool_what_fits_and_from_its_upstream_what_does_not) {
    struct request {
        std::size_t bytes, alignment;
        bool fits;
    };
    for (const auto& [bytes, alignment, fits] :
         {request{0, 1, true}, request{1, 1, true}, request{100, 16, true}, request{100, 1, true},
          request{101, 1, false}, request{100'000, 16, false}, request{1, 8192, false}}) {
        void* const place = resource_.allocate(bytes, alignment);
        EXPECT_EQ(pool_.owns(place), fits) << bytes << " aligned to " << alignment;
        EXPECT_EQ(pool_.statistics().in_use, fits ? 1U : 0U);
        EXPECT_TRUE(upstream_.has_lent(place));
        resource_.deallocate(place, bytes, alignment);
    }
    contracts::expect_conserved(pool_, 0);
}

TEST_F(a_pool_resource, is_equal_to_those_of_the_same_pool) {
    const pool_resource same(pool_);
    pool another(options(&upstream_));
    const pool_resource different(another);
    EXPECT_EQ(&same.pool(), &pool_);
    EXPECT_TRUE(resource_.is_equal(same));
    EXPECT_TRUE(same == resource_);
    EXPECT_FALSE(resource_.is_equal(different));
    EXPECT_FALSE(resource_.is_equal(upstream_));
    EXPECT_FALSE(resource_.is_equal(*std::pmr::new_delete_resource()));
}

TEST_F(a_pool_resource, throws_where_the_pool_says_null) {
    pool_options limited = options(nullptr);
    limited.maximum_capacity = 2;
    limited.on_exhaustion = exhaustion::return_null;
    pool small(limited);
    pool_resource resource(small);
    void* const first = resource.allocate(10);
    void* const second = resource.allocate(10);
    EXPECT_THROW(static_cast<void>(resource.allocate(10)), std::bad_alloc);
    void* const from_upstream = resource.allocate(1000);
    resource.deallocate(from_upstream, 1000);
    resource.deallocate(first, 10);
    EXPECT_EQ(resource.allocate(10), first);
    resource.deallocate(first, 10);
    resource.deallocate(second, 10);
    contracts::expect_conserved(small, 0);
}

TEST_F(a_pool_resource, says_so_when_the_upstream_fails_and_goes_on) {
    upstream_.fail_from(1);
    EXPECT_THROW(static_cast<void>(resource_.allocate(10)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(resource_.allocate(1000)), std::bad_alloc);
    upstream_.fail_from(0);
    resource_.deallocate(resource_.allocate(10), 10);
    resource_.deallocate(resource_.allocate(1000), 1000);
    contracts::expect_conserved(pool_, 0);
}

// A pool may stand on another's resource.
TEST_F(a_pool_resource, is_the_upstream_of_another_pool) {
    {
        pool_options asked;
        asked.block_size = 24;
        asked.alignment = 8;
        asked.growth = 4;
        asked.upstream = &resource_;
        pool inner(asked);
        const std::vector<void*> blocks = contracts::take(inner, 50);
        EXPECT_GT(pool_.statistics().in_use + upstream_.pieces_lent(), 1U);
        contracts::give_back(inner, blocks);
        contracts::expect_conserved(inner, 0);
    }
    contracts::expect_conserved(pool_, 0);
}

}  // namespace
}  // namespace freehold::pool_resource_test
