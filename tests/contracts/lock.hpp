// SPDX-License-Identifier: BSL-1.0
// What the library's own locks promise. lock_contract is for all of them, sleeping_lock_contract
// for those whose waiting threads sleep after a while.
#pragma once

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

namespace freehold::contracts {

template <class Lock>
class lock_contract : public testing::Test {};

TYPED_TEST_SUITE_P(lock_contract);

TYPED_TEST_P(lock_contract, is_held_by_one_thread_at_a_time) {
    TypeParam lock;
    std::uint64_t sections = 0;  // not atomic: the lock guards it
    constexpr std::uint64_t each = 100'000;
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            ++ready;
            while (ready != 4) std::this_thread::yield();
            for (std::uint64_t n = 0; n < each; ++n) {
                const std::lock_guard guard(lock);
                ++sections;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sections, 4 * each);
}

TYPED_TEST_P(lock_contract, is_had_by_every_thread_that_waits_for_long) {
    TypeParam lock;
    bool section_has_ended = false;  // not atomic, as above
    std::atomic<int> waiting{0}, done{0};
    std::vector<std::thread> threads;
    {
        const std::lock_guard guard(lock);
        for (int i = 0; i < 3; ++i) {
            threads.emplace_back([&] {
                ++waiting;
                const std::lock_guard mine(lock);
                EXPECT_TRUE(section_has_ended);
                ++done;
            });
        }
        while (waiting != 3) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_EQ(done, 0);
        section_has_ended = true;
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(done, 3);
}

REGISTER_TYPED_TEST_SUITE_P(lock_contract, is_held_by_one_thread_at_a_time,
                            is_had_by_every_thread_that_waits_for_long);

template <class Lock>
class sleeping_lock_contract : public testing::Test {};

TYPED_TEST_SUITE_P(sleeping_lock_contract);

TYPED_TEST_P(sleeping_lock_contract, is_refused_to_try_lock_while_it_is_held) {
    TypeParam lock;
    ASSERT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
}

// A waiting thread takes no processor from the thread that it waits for.
TYPED_TEST_P(sleeping_lock_contract, is_not_spun_on_for_long) {
#ifdef RUSAGE_THREAD
    TypeParam lock;
    const auto sleeps = [] {
        rusage now{};
        EXPECT_EQ(::getrusage(RUSAGE_THREAD, &now), 0);
        return now.ru_nvcsw;
    };
    std::atomic<bool> waits{false};
    std::thread waiting;
    {
        const std::lock_guard guard(lock);
        waiting = std::thread([&] {
            const long before = sleeps();
            waits = true;
            const std::lock_guard mine(lock);
            EXPECT_GT(sleeps(), before);
        });
        while (!waits) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    waiting.join();
#endif
}

REGISTER_TYPED_TEST_SUITE_P(sleeping_lock_contract, is_refused_to_try_lock_while_it_is_held,
                            is_not_spun_on_for_long);

}  // namespace freehold::contracts
