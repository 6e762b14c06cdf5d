// SPDX-License-Identifier: BSL-1.0
#include <freehold/detail/backoff_lock.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::detail {
namespace {

TEST(backoff_lock, separates_the_sections_of_several_threads) {
    backoff_lock lock;
    long sections = 0;  // not atomic: the lock has to order the accesses
    std::vector<std::thread> threads;
    for (int i = 0; i != 4; ++i) {
        threads.emplace_back([&] {
            for (int section = 0; section != 20'000; ++section) {
                const std::lock_guard guard(lock);
                ++sections;
            }
        });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(sections, 80'000);
}

TEST(backoff_lock, is_had_after_a_section_that_makes_others_sleep) {
    backoff_lock lock;
    bool section_has_ended = false;
    std::atomic<bool> has_begun{false};
    lock.lock();
    EXPECT_FALSE(lock.try_lock());
    std::thread waiting([&] {
        has_begun.store(true);
        const std::lock_guard guard(lock);
        EXPECT_TRUE(section_has_ended);
    });
    while (!has_begun.load()) std::this_thread::yield();
    // Longer than a thread waits awake.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    section_has_ended = true;
    lock.unlock();
    waiting.join();
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
}

}  // namespace
}  // namespace freehold::detail
