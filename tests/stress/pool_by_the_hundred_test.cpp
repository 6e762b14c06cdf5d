// SPDX-License-Identifier: BSL-1.0
// More pools at once than any table of fixed size has room for, on several threads, made and
// destroyed in any order.
#include <freehold/memory/pool.hpp>

#include "contracts/use_pool.hpp"

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_by_the_hundred_test {
namespace {

using contracts::expect_conserved;
using contracts::give_back;
using contracts::take;

// Each of another block size, so that a block of the wrong pool has the wrong neighbours.
std::unique_ptr<pool> made(std::size_t number) {
    pool_options asked;
    asked.block_size = 16 + 8 * (number % 30);
    asked.growth = 16;
    asked.magazine_size = 4;
    asked.upstream = std::pmr::new_delete_resource();
    return std::make_unique<pool>(asked);
}

void use(pool& used, std::size_t blocks) {
    const std::vector<void*> taken = take(used, blocks);
    for (void* block : taken) {
        ASSERT_TRUE(used.owns(block));
        contracts::mark(block, used.block_size());
    }
    for (void* block : taken) ASSERT_TRUE(contracts::is_marked(block, used.block_size()));
    give_back(used, taken);
}

constexpr std::size_t hundreds = 400;

TEST(pools_by_the_hundred, are_told_apart_by_one_thread) {
    std::vector<std::unique_ptr<pool>> pools;
    for (std::size_t i = 0; i < hundreds; ++i) pools.push_back(made(i));
    std::mt19937 random(1);
    for (std::size_t round = 0; round < 6; ++round) {
        // All in use at the same time.
        std::vector<std::pair<pool*, void*>> blocks;
        for (const auto& each : pools) {
            for (int i = 0; i < 6; ++i) blocks.emplace_back(each.get(), each->allocate());
        }
        for (const auto& [home, block] : blocks) {
            ASSERT_TRUE(home->owns(block));
            contracts::mark(block, home->block_size());
        }
        std::shuffle(blocks.begin(), blocks.end(), random);
        for (const auto& [home, block] : blocks) {
            ASSERT_TRUE(contracts::is_marked(block, home->block_size()));
            home->deallocate(block);
        }
        for (const auto& each : pools) expect_conserved(*each, 0);
        // Some go, in any order, and others take their places.
        std::shuffle(pools.begin(), pools.end(), random);
        pools.resize(hundreds / 2 + round);
        while (pools.size() < hundreds) pools.push_back(made(pools.size() + round));
    }
}

TEST(pools_by_the_hundred, are_told_apart_by_several_threads) {
    constexpr std::size_t threads = 3;
    constexpr int rounds = 6;
    std::vector<std::unique_ptr<pool>> pools;
    for (std::size_t i = 0; i < hundreds; ++i) pools.push_back(made(i));
    std::mt19937 chance(2);
    const auto exchange_some = [&]() noexcept {
        for (const auto& each : pools) expect_conserved(*each, 0);
        std::shuffle(pools.begin(), pools.end(), chance);
        pools.resize(hundreds / 3);
        while (pools.size() < hundreds) pools.push_back(made(chance() % hundreds));
    };
    std::barrier turn(threads, exchange_some);
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t) {
        workers.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            for (int round = 0; round < rounds; ++round) {
                for (std::size_t i = 0; i < hundreds; ++i) {
                    use(*pools[random() % pools.size()], 1 + random() % 10);
                }
                turn.arrive_and_wait();
            }
        });
    }
    for (std::thread& thread : workers) thread.join();
    for (const auto& each : pools) expect_conserved(*each, 0);
}

// Each thread has its own, and all of them use one together.
TEST(pools_by_the_hundred, are_made_and_destroyed_by_several_threads_at_once) {
    constexpr std::size_t threads = 4;
    const std::unique_ptr<pool> common = made(5);
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t) {
        workers.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            std::vector<std::unique_ptr<pool>> own;
            for (std::size_t step = 0; step < 400; ++step) {
                if (own.size() < 20 || (own.size() < 60 && random() % 2 == 0)) {
                    own.push_back(made(random() % hundreds));
                } else {
                    std::swap(own[random() % own.size()], own.back());
                    own.pop_back();
                }
                if (!own.empty()) use(*own[random() % own.size()], 9);
                use(*common, 1 + random() % 20);
            }
        });
    }
    for (std::thread& thread : workers) thread.join();
    expect_conserved(*common, 0);
}

}  // namespace
}  // namespace freehold::pool_by_the_hundred_test
