// SPDX-License-Identifier: BSL-1.0
// A buffer_cache with a clock that the test sets: what is freed because of its age.
#include <freehold/buffer/buffer_cache.hpp>

#include "buffer/counted_upstream.hpp"

#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

namespace freehold::buffer_cache_ages_test {
namespace {

using namespace std::chrono_literals;
using tests::counted_upstream;

struct set_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<set_clock>;

    static time_point now() noexcept { return time_point(duration(nanoseconds)); }
    static inline std::int64_t nanoseconds = 0;
};

TEST(buffer_cache_ages, decide_what_trim_older_than_frees) {
    counted_upstream upstream;
    buffer_cache<greedy_dual_fit, set_clock> cache({.upstream = &upstream});
    buffer old = cache.get(1000);
    buffer young = cache.get(2000);
    const auto size = static_cast<std::int64_t>(young.capacity());
    old.reset();
    set_clock::nanoseconds += std::chrono::nanoseconds(100s).count();
    cache.trim_older_than(200s);
    EXPECT_GT(upstream.given_out(), size);
    for (int i = 0; i < 100; ++i) cache.put(cache.get(500));  // until the cache reads the clock
    cache.trim(0);
    young.reset();
    cache.trim_older_than(90s);
    EXPECT_EQ(upstream.given_out(), size);
    set_clock::nanoseconds += std::chrono::nanoseconds(100s).count();
    cache.trim_older_than(90s);
    EXPECT_EQ(upstream.given_out(), 0);
}

TEST(buffer_cache_ages, are_reached_before_a_buffer_is_freed) {
    buffer_cache<greedy_dual_fit, set_clock> cache;
    const auto pass = [](std::chrono::nanoseconds time) { set_clock::nanoseconds += time.count(); };
    for (int i = 0; i < 20; ++i) {
        pass(50ms);
        cache.trim_older_than(1h);  // reads the clock
        cache.put(cache.get(1000));
        pass(10ms);
        cache.trim_older_than(100ms);
        EXPECT_GT(cache.statistics().idle, 0U) << i;
    }
    pass(700ms);
    cache.trim_older_than(100ms);
    EXPECT_EQ(cache.statistics().idle, 0U);
    cache.put(cache.get(1000));
    cache.trim_older_than(0ns);
    EXPECT_EQ(cache.statistics().idle, 0U);
}

}  // namespace
}  // namespace freehold::buffer_cache_ages_test
