// SPDX-License-Identifier: BSL-1.0
// What FREEHOLD_CHECKED, with which this is compiled, is for: nobody asks these pools to check.
#include <freehold/memory/pool.hpp>

#include "death_tests.hpp"

#include <cstddef>

#include <gtest/gtest.h>

namespace freehold::pool_in_a_checked_build_test {
namespace {

TEST(a_pool_in_a_checked_build, finds_at_once_a_block_that_is_freed_twice) {
    tests::run_death_tests_in_new_processes();
    pool tested({.block_size = 40, .name = "unasked"});
    void* const block = tested.allocate();
    tested.deallocate(block);
    EXPECT_DEATH(tested.deallocate(block),
                 "pool 'unasked': block .* was freed although it is free");
}

TEST(a_pool_in_a_checked_build, may_be_told_not_to_check) {
    pool tested({.block_size = 40, .checked = false});
    void* const block = tested.allocate();
    tested.deallocate(block);
    EXPECT_GT(tested.statistics().cached, 0U);  // a checked one keeps nothing for its threads
}

}  // namespace
}  // namespace freehold::pool_in_a_checked_build_test
