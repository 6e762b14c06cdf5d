// SPDX-License-Identifier: BSL-1.0
// Threads that wait for a block until another frees one.
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_that_waits_test {
namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

constexpr std::size_t most = 24;

pool_options waiting() {
    pool_options asked;
    asked.block_size = 128;
    asked.maximum_capacity = most;
    asked.magazine_size = 2;
    asked.on_exhaustion = exhaustion::wait;
    return asked;
}

// Exhaustion is counted before the wait begins.
void wait_for_exhaustions(const pool& waited_for, std::uint64_t times) {
    while (waited_for.statistics().exhaustions < times) std::this_thread::yield();
}

TEST(a_pool_that_waits, gives_a_waiter_what_another_thread_frees) {
    for (int round = 0; round < 20; ++round) {
        pool tested(waiting());
        std::vector<void*> all = take(tested, most);
        void* received = nullptr;
        std::thread waiter([&] {
            received = tested.allocate();
            contracts::mark(received, 128);
        });
        wait_for_exhaustions(tested, 1);
        // The first few may go to this thread's own cache, if the waiter is not quite there yet.
        give_back(tested, all);
        waiter.join();
        EXPECT_TRUE(contracts::is_marked(received, 128));
        expect_conserved(tested, 1);
        tested.deallocate(received);
    }
}

TEST(a_pool_that_waits, gives_a_waiter_what_is_freed_in_bulk) {
    pool tested(waiting());
    std::vector<void*> all = take(tested, most);
    std::vector<void*> received(most);
    std::thread waiter([&] { EXPECT_EQ(tested.allocate_bulk(received), most); });
    wait_for_exhaustions(tested, 1);
    tested.deallocate_bulk(all);
    // What this thread keeps for itself it would keep from the waiter.
    tested.release_thread_cache();
    waiter.join();
    expect_conserved(tested, most);
    tested.deallocate_bulk(received);
}

TEST(a_pool_that_waits, gives_waiters_what_a_thread_leaves_at_its_end) {
    pool tested(waiting());
    std::vector<void*> rest = take(tested, most - 2);
    std::atomic<bool> has_freed{false};
    std::thread other([&] {
        give_back(tested, take(tested, 2));
        has_freed = true;
        wait_for_exhaustions(tested, 1);
    });
    while (!has_freed) std::this_thread::yield();
    // Both blocks are cached by the other thread, which comes to its end once this one waits.
    void* const received = tested.allocate();
    other.join();
    EXPECT_EQ(tested.statistics().exhaustions, 1U);
    tested.deallocate(received);
    give_back(tested, rest);
    expect_conserved(tested, 0);
}

TEST(a_pool_that_waits, wakes_each_of_several_waiters) {
    constexpr std::size_t waiters = 4;
    pool tested(waiting());
    const std::vector<void*> all = take(tested, most);
    std::vector<std::thread> workers;
    for (std::size_t i = 0; i < waiters; ++i) {
        workers.emplace_back([&] { tested.deallocate(tested.allocate()); });
    }
    wait_for_exhaustions(tested, waiters);
    give_back(tested, all);
    tested.release_thread_cache();
    for (std::thread& thread : workers) thread.join();
    EXPECT_EQ(tested.statistics().exhaustions, waiters);
    expect_conserved(tested, 0);
}

// More threads than blocks for all, each with a few at a time.
TEST(a_pool_that_waits, lets_all_threads_go_on_that_share_too_few_blocks) {
    constexpr unsigned threads = 5;
    constexpr int rounds = 1'000;
    pool tested(waiting());
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t) {
        workers.emplace_back([&, t] {
            std::mt19937 random(t);
            for (int i = 0; i < rounds; ++i) {
                // Never in want of more while it has some, which could go on for ever.
                std::vector<void*> blocks(1 + random() % 8);
                for (void*& block : blocks) block = nullptr;
                blocks.front() = tested.allocate();
                std::size_t had = 1;
                contracts::mark(blocks.front(), 128);
                while (had < blocks.size() && had < most / threads) {
                    blocks[had] = tested.allocate();
                    contracts::mark(blocks[had++], 128);
                }
                for (std::size_t n = 0; n < had; ++n) {
                    ASSERT_TRUE(contracts::is_marked(blocks[n], 128));
                    tested.deallocate(blocks[n]);
                }
                if (random() % 4 == 0) tested.release_thread_cache();
            }
        });
    }
    for (std::thread& thread : workers) thread.join();
    EXPECT_EQ(tested.statistics().capacity, most);
    expect_conserved(tested, 0);
}

TEST(a_pool_that_waits, gives_up_after_its_limit_while_others_are_at_work) {
    pool_options asked = waiting();
    asked.wait_limit = std::chrono::milliseconds(1);
    pool tested(asked);
    const std::vector<void*> all = take(tested, most);
    std::vector<std::thread> workers;
    std::atomic<int> gave_up{0};
    for (int t = 0; t < 3; ++t) {
        workers.emplace_back([&] {
            for (int i = 0; i < 5; ++i) {
                try {
                    tested.deallocate(tested.allocate());
                } catch (const pool_exhausted&) {
                    ++gave_up;
                }
            }
        });
    }
    for (std::thread& thread : workers) thread.join();
    EXPECT_EQ(gave_up, 15);
    EXPECT_EQ(tested.statistics().exhaustions, 15U);
    give_back(tested, all);
    expect_conserved(tested, 0);
}

// Each block comes before the limit, but not all of them.
TEST(a_pool_that_waits, gives_up_after_its_limit_in_bulk_whatever_comes_meanwhile) {
    pool_options asked = waiting();
    asked.wait_limit = std::chrono::milliseconds(40);
    pool tested(asked);
    std::vector<void*> all = take(tested, most);
    std::atomic<bool> has_ended{false};
    std::thread waiter([&] {
        std::vector<void*> received(most);
        EXPECT_THROW(static_cast<void>(tested.allocate_bulk(received)), pool_exhausted);
        has_ended = true;
    });
    wait_for_exhaustions(tested, 1);
    while (!all.empty() && !has_ended) {
        std::this_thread::sleep_for(asked.wait_limit / 4);
        tested.deallocate(all.back());
        tested.release_thread_cache();
        all.pop_back();
    }
    waiter.join();
    give_back(tested, all);
    expect_conserved(tested, 0);
}

}  // namespace
}  // namespace freehold::pool_that_waits_test
