// SPDX-License-Identifier: BSL-1.0
// A buffer_cache and its threads: where buffers go that another thread returns, and what happens to
// a thread's cache when the thread exits or outlives the buffer_cache.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/policies/keep_first_below.hpp>

#include "buffer/counted_upstream.hpp"

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

namespace freehold::buffer_cache_threads_test {
namespace {

using tests::counted_upstream;

void on_another_thread(const std::function<void()>& work) {
    std::thread(work).join();
}

TEST(buffer_cache_threads, return_buffers_to_the_requesting_thread) {
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

TEST(buffer_cache_threads, return_no_more_than_max_idle) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 20'000, .upstream = &upstream});
    std::vector<buffer> lent;
    for (int i = 0; i < 100; ++i) lent.push_back(cache.get(1000));
    on_another_thread([&] { lent.resize(85); });
    EXPECT_EQ(cache.statistics().drops, 0U);
    // This get takes over what was returned, and counts as usual.
    const buffer one = cache.get(1000);
    EXPECT_EQ(cache.statistics().hits, 1U);
    on_another_thread([&] { lent.clear(); });
    const std::int64_t idle = upstream.given_out() - static_cast<std::int64_t>(one.capacity());
    EXPECT_LE(idle, 20'000);
    EXPECT_GE(idle, 18'000);
    EXPECT_EQ(cache.statistics().idle, static_cast<std::uint64_t>(idle));
}

TEST(buffer_cache_threads, return_buffers_although_the_owner_reserved_all_quota) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 10'000, .upstream = &upstream});
    std::vector<buffer> lent;
    // The owner's own returns use the whole quota.
    for (int i = 0; i < 9; ++i) lent.push_back(cache.get(1024));
    lent.clear();
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < 9; ++i) lent.push_back(cache.get(1024));
        on_another_thread([&] { lent.clear(); });
    }
    const buffer_cache_statistics statistics = cache.statistics();
    EXPECT_GT(statistics.hit_rate(), 0.5) << statistics;
    EXPECT_LE(upstream.given_out(), 10'000);
}

TEST(buffer_cache_threads, return_buffers_after_earlier_ones_were_freed) {
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

TEST(buffer_cache_threads, leave_their_buffers_to_others_at_exit) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    on_another_thread([&] { cache.put(cache.get(1000)); });
    EXPECT_GE(upstream.given_out(), 1000);
    EXPECT_TRUE(cache.get(1000));
    EXPECT_EQ(upstream.allocations(), 1);
}

TEST(buffer_cache_threads, may_exit_while_their_buffers_are_in_use) {
    counted_upstream upstream;
    {
        buffer_cache<> cache({.upstream = &upstream});
        cache.put(cache.get(8));  // or the thread would inherit the first one's thread cache
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

TEST(buffer_cache_threads, trim_their_caches_on_request) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    std::binary_semaphore filled(0), trimmed(0);
    std::thread other([&] {
        std::vector<buffer> lent;
        for (int i = 0; i < 20; ++i) lent.push_back(cache.get(1000));
        lent.resize(1);
        filled.release();
        trimmed.acquire();
        lent.clear();  // the next one that does
        EXPECT_LE(upstream.given_out(), 1024);
    });
    filled.acquire();
    cache.trim();
    EXPECT_GT(upstream.given_out(), 19'000) << "it is not for this thread to take";
    trimmed.release();
    other.join();
}

TEST(buffer_cache_threads, take_unused_quota_of_others) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 64'000, .upstream = &upstream});
    // This thread reserves the whole quota, and then has nothing idle.
    std::vector<buffer> mine;
    for (int i = 0; i < 62; ++i) mine.push_back(cache.get(1024));
    mine.clear();
    for (int i = 0; i < 62; ++i) mine.push_back(cache.get(1024));
    const auto cycle = [&] {
        std::vector<buffer> lent;
        for (int i = 0; i < 20; ++i) lent.push_back(cache.get(2000));
    };
    std::binary_semaphore asked(0), released(0);
    std::thread other([&] {
        for (int i = 0; i < 20; ++i) cycle();
        asked.release();
        released.acquire();
        cycle();
        const std::uint64_t misses = cache.statistics().misses;
        cycle();
        EXPECT_EQ(cache.statistics().misses, misses);
    });
    asked.acquire();
    mine.pop_back();  // reaches a slow path
    released.release();
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
        // A cache with the same slot.
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

// If it is constructed before the thread's first get, its destructor uses the cache after the
// thread's cache was deactivated.
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

TEST(buffer_cache_threads, may_use_the_cache_while_they_exit) {
    counted_upstream upstream;
    {
        buffer_cache<> cache({.upstream = &upstream});
        on_another_thread([&] {
            static thread_local late_user late;
            late.cache = &cache;
            late.held = cache.get(5000);
        });
        const buffer_cache_statistics statistics = cache.statistics();
        EXPECT_EQ(statistics.requests, 3U);
        EXPECT_EQ(statistics.returns, 3U);
        EXPECT_EQ(statistics.in_use, 0U);
        EXPECT_TRUE(cache.get(5000));
        EXPECT_EQ(cache.statistics().misses, statistics.misses)
            << "what was returned late is there";
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

TEST(buffer_cache_threads, report_consistent_statistics_while_running) {
    constexpr std::size_t size = 1000;
    buffer_cache<> cache;
    std::atomic<bool> done{false};
    std::thread working([&] {
        while (!done) cache.put(cache.get(size));
    });
    std::uint64_t requests = 0;
    for (int i = 0; i < 1000 || requests < 100'000; ++i) {
        const buffer_cache_statistics statistics = cache.statistics();
        EXPECT_EQ(statistics.bytes_asked, statistics.requests * size);
        EXPECT_GE(statistics.requests, requests);
        EXPECT_LE(statistics.returns, statistics.requests + 1);
        requests = statistics.requests;
    }
    done = true;
    working.join();
    EXPECT_EQ(cache.statistics().returns, cache.statistics().requests);
}

TEST(buffer_cache_threads, start_and_exit_while_others_read_statistics) {
    counted_upstream upstream;
    buffer_cache<> cache({.max_idle = 100'000, .upstream = &upstream});
    std::atomic<bool> done{false};
    std::thread asking([&] {
        while (!done) {
            const buffer_cache_statistics statistics = cache.statistics();
            EXPECT_LE(statistics.hits, statistics.requests);
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
}  // namespace freehold::buffer_cache_threads_test
