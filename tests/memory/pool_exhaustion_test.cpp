// SPDX-License-Identifier: BSL-1.0
// What each policy does when no block is left. What `wait` does with other threads is in stress/.
#include <freehold/memory/detail/wait_queue.hpp>
#include <freehold/memory/pool.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <chrono>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_exhaustion_test {
namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

constexpr std::size_t most = 20;

pool_options limited(exhaustion policy) {
    pool_options asked;
    asked.block_size = 100;
    asked.maximum_capacity = most;
    asked.growth = 6;
    asked.magazine_size = 4;
    asked.on_exhaustion = policy;
    asked.name = "limited";
    return asked;
}

TEST(an_exhausted_pool, throws_and_names_itself) {
    pool tested(limited(exhaustion::throw_bad_alloc));
    const std::vector<void*> all = take(tested, most);
    EXPECT_EQ(tested.statistics().capacity, most);
    for (std::uint64_t times = 1; times <= 3; ++times) {
        try {
            static_cast<void>(tested.allocate());
            FAIL() << "a block too many";
        } catch (const pool_exhausted& error) {
            EXPECT_STREQ(error.what(), "freehold: pool 'limited' is exhausted");
        }
        EXPECT_EQ(tested.statistics().exhaustions, times);
        expect_conserved(tested, most);
    }
    tested.deallocate(all.front());
    EXPECT_EQ(tested.allocate(), all.front());
    give_back(tested, all);
    expect_conserved(tested, 0);
}

TEST(an_exhausted_pool, throws_what_is_caught_as_bad_alloc) {
    pool tested(limited(exhaustion::throw_bad_alloc));
    const std::vector<void*> all = take(tested, most);
    EXPECT_THROW(static_cast<void>(tested.allocate()), std::bad_alloc);
    give_back(tested, all);
}

TEST(an_exhausted_pool, gives_all_or_nothing_in_bulk_when_it_throws) {
    pool tested(limited(exhaustion::throw_bad_alloc));
    for (std::size_t taken : {std::size_t{0}, std::size_t{1}, most / 2, most}) {
        std::vector<void*> some(taken), too_many(most - taken + 1);
        ASSERT_EQ(tested.allocate_bulk(some), taken);
        EXPECT_THROW(static_cast<void>(tested.allocate_bulk(too_many)), pool_exhausted);
        expect_conserved(tested, taken);
        too_many.pop_back();
        EXPECT_EQ(tested.allocate_bulk(too_many), most - taken);
        tested.deallocate_bulk(too_many);
        tested.deallocate_bulk(some);
        expect_conserved(tested, 0);
    }
}

TEST(an_exhausted_pool, returns_null) {
    pool tested(limited(exhaustion::return_null));
    const std::vector<void*> all = take(tested, most);
    EXPECT_EQ(tested.allocate(), nullptr);
    EXPECT_EQ(tested.allocate(), nullptr);
    EXPECT_EQ(tested.statistics().exhaustions, 2U);
    tested.deallocate(all.back());
    EXPECT_EQ(tested.allocate(), all.back());
    give_back(tested, all);
    expect_conserved(tested, 0);
}

TEST(an_exhausted_pool, gives_fewer_in_bulk_when_it_returns_null) {
    pool tested(limited(exhaustion::return_null));
    std::vector<void*> blocks(2 * most, nullptr);
    EXPECT_EQ(tested.allocate_bulk(blocks), most);
    std::vector<void*> more(3, nullptr);
    EXPECT_EQ(tested.allocate_bulk(more), 0U);
    blocks.resize(most);
    tested.deallocate_bulk(blocks);
    expect_conserved(tested, 0);
}

TEST(an_exhausted_pool, grows_beyond_its_maximum_by_its_steps) {
    pool tested(limited(exhaustion::grow));
    std::vector<void*> blocks = take(tested, most);
    EXPECT_EQ(tested.statistics().capacity, most);
    EXPECT_EQ(tested.statistics().exhaustions, 0U);
    for (std::uint64_t times = 1; times <= 5; ++times) {
        const std::vector<void*> more = take(tested, 6);
        blocks.insert(blocks.end(), more.begin(), more.end());
        EXPECT_EQ(tested.statistics().capacity, most + times * 6);
        EXPECT_EQ(tested.statistics().exhaustions, times);
    }
    give_back(tested, blocks);
    expect_conserved(tested, 0);
    // What it has grown by is a part of it from now on.
    give_back(tested, take(tested, most + 30));
    EXPECT_EQ(tested.statistics().capacity, most + 30);
}

TEST(an_exhausted_pool, takes_blocks_from_the_upstream_and_returns_them) {
    contracts::observed_resource upstream;
    pool_options asked = limited(exhaustion::use_upstream);
    asked.upstream = &upstream;
    asked.initial_capacity = most;
    pool tested(asked);
    const std::size_t own_pieces = upstream.pieces_lent();
    for (int round = 0; round < 3; ++round) {
        std::vector<void*> blocks = take(tested, most + 15);
        EXPECT_EQ(tested.statistics().upstream_blocks, 15U);
        EXPECT_EQ(tested.statistics().capacity, most + 15);
        EXPECT_EQ(upstream.pieces_lent(), own_pieces + 15);
        for (void* block : blocks) {
            EXPECT_TRUE(tested.owns(block));
            contracts::mark(block, tested.block_size());
        }
        for (void* block : blocks) {
            EXPECT_TRUE(contracts::is_marked(block, tested.block_size()));
            tested.deallocate(block);
        }
        expect_conserved(tested, 0);
        // Only what this thread has cached may still be the upstream's.
        EXPECT_LE(tested.statistics().upstream_blocks, 2 * tested.magazine_size());
        tested.release_thread_cache();
        EXPECT_EQ(tested.statistics().upstream_blocks, 0U);
        EXPECT_EQ(tested.statistics().capacity, most);
        EXPECT_EQ(upstream.pieces_lent(), own_pieces);
    }
    EXPECT_EQ(tested.statistics().exhaustions, 45U);
}

TEST(an_exhausted_pool, takes_in_bulk_from_the_upstream_too) {
    pool tested(limited(exhaustion::use_upstream));
    std::vector<void*> blocks(3 * most);
    EXPECT_EQ(tested.allocate_bulk(blocks), blocks.size());
    expect_conserved(tested, blocks.size());
    tested.deallocate_bulk(blocks);
    tested.release_thread_cache();
    EXPECT_EQ(tested.statistics().capacity, most);
    expect_conserved(tested, 0);
}

TEST(an_exhausted_pool, tries_again_after_a_call_back_that_frees) {
    std::vector<void*> all;
    pool_options asked = limited(exhaustion::call_back);
    int calls = 0;
    asked.when_exhausted = [&](pool& exhausted) {
        ++calls;
        EXPECT_EQ(exhausted.statistics().in_use, most);
        exhausted.deallocate(all.back());
        all.pop_back();
        return true;
    };
    pool tested(asked);
    all = take(tested, most);
    void* const awaited = all.back();
    void* const block = tested.allocate();
    EXPECT_EQ(block, awaited);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(tested.statistics().exhaustions, 1U);
    tested.deallocate(block);
    give_back(tested, all);
    expect_conserved(tested, 0);
}

TEST(an_exhausted_pool, throws_when_the_call_back_gives_up) {
    int calls = 0;
    pool_options asked = limited(exhaustion::call_back);
    asked.when_exhausted = [&](pool&) { return ++calls % 3 != 0; };
    pool tested(asked);
    const std::vector<void*> all = take(tested, most);
    EXPECT_THROW(static_cast<void>(tested.allocate()), pool_exhausted);
    EXPECT_EQ(calls, 3);
    std::vector<void*> more(5);
    EXPECT_THROW(static_cast<void>(tested.allocate_bulk(more)), pool_exhausted);
    EXPECT_EQ(calls, 6);
    expect_conserved(tested, most);
    give_back(tested, all);
}

TEST(an_exhausted_pool, lets_through_what_the_call_back_throws) {
    pool_options asked = limited(exhaustion::call_back);
    asked.when_exhausted = [](pool& exhausted) -> bool {
        throw std::runtime_error("no block in " + exhausted.name());
    };
    pool tested(asked);
    std::vector<void*> too_many(most + 1);
    EXPECT_THROW(static_cast<void>(tested.allocate_bulk(too_many)), std::runtime_error);
    expect_conserved(tested, 0);
    const std::vector<void*> all = take(tested, most);
    EXPECT_THROW(static_cast<void>(tested.allocate()), std::runtime_error);
    expect_conserved(tested, most);
    give_back(tested, all);
}

// A call back that may use the pool may find it exhausted itself.
TEST(an_exhausted_pool, may_be_exhausted_within_a_call_back) {
    int depth = 0;
    pool_options asked = limited(exhaustion::call_back);
    asked.when_exhausted = [&](pool& exhausted) {
        if (++depth == 3) return false;
        EXPECT_THROW(static_cast<void>(exhausted.allocate()), pool_exhausted);
        return false;
    };
    pool tested(asked);
    const std::vector<void*> all = take(tested, most);
    EXPECT_THROW(static_cast<void>(tested.allocate()), pool_exhausted);
    EXPECT_EQ(depth, 3);
    EXPECT_EQ(tested.statistics().exhaustions, 3U);
    give_back(tested, all);
}

TEST(an_exhausted_pool, waits_no_longer_than_its_limit) {
    for (const std::chrono::nanoseconds limit :
         {std::chrono::nanoseconds(0), std::chrono::nanoseconds(1),
          std::chrono::nanoseconds(5'000'000)}) {
        pool_options asked = limited(exhaustion::wait);
        asked.wait_limit = limit;
        pool tested(asked);
        const std::vector<void*> all = take(tested, most);
        EXPECT_THROW(static_cast<void>(tested.allocate()), pool_exhausted);
        EXPECT_EQ(tested.statistics().exhaustions, 1U);
        expect_conserved(tested, most);
        std::vector<void*> more(2);
        EXPECT_THROW(static_cast<void>(tested.allocate_bulk(more)), pool_exhausted);
        expect_conserved(tested, most);
        // And is none the worse for it.
        give_back(tested, all);
        give_back(tested, take(tested, most));
        expect_conserved(tested, 0);
    }
}

TEST(an_exhausted_pool, waits_for_no_more_than_it_may_ever_have) {
    pool tested(limited(exhaustion::wait));
    std::vector<void*> too_many(most + 1);
    EXPECT_THROW(static_cast<void>(tested.allocate_bulk(too_many)), pool_exhausted);
    EXPECT_EQ(tested.statistics().exhaustions, 1U);
    expect_conserved(tested, 0);
    too_many.pop_back();
    EXPECT_EQ(tested.allocate_bulk(too_many), most);
    tested.deallocate_bulk(too_many);
}

// Others may take all that is freed, time and again.
TEST(an_exhausted_pool, waits_no_longer_than_its_limit_however_often_it_is_woken) {
    detail::wait_queue queue;
    int looks = 0;
    const auto look_in_vain = [&]() -> void* {
        queue.wake_all();
        return ++looks < 100'000'000 ? nullptr : &looks;
    };
    const auto soon = std::chrono::steady_clock::now() + std::chrono::microseconds(10);
    EXPECT_EQ(queue.wait_until(soon, look_in_vain), nullptr);
    EXPECT_GT(looks, 0);
}

// An upstream that has no more memory is exhaustion too, before the maximum is reached.
TEST(an_exhausted_pool, decides_the_same_way_when_the_upstream_has_no_more) {
    contracts::observed_resource upstream;
    for (const exhaustion policy :
         {exhaustion::throw_bad_alloc, exhaustion::return_null, exhaustion::wait, exhaustion::grow,
          exhaustion::use_upstream, exhaustion::call_back}) {
        pool_options asked = limited(policy);
        asked.upstream = &upstream;
        asked.initial_capacity = 5;
        asked.wait_limit = std::chrono::nanoseconds(1000);
        if (policy == exhaustion::call_back) {
            asked.when_exhausted = [&](pool&) {
                upstream.fail_from(0);
                return true;
            };
        }
        pool tested(asked);
        std::vector<void*> blocks = take(tested, 5);
        upstream.fail_from(1);
        if (policy == exhaustion::return_null) {
            EXPECT_EQ(tested.allocate(), nullptr);
        } else if (policy == exhaustion::call_back) {
            blocks.push_back(tested.allocate());
        } else {
            EXPECT_THROW(static_cast<void>(tested.allocate()), pool_exhausted);
        }
        EXPECT_EQ(tested.statistics().exhaustions, 1U);
        expect_conserved(tested, blocks.size());
        upstream.fail_from(0);
        blocks.push_back(tested.allocate());
        give_back(tested, blocks);
        expect_conserved(tested, 0);
    }
}

}  // namespace
}  // namespace freehold::pool_exhaustion_test
