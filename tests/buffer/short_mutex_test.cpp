// SPDX-License-Identifier: BSL-1.0
// The mutex of a central cache.
#include "buffer/short_mutex.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

namespace freehold::short_mutex_test {
namespace {

using detail::short_mutex;

TEST(short_mutex, is_held_by_one_thread_at_a_time) {
    short_mutex mutex;
    std::uint64_t sections = 0;  // not atomic: the mutex guards it
    constexpr std::uint64_t each = 100'000;
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            ++ready;
            while (ready != 4) std::this_thread::yield();
            for (std::uint64_t n = 0; n < each; ++n) {
                const std::lock_guard lock(mutex);
                ++sections;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sections, 4 * each);
}

TEST(short_mutex, is_refused_to_try_lock_while_it_is_held) {
    short_mutex mutex;
    ASSERT_TRUE(mutex.try_lock());
    EXPECT_FALSE(mutex.try_lock());
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
}

// Each of several sleeping threads gets it in the end: none is forgotten when another one is woken.
TEST(short_mutex, wakes_every_thread_that_sleeps) {
    short_mutex mutex;
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    {
        const std::lock_guard lock(mutex);
        for (int i = 0; i < 3; ++i) {
            threads.emplace_back([&] {
                const std::lock_guard mine(mutex);
                ++done;
            });
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_EQ(done, 0);
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(done, 3);
}

#ifdef RUSAGE_THREAD
// A thread that waits for long sleeps: it takes no processor from the thread that it waits for.
TEST(short_mutex, is_not_spun_on_for_long) {
    short_mutex mutex;
    const auto sleeps = [] {
        rusage now{};
        EXPECT_EQ(::getrusage(RUSAGE_THREAD, &now), 0);
        return now.ru_nvcsw;
    };
    std::atomic<bool> waits{false};
    std::thread waiting;
    {
        const std::lock_guard lock(mutex);
        waiting = std::thread([&] {
            const long before = sleeps();
            waits = true;
            const std::lock_guard mine(mutex);
            EXPECT_GT(sleeps(), before);
        });
        while (!waits) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    waiting.join();
}
#endif

}  // namespace
}  // namespace freehold::short_mutex_test
