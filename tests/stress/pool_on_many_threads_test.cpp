// SPDX-License-Identifier: BSL-1.0
// Blocks of one pool allocated, written, passed on and freed by several threads at once.
#include <freehold/memory/pool_allocator.hpp>

#include "contracts/memory_resource_subjects.hpp"
#include "contracts/pool_subjects.hpp"
#include "contracts/shared_memory_resource.hpp"
#include "contracts/shared_pool.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts::pool_on_many_threads_test {

// The rest of both contracts needs one thread only, and is in tests/memory.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(pool_contract);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(memory_resource_contract);

INSTANTIATE_TYPED_TEST_SUITE_P(on_many_threads, shared_pool_contract, pools_of_all_kinds);
INSTANTIATE_TYPED_TEST_SUITE_P(on_many_threads, shared_memory_resource_contract,
                               shared_memory_resources);

namespace {

// A place for one burst between two threads, as a queue of length one.
class hand_over {
public:
    void give(std::vector<void*>& burst) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return burst_.empty(); });
        burst_.swap(burst);
        changed_.notify_one();
    }
    // Empty when no more will come.
    void take(std::vector<void*>& burst) {
        burst.clear();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !burst_.empty() || closed_; });
        burst.swap(burst_);
        changed_.notify_one();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_one();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<void*> burst_;
    bool closed_ = false;
};

constexpr std::size_t burst_size = 32;
constexpr int bursts = 1'000;

// One thread allocates, another frees. What two threads may cache and what is on its way is enough
// for ever: blocks do not gather where they are freed.
TEST(a_pool_on_many_threads, circulates_blocks_from_a_producer_to_a_consumer) {
    pool_options asked;
    asked.block_size = 256;
    asked.magazine_size = 16;
    asked.maximum_capacity = 2 * 2 * 16 + 3 * burst_size;
    pool tested(asked);
    hand_over queue;
    std::thread consumer([&] {
        for (std::vector<void*> burst;;) {
            queue.take(burst);
            if (burst.empty()) return;
            for (void* block : burst) ASSERT_TRUE(has_marked_ends(block, 256));
            tested.deallocate_bulk(burst);
        }
    });
    for (int i = 0; i < bursts; ++i) {
        std::vector<void*> burst(burst_size);
        ASSERT_EQ(tested.allocate_bulk(burst), burst_size);
        for (void* block : burst) mark_ends(block, 256);
        queue.give(burst);
    }
    queue.close();
    consumer.join();
    EXPECT_EQ(tested.statistics().exhaustions, 0U);
    EXPECT_EQ(tested.statistics().remote_frees, bursts * burst_size);
    expect_conserved(tested, 0);
}

// Several of each, one by one.
TEST(a_pool_on_many_threads, circulates_blocks_among_several_producers_and_consumers) {
    constexpr std::size_t pairs = 3;
    pool_options asked;
    asked.block_size = 64;
    asked.magazine_size = 8;
    asked.maximum_capacity = pairs * (2 * 2 * 8 + 3 * burst_size);
    pool tested(asked);
    std::array<hand_over, pairs> queues;
    std::vector<std::thread> workers;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        workers.emplace_back([&, &queue = queues[pair]] {
            for (int i = 0; i < bursts; ++i) {
                std::vector<void*> burst;
                for (std::size_t n = 0; n < burst_size; ++n) {
                    burst.push_back(tested.allocate());
                    mark(burst.back(), 64);
                }
                queue.give(burst);
            }
            queue.close();
        });
        workers.emplace_back([&, &queue = queues[pair]] {
            for (std::vector<void*> burst;;) {
                queue.take(burst);
                if (burst.empty()) return;
                for (void* block : burst) {
                    ASSERT_TRUE(is_marked(block, 64));
                    tested.deallocate(block);
                }
            }
        });
    }
    for (std::thread& thread : workers) thread.join();
    EXPECT_EQ(tested.statistics().exhaustions, 0U);
    EXPECT_EQ(tested.statistics().allocations, pairs * bursts * burst_size);
    expect_conserved(tested, 0);
}

// Lets another thread try while the first has asked for memory, and not yet got it.
class slow_resource : public std::pmr::memory_resource {
public:
    std::atomic<bool> was_asked{false};

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        was_asked = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

TEST(a_pool_on_many_threads, is_not_exhausted_while_another_thread_has_it_grow_for_the_last_time) {
    for (int round = 0; round < 5; ++round) {
        slow_resource upstream;
        pool_options asked;
        asked.block_size = 64;
        asked.magazine_size = 2;
        asked.maximum_capacity = 100;
        asked.upstream = &upstream;
        pool tested(asked);
        std::thread first([&] { tested.deallocate(tested.allocate()); });
        while (!upstream.was_asked) std::this_thread::yield();
        EXPECT_NO_THROW(tested.deallocate(tested.allocate()));
        first.join();
        EXPECT_EQ(tested.statistics().exhaustions, 0U);
        EXPECT_EQ(tested.statistics().capacity, 100U);
        expect_conserved(tested, 0);
    }
}

// Shared objects, copied and dropped wherever; statistics are read meanwhile.
TEST(a_pool_on_many_threads, holds_objects_that_are_shared_among_them) {
    constexpr int rounds = 2'000;
    pool_options asked;
    asked.block_size = 64;
    asked.magazine_size = 16;
    pool tested(asked);
    const pool_allocator<std::array<int, 4>> allocator(tested);
    std::mutex mutex;
    std::vector<std::shared_ptr<std::array<int, 4>>> shelf(50);
    std::vector<std::thread> workers;
    for (int t = 0; t < 4; ++t) {
        workers.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            for (int i = 0; i < rounds; ++i) {
                auto made = std::allocate_shared<std::array<int, 4>>(allocator);
                made->fill(i);
                std::shared_ptr<std::array<int, 4>> copy;
                {
                    const std::lock_guard lock(mutex);
                    auto& place = shelf[random() % shelf.size()];
                    copy = place;
                    place.swap(made);
                }
                if (copy != nullptr) {
                    ASSERT_EQ(copy->front(), copy->back());
                }
            }
        });
    }
    for (int i = 0; i < 100; ++i) {
        const pool_statistics now = tested.statistics();
        EXPECT_LE(now.in_use, now.capacity);
    }
    for (std::thread& thread : workers) thread.join();
    expect_conserved(tested, 50);
    shelf.clear();
    expect_conserved(tested, 0);
}

}  // namespace
}  // namespace freehold::contracts::pool_on_many_threads_test
