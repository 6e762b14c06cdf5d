// SPDX-License-Identifier: BSL-1.0
// Blocks of one cache allocated, written, passed on and freed by several threads at once.
#include <freehold/memory/block_cache.hpp>

#include <cstddef>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {
namespace {

TEST(block_cache_on_many_threads, owns_each_block_once) {
    constexpr std::size_t size = 48;
    using cache = block_cache<size>;
    constexpr int threads = 4, generations = 5, steps = 5'000;
    std::mutex mutex;
    std::vector<unsigned char*> in_transit;

    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        std::vector<unsigned char*> mine;
        const auto verify_and_free = [](unsigned char* block) {
            for (std::size_t i = 1; i < size; ++i) ASSERT_EQ(block[i], block[0]);
            cache::deallocate(block);
        };
        for (int step = 0; step < steps; ++step) {
            if (random() % 2 == 0) {
                auto* const block = static_cast<unsigned char*>(cache::allocate());
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
        std::vector<std::thread> crew;
        for (unsigned t = 0; t < threads; ++t) crew.emplace_back(work, generation * threads + t);
        for (std::thread& thread : crew) thread.join();
    }
    for (unsigned char* block : in_transit) cache::deallocate(block);

    // All is free now, so all of it can be had again without a new slab.
    const std::size_t reserved = cache::reserved_blocks();
    std::vector<void*> all;
    for (std::size_t i = 0; i < reserved; ++i) all.push_back(cache::allocate());
    EXPECT_EQ(cache::reserved_blocks(), reserved);
    for (void* block : all) cache::deallocate(block);
}

}  // namespace
}  // namespace freehold
