// SPDX-License-Identifier: BSL-1.0
// A buffer_cache and its threads: where buffers go that another thread lets go of, and what becomes
// of a thread's part when it exits, or outlives the cache.
#include <freehold/cache/buffer_cache.hpp>
#include <freehold/cache/policies/keep_first_below.hpp>

#include "cache/counted_upstream.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {
namespace {

using tests::counted_upstream;

void on_another_thread(const std::function<void()>& work) {
    std::thread(work).join();
}

TEST(buffer_cache_threads, give_back_to_the_thread_that_asked) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    constexpr int buffers = 50;
    for (int round = 0; round < 20; ++round) {
        std::vector<buffer> lent;
        for (int i = 0; i < buffers; ++i) lent.push_back(cache.get(2000));
        on_another_thread([&] { lent.clear(); });
    }
    EXPECT_EQ(upstream.allocations(), buffers);
    EXPECT_EQ(cache.statistics().remote_returns, 20U * buffers);
    EXPECT_EQ(cache.statistics().idle, static_cast<std::uint64_t>(upstream.given_out()));
}

TEST(buffer_cache_threads, give_back_no_more_than_may_be_idle) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 20'000, .upstream = &upstream});
    std::vector<buffer> lent;
    for (int i = 0; i < 100; ++i) lent.push_back(cache.get(1000));
    on_another_thread([&] { lent.resize(85); });
    EXPECT_EQ(cache.statistics().drops, 0U);
    // What came back is taken over here, and counts as before.
    const buffer one = cache.get(1000);
    EXPECT_EQ(cache.statistics().hits, 1U);
    on_another_thread([&] { lent.clear(); });
    const std::int64_t idle = upstream.given_out() - static_cast<std::int64_t>(one.capacity());
    EXPECT_LE(idle, 20'000);
    EXPECT_GE(idle, 18'000);
    EXPECT_EQ(cache.statistics().idle, static_cast<std::uint64_t>(idle));
}

TEST(buffer_cache_threads, go_on_giving_back_when_the_owner_had_reserved_everything) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 10'000, .upstream = &upstream});
    std::vector<buffer> lent;
    // The owner's own returns take the whole budget.
    for (int i = 0; i < 9; ++i) lent.push_back(cache.get(1024));
    lent.clear();
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 9; ++i) lent.push_back(cache.get(1024));
        on_another_thread([&] { lent.clear(); });
    }
    const buffer_cache_statistics told = cache.statistics();
    EXPECT_GT(told.hit_rate(), 0.5) << told;
    EXPECT_LE(upstream.given_out(), 10'000);
}

TEST(buffer_cache_threads, give_back_others_after_those_they_gave_back_are_gone) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    constexpr int buffers = 10;
    for (int round = 1; round <= 5; ++round) {
        std::vector<buffer> lent;
        for (int i = 0; i < buffers; ++i) lent.push_back(cache.get(2000));
        EXPECT_EQ(upstream.allocations(), round * buffers);
        on_another_thread([&] { lent.clear(); });
        cache.trim();
        EXPECT_EQ(upstream.given_out(), 0);
    }
}

TEST(buffer_cache_threads, leave_what_they_had_to_the_others) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    on_another_thread([&] { cache.put(cache.get(1000)); });
    EXPECT_GE(upstream.given_out(), 1000);
    EXPECT_TRUE(cache.get(1000));
    EXPECT_EQ(upstream.allocations(), 1);
}

TEST(buffer_cache_threads, may_exit_with_buffers_out) {
    counted_upstream upstream;
    {
        buffer_cache<> cache({.upstream = &upstream});
        cache.put(cache.get(8));  // or this thread would inherit the first one's part
        for (int round = 0; round < 10; ++round) {
            std::vector<buffer> lent;
            on_another_thread([&] {
                for (int i = 0; i < 20; ++i) lent.push_back(cache.get(1000));
                lent.resize(15);
            });
            lent.resize(5);
            on_another_thread([&] { lent.clear(); });
        }
        EXPECT_EQ(upstream.allocations(), 21);
        EXPECT_EQ(cache.statistics().in_use, 0U);
    }
    EXPECT_EQ(upstream.given_out(), 0);
}

TEST(buffer_cache_threads, are_asked_to_let_go_of_what_they_have) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    std::binary_semaphore filled(0), trimmed(0);
    std::thread other([&] {
        std::vector<buffer> lent;
        for (int i = 0; i < 20; ++i) lent.push_back(cache.get(1000));
        lent.resize(1);
        filled.release();
        trimmed.acquire();
        lent.clear();  // the next that it does
        EXPECT_LE(upstream.given_out(), 1024);
    });
    filled.acquire();
    cache.trim();
    EXPECT_GT(upstream.given_out(), 19'000) << "it is not for this thread to take";
    trimmed.release();
    other.join();
}

TEST(buffer_cache_threads, get_room_from_others_that_do_not_use_theirs) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 64'000, .upstream = &upstream});
    // This thread reserves all there is, and then has nothing idle.
    std::vector<buffer> mine;
    for (int i = 0; i < 62; ++i) mine.push_back(cache.get(1024));
    mine.clear();
    for (int i = 0; i < 62; ++i) mine.push_back(cache.get(1024));
    const auto cycle = [&] {
        std::vector<buffer> lent;
        for (int i = 0; i < 20; ++i) lent.push_back(cache.get(2000));
    };
    std::binary_semaphore asked(0), let_go(0);
    std::thread other([&] {
        for (int i = 0; i < 20; ++i) cycle();
        asked.release();
        let_go.acquire();
        cycle();
        const std::uint64_t misses = cache.statistics().misses;
        cycle();
        EXPECT_EQ(cache.statistics().misses, misses);
    });
    asked.acquire();
    mine.pop_back();  // comes by
    let_go.release();
    other.join();
}

TEST(buffer_cache_threads, may_outlive_the_cache) {
    counted_upstream upstream;
    auto cache = std::make_unique<buffer_cache<>>(buffer_cache_options{.upstream = &upstream});
    std::binary_semaphore used(0), destroyed(0);
    std::thread other([&] {
        cache->put(cache->get(1000));
        used.release();
        destroyed.acquire();
        // One that has the same number.
        buffer_cache<> next({.upstream = &upstream});
        next.put(next.get(500));
        EXPECT_EQ(next.statistics().misses, 1U);
    });
    used.acquire();
    cache.reset();
    EXPECT_EQ(upstream.given_out(), 0);
    destroyed.release();
    other.join();
    EXPECT_EQ(upstream.given_out(), 0);
}

// Uses a cache when its thread has closed its part already, if it was made before that was.
struct late_user {
    buffer_cache<>* cache = nullptr;
    buffer held;

    ~late_user() {
        if (cache == nullptr) return;
        held.reset();
        cache->put(cache->get(1000));
        const buffer aligned = cache->get(1000, 64);
    }
};

TEST(buffer_cache_threads, may_use_it_while_they_exit) {
    counted_upstream upstream;
    {
        buffer_cache<> cache({.upstream = &upstream});
        on_another_thread([&] {
            static thread_local late_user late;
            late.cache = &cache;
            late.held = cache.get(5000);
        });
        const buffer_cache_statistics told = cache.statistics();
        EXPECT_EQ(told.requests, 3U);
        EXPECT_EQ(told.returns, 3U);
        EXPECT_EQ(told.in_use, 0U);
        EXPECT_TRUE(cache.get(5000));
        EXPECT_EQ(cache.statistics().misses, told.misses) << "what came late is there";
    }
    EXPECT_EQ(upstream.given_out(), 0);
}

TEST(buffer_cache_threads, may_use_any_number_of_caches) {
    counted_upstream upstream;
    {
        std::vector<std::unique_ptr<buffer_cache<keep_first_below>>> locked;
        std::vector<std::unique_ptr<buffer_cache<>>> caches;
        const buffer_cache_options options{.upstream = &upstream};
        for (int i = 0; i < 90; ++i) {
            locked.push_back(std::make_unique<buffer_cache<keep_first_below>>(options));
            caches.push_back(std::make_unique<buffer_cache<>>(options));
        }
        const auto use = [&] {
            for (auto& each : caches) each->put(each->get(100));
            for (auto& each : locked) each->put(each->get(100));
        };
        use();
        use();
        EXPECT_EQ(upstream.allocations(), 180);
        on_another_thread(use);
        caches.erase(caches.begin(), caches.begin() + 45);
        on_another_thread(use);
        use();
        EXPECT_EQ(caches.back()->statistics().requests, 5U);
    }
    EXPECT_EQ(upstream.given_out(), 0);
}

TEST(buffer_cache_threads, tell_figures_that_belong_together_while_they_work) {
    constexpr std::size_t size = 1000;
    buffer_cache<> cache;
    std::atomic<bool> done{false};
    std::thread working([&] {
        while (!done) cache.put(cache.get(size));
    });
    std::uint64_t requests = 0;
    for (int i = 0; i < 1000 || requests < 100'000; ++i) {
        const buffer_cache_statistics told = cache.statistics();
        EXPECT_EQ(told.bytes_asked, told.requests * size);
        EXPECT_GE(told.requests, requests);
        EXPECT_LE(told.returns, told.requests + 1);
        requests = told.requests;
    }
    done = true;
    working.join();
    EXPECT_EQ(cache.statistics().returns, cache.statistics().requests);
}

TEST(buffer_cache_threads, come_and_go_by_the_hundred_while_others_ask_for_figures) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 100'000, .upstream = &upstream});
    std::atomic<bool> done{false};
    std::thread asking([&] {
        while (!done) {
            const buffer_cache_statistics told = cache.statistics();
            EXPECT_LE(told.hits, told.requests);
            cache.trim(50'000);
        }
    });
    for (int i = 0; i < 100; ++i) {
        std::vector<buffer> lent;
        std::thread getting([&] {
            for (int k = 0; k < 50; ++k)
                lent.push_back(cache.get(100 + 10 * static_cast<unsigned>(k)));
        });
        getting.join();
        std::thread putting([moved = std::move(lent)]() mutable { moved.clear(); });
        std::thread using_it([&] {
            for (int k = 0; k < 50; ++k) cache.put(cache.get(300));
        });
        putting.join();
        using_it.join();
    }
    done = true;
    asking.join();
    EXPECT_EQ(cache.statistics().returns, 10'000U);
    EXPECT_EQ(cache.statistics().in_use, 0U);
}

}  // namespace
}  // namespace freehold
