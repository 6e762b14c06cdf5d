// SPDX-License-Identifier: BSL-1.0
// Blocks of one pool allocated, written, passed on and freed by several threads at once.
#include <freehold/memory/common_pool.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::common_pool_on_many_threads_test {
namespace {

TEST(common_pool_on_many_threads, owns_each_block_once) {
    constexpr std::size_t size = 48;
    using pool_type = common_pool<size>;
    constexpr int threads = 4, generations = 5, steps = 5'000;
    std::mutex mutex;
    std::vector<unsigned char*> in_transit;

    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<unsigned char*> mine;
        const auto verify_and_free = [](unsigned char* block) {
            for (std::size_t i = 1; i < size; ++i) ASSERT_EQ(block[i], block[0]);
            pool_type::deallocate(block);
        };
        for (int step = 0; step < steps; ++step) {
            if (random() % 2 == 0) {
                auto* const block = static_cast<unsigned char*>(pool_type::allocate());
                std::memset(block, static_cast<int>(random() % 256), size);
                mine.push_back(block);
            } else if (!mine.empty()) {
                verify_and_free(mine.back());
                mine.pop_back();
            }
            if (random() % 64 == 0) {
                const std::lock_guard lock(mutex);
                mine.swap(in_transit);
            }
        }
        for (unsigned char* block : mine) verify_and_free(block);
    };

    for (unsigned generation = 0; generation < generations; ++generation) {
        std::vector<std::thread> workers;
        for (unsigned t = 0; t < threads; ++t) workers.emplace_back(work, generation * threads + t);
        for (std::thread& thread : workers) thread.join();
    }
    for (unsigned char* block : in_transit) pool_type::deallocate(block);

    // All is free now, so all of it can be had again without growth.
    const std::size_t capacity = pool_type::capacity();
    std::vector<void*> all;
    for (std::size_t i = 0; i < capacity; ++i) all.push_back(pool_type::allocate());
    EXPECT_EQ(pool_type::capacity(), capacity);
    for (void* block : all) pool_type::deallocate(block);
}

// One thread allocates, another frees, with a bounded number in transit: what was had from operator
// new for the first few rounds must do for all.
TEST(common_pool_on_many_threads, circulates_from_a_producer_to_a_consumer) {
    using pool_type = common_pool<176>;
    constexpr std::size_t in_transit = 512, rounds = 400;
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<void*> handed_over;
    bool done = false;

    std::thread consumer([&] {
        std::vector<void*> received;
        for (;;) {
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return done || !handed_over.empty(); });
                if (handed_over.empty()) return;
                received.swap(handed_over);
            }
            changed.notify_one();
            for (void* block : received) pool_type::deallocate(block);
            received.clear();
        }
    });
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<void*> made(in_transit);
        for (void*& block : made) {
            block = pool_type::allocate();
            std::memset(block, static_cast<int>(round % 256), pool_type::block_size);
        }
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return handed_over.empty(); });
        handed_over.swap(made);
        changed.notify_one();
    }
    {
        const std::lock_guard lock(mutex);
        done = true;
    }
    changed.notify_one();
    consumer.join();
    // Alive at once: what is made, in transit and received, and what two threads keep; whole steps.
    constexpr std::size_t at_once = 3 * in_transit + 4 * pool_type::magazine_size;
    EXPECT_LE(pool_type::capacity(), at_once + 2 * (std::size_t{64} << 10) / pool_type::block_size);
}

}  // namespace
}  // namespace freehold::common_pool_on_many_threads_test
