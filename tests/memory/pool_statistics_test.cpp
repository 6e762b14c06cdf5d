// SPDX-License-Identifier: BSL-1.0
// Each number of a pool's statistics, step by step.
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"

#include <cstddef>
#include <iomanip>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace freehold::pool_statistics_test {

namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

pool_options counted() {
    pool_options asked;
    asked.block_size = 100;
    asked.initial_capacity = 10;
    asked.maximum_capacity = 16;
    asked.growth = 6;
    asked.magazine_size = 4;
    asked.on_exhaustion = exhaustion::return_null;
    asked.checked = false;
    asked.name = "counted";
    return asked;
}

pool_statistics sums_of(const pool& told) {
    pool_statistics sums = told.statistics();
    sums.threads.clear();
    return sums;
}

class the_statistics_of_a_pool : public testing::Test {
protected:
    void allocate(std::size_t blocks) {
        const std::vector<void*> more = take(pool_, blocks);
        blocks_.insert(blocks_.end(), more.begin(), more.end());
    }
    void free(std::size_t blocks) {
        for (; blocks > 0; --blocks) {
            pool_.deallocate(blocks_.back());
            blocks_.pop_back();
        }
    }

    pool pool_{counted()};
    std::vector<void*> blocks_;
    pool_statistics expected_{.name = "counted"};
};

TEST_F(the_statistics_of_a_pool, tell_where_each_block_is_and_what_was_done) {
    expected_.capacity = 10;
    expected_.in_depot = 10;
    EXPECT_EQ(sums_of(pool_), expected_);

    // A thread takes a magazine of 4 blocks at a time.
    allocate(1);
    expected_.allocations = 1;
    expected_.in_use = 1;
    expected_.cached = 3;
    expected_.in_depot = 6;
    expected_.high_water = 4;
    expected_.refills = 1;
    EXPECT_EQ(sums_of(pool_), expected_);

    allocate(3);
    expected_.allocations = 4;
    expected_.in_use = 4;
    expected_.cached = 0;
    EXPECT_EQ(sums_of(pool_), expected_);

    // And what is left, if that is less.
    allocate(5);
    expected_.allocations = 9;
    expected_.in_use = 9;
    expected_.cached = 1;
    expected_.in_depot = 0;
    expected_.high_water = 10;
    expected_.refills = 3;
    EXPECT_EQ(sums_of(pool_), expected_);

    // Grown by 6.
    allocate(2);
    expected_.capacity = 16;
    expected_.allocations = 11;
    expected_.in_use = 11;
    expected_.cached = 3;
    expected_.in_depot = 2;
    expected_.high_water = 14;
    expected_.refills = 4;
    EXPECT_EQ(sums_of(pool_), expected_);

    // It keeps two magazines.
    free(5);
    expected_.frees = 5;
    expected_.in_use = 6;
    expected_.cached = 8;
    EXPECT_EQ(sums_of(pool_), expected_);

    // And gives one of them to the depot for the next.
    free(1);
    expected_.frees = 6;
    expected_.in_use = 5;
    expected_.cached = 5;
    expected_.in_depot = 6;
    EXPECT_EQ(sums_of(pool_), expected_);

    // Another thread that frees what it has not allocated, and leaves all to the depot.
    std::thread([&] { free(5); }).join();
    expected_.frees = 11;
    expected_.remote_frees = 5;
    expected_.in_use = 0;
    expected_.in_depot = 11;
    EXPECT_EQ(sums_of(pool_), expected_);

    pool_.release_thread_cache();
    expected_.cached = 0;
    expected_.in_depot = 16;
    EXPECT_EQ(sums_of(pool_), expected_);

    // All of it, and one more.
    allocate(16);
    expected_.allocations = 27;
    expected_.in_use = 16;
    expected_.in_depot = 0;
    expected_.high_water = 16;
    expected_.refills = 8;
    EXPECT_EQ(sums_of(pool_), expected_);
    EXPECT_EQ(pool_.allocate(), nullptr);
    expected_.exhaustions = 1;
    EXPECT_EQ(sums_of(pool_), expected_);
    free(16);
}

TEST_F(the_statistics_of_a_pool, count_in_bulk_as_one_by_one) {
    std::vector<void*> bulk(7);
    ASSERT_EQ(pool_.allocate_bulk(bulk), 7U);
    expected_ = pool_.statistics();
    EXPECT_EQ(expected_.allocations, 7U);
    EXPECT_EQ(expected_.in_use, 7U);
    pool_.deallocate_bulk(bulk);
    EXPECT_EQ(pool_.statistics().frees, 7U);
    std::vector<void*> too_many(17);
    ASSERT_EQ(pool_.allocate_bulk(too_many), 16U);
    EXPECT_EQ(pool_.statistics().allocations, 23U);
    EXPECT_EQ(pool_.statistics().exhaustions, 1U);
    too_many.pop_back();
    pool_.deallocate_bulk(too_many);
    expect_conserved(pool_, 0);
    EXPECT_EQ(pool_.statistics().remote_frees, 0U);
}

TEST_F(the_statistics_of_a_pool, tell_the_threads_apart) {
    EXPECT_TRUE(pool_.statistics().threads.empty());
    allocate(6);
    const pool_thread_statistics mine{
        .thread = gettid(), .cached = 2, .allocations = 6, .refills = 2};
    EXPECT_EQ(pool_.statistics().threads, std::vector{mine});

    std::thread([&] {
        free(3);
        const pool_thread_statistics other{
            .thread = gettid(), .cached = 3, .frees = 3, .remote_frees = 3};
        EXPECT_EQ(pool_.statistics().threads, (std::vector{other, mine}));
        pool_thread_statistics all = mine;
        all += other;
        const pool_statistics sums = pool_.statistics();
        EXPECT_EQ(sums.cached, all.cached);
        EXPECT_EQ(sums.allocations, all.allocations);
        EXPECT_EQ(sums.frees, all.frees);
        EXPECT_EQ(sums.remote_frees, all.remote_frees);
        EXPECT_EQ(sums.refills, all.refills);
    }).join();
    EXPECT_EQ(pool_.statistics().threads, std::vector{mine});
    EXPECT_EQ(pool_.statistics().frees, 3U) << "of one that has exited";
    free(3);
}

TEST_F(the_statistics_of_a_pool, are_a_text_for_people) {
    allocate(6);
    std::ostringstream text;
    text << pool_.statistics();
    std::ostringstream thread;
    thread << std::setw(14) << gettid();
    EXPECT_EQ(
        text.str(),
        "counted: 10 blocks, 6 in use, 2 cached, 2 in the depot, high water 8, 0 of the "
        "upstream; 6 allocations, 0 frees (at least 0 on another thread), 2 refills, "
        "0 exhaustions\n"
        "        thread        cached   allocations         frees        remote       refills\n" +
            thread.str() +
            "             2             6             0             0             2\n");
    free(6);
}

TEST_F(the_statistics_of_a_pool, begin_with_a_number_if_the_pool_has_no_name) {
    std::ostringstream text;
    text << pool({.block_size = 64, .initial_capacity = 3}).statistics();
    EXPECT_EQ(text.str().substr(0, 9), "3 blocks,") << text.str();
}

TEST_F(the_statistics_of_a_pool, add_up_over_threads_that_are_gone) {
    for (int i = 1; i <= 10; ++i) {
        std::thread([&] { give_back(pool_, take(pool_, 5)); }).join();
        expected_ = pool_.statistics();
        EXPECT_EQ(expected_.allocations, 5U * static_cast<unsigned>(i));
        EXPECT_EQ(expected_.frees, expected_.allocations);
        EXPECT_EQ(expected_.refills, 2U * static_cast<unsigned>(i));
        EXPECT_EQ(expected_.cached, 0U);
        EXPECT_EQ(expected_.remote_frees, 0U);
    }
}

TEST_F(the_statistics_of_a_pool, count_remote_frees_of_threads_that_also_allocate) {
    allocate(8);
    std::thread([&] {
        void* const own = pool_.allocate();
        free(8);
        pool_.deallocate(own);
    }).join();
    EXPECT_EQ(pool_.statistics().remote_frees, 8U);
    EXPECT_EQ(pool_.statistics().frees, 9U);
    expect_conserved(pool_, 0);
}

TEST_F(the_statistics_of_a_pool, count_as_much_when_every_call_is_checked) {
    pool_options asked = counted();
    asked.checked = true;
    pool checked(asked);
    const std::vector<void*> blocks = take(checked, 12);
    expected_.capacity = 16;
    expected_.in_use = 12;
    expected_.in_depot = 4;
    expected_.high_water = 12;
    expected_.allocations = 12;
    EXPECT_EQ(checked.statistics(), expected_) << "no thread has any at hand";
    give_back(checked, blocks);
    expected_.in_use = 0;
    expected_.in_depot = 16;
    expected_.frees = 12;
    EXPECT_EQ(checked.statistics(), expected_) << "no thread has any at hand";
}

// What the high-water mark is for.
TEST(the_high_water_mark_of_a_pool, is_a_capacity_that_suffices) {
    const auto work = [](pool& used) {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            give_back(used, contracts::use_at_random(used, seed, 500, 30 * seed));
            std::thread([&] {
                give_back(used, contracts::use_at_random(used, seed + 9, 500, 50));
            }).join();
        }
    };
    pool_options asked = counted();
    asked.maximum_capacity = pool_options::unlimited;
    pool ample(asked);
    work(ample);
    const std::size_t most = ample.statistics().high_water;
    EXPECT_LE(most, ample.statistics().capacity);
    EXPECT_GE(most, 150U);

    asked.maximum_capacity = most;
    pool exact(asked);
    work(exact);
    EXPECT_EQ(exact.statistics().exhaustions, 0U);
    EXPECT_LE(exact.statistics().capacity, most);
    expect_conserved(exact, 0);
}

}  // namespace
}  // namespace freehold::pool_statistics_test
