// SPDX-License-Identifier: BSL-1.0
// What the central cache of a buffer_cache holds while several threads use it, and how thread
// caches release quota for it.
#include <freehold/buffer/buffer_cache.hpp>

#include "buffer/counted_upstream.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::buffer_cache_shared_test {
namespace {

using tests::counted_upstream;

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

// Two thread caches, used by one thread. A thread cache reads shared state every few dozen
// operations.
class buffer_cache_central : public testing::Test {
protected:
    using cache_type = buffer_cache<>;

    void make(std::size_t max_idle, std::optional<std::size_t> shared_from = std::nullopt,
              std::size_t cutoff = never) {
        cache_.emplace(buffer_cache_options{.max_idle = max_idle,
                                            .cutoff = cutoff,
                                            .shared_from = shared_from,
                                            .upstream = &upstream_});
    }
    // Whether a buffer that one thread cache returns serves the other.
    [[nodiscard]] bool is_shared(std::size_t size) {
        cache_->trim();
        auto one = cache_->open_session();
        auto other = cache_->open_session();
        reach_tick(one);
        one.put(one.get(size));
        const std::uint64_t misses = cache_->statistics().misses;
        other.put(other.get(size));
        return cache_->statistics().misses == misses;
    }
    static void reach_tick(cache_type::session& part) {
        for (int i = 0; i < 100; ++i) part.put(part.get(1));
    }

    counted_upstream upstream_;
    std::optional<cache_type> cache_;
};

TEST_F(buffer_cache_central, holds_large_buffers) {
    make(1 << 20, 1000);
    EXPECT_TRUE(is_shared(1000));
    EXPECT_TRUE(is_shared(200'000));
    EXPECT_FALSE(is_shared(999));
    EXPECT_FALSE(is_shared(0));
}

TEST_F(buffer_cache_central, holds_all_buffers_if_shared_from_is_0) {
    for (const std::size_t least : {0, 1}) {
        make(1 << 20, least);
        EXPECT_TRUE(is_shared(1));
    }
}

TEST_F(buffer_cache_central, holds_no_buffer_if_shared_from_is_max) {
    make(64 << 20, never);
    EXPECT_FALSE(is_shared(1 << 20));
}

TEST_F(buffer_cache_central, holds_smaller_buffers_if_max_idle_is_smaller) {
    make(512 * 1000);
    EXPECT_TRUE(is_shared(1000));
    EXPECT_FALSE(is_shared(999));
    make(std::size_t{1} << 30);
    EXPECT_TRUE(is_shared(128 << 10));
    EXPECT_FALSE(is_shared((128 << 10) - 1));
}

TEST_F(buffer_cache_central, holds_no_buffer_beyond_the_cutoff) {
    make(1 << 20, 1000, 5000);
    EXPECT_TRUE(is_shared(5000));
    EXPECT_FALSE(is_shared(5001));
    make(1 << 20, 5000, 1000);
    EXPECT_FALSE(is_shared(1000));
    EXPECT_FALSE(is_shared(5000));
}

TEST_F(buffer_cache_central, serves_any_alignment) {
    make(1 << 20, 1000);
    auto one = cache_->open_session();
    auto other = cache_->open_session();
    reach_tick(one);
    one.put(one.get(3000, 256));
    const buffer got = other.get(3000, 512);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(got.data()) % 512, 0U);
}

TEST_F(buffer_cache_central, holds_no_buffer_of_a_single_thread) {
    make(1 << 20, 1000);
    auto one = cache_->open_session();
    one.put(one.get(5000));
    auto other = cache_->open_session();
    (void)other.get(5000);
    EXPECT_EQ(cache_->statistics().misses, 2U);
}

TEST_F(buffer_cache_central, leaves_earlier_buffers_in_the_thread_cache) {
    make(1 << 20, 1000);
    auto one = cache_->open_session();
    one.put(one.get(5000));
    auto other = cache_->open_session();
    reach_tick(one);
    const std::uint64_t misses = cache_->statistics().misses;
    one.put(one.get(5000));
    EXPECT_EQ(cache_->statistics().misses, misses);
    // From now on the central cache holds it.
    other.put(other.get(5000));
    EXPECT_EQ(cache_->statistics().misses, misses);
}

TEST_F(buffer_cache_central, returns_buffers_to_the_remaining_thread) {
    make(1 << 20, 1000);
    auto one = cache_->open_session();
    {
        auto other = cache_->open_session();
        other.put(other.get(5000));
    }
    reach_tick(one);
    const std::uint64_t misses = cache_->statistics().misses;
    one.put(one.get(5000));
    auto other = cache_->open_session();
    EXPECT_EQ(cache_->statistics().misses, misses);
    (void)other.get(5000);
    EXPECT_EQ(cache_->statistics().misses, misses + 1) << "the last that used it was alone";
}

TEST_F(buffer_cache_central, counts_returns_by_other_threads_as_remote) {
    make(1 << 20, 1000);
    auto one = cache_->open_session();
    auto other = cache_->open_session();
    reach_tick(one);
    one.put(one.get(5000));
    EXPECT_EQ(cache_->statistics().remote_returns, 0U);
    other.put(one.get(5000));
    EXPECT_EQ(cache_->statistics().remote_returns, 1U);
    one.put(one.get(5000));
    EXPECT_EQ(cache_->statistics().remote_returns, 1U);
}

TEST_F(buffer_cache_central, counts_requests_and_returns) {
    make(1 << 20, 1000);
    auto one = cache_->open_session();
    auto other = cache_->open_session();
    reach_tick(one);
    const buffer_cache_statistics before = cache_->statistics();
    std::vector<buffer> lent;
    for (int i = 0; i < 10; ++i) lent.push_back(one.get(5000));
    const buffer_cache_statistics during = cache_->statistics();
    EXPECT_EQ(during.in_use_asked, 50'000U);
    EXPECT_EQ(during.misses - before.misses, 10U);
    for (buffer& each : lent) other.put(std::move(each));
    const buffer_cache_statistics after = cache_->statistics();
    EXPECT_EQ(after.in_use, 0U);
    EXPECT_EQ(after.returns, after.requests);
    EXPECT_EQ(after.idle - before.idle, during.in_use);
    EXPECT_EQ(after.idle, static_cast<std::uint64_t>(upstream_.given_out()));
    cache_->trim();
    EXPECT_EQ(cache_->statistics().idle, before.idle) << "which is not this thread's";
}

TEST_F(buffer_cache_central, takes_unused_quota_of_threads) {
    make(100'000, 5000);
    auto one = cache_->open_session();
    auto other = cache_->open_session();
    reach_tick(one);
    // Uses the whole quota for small buffers, which stay in use.
    std::vector<buffer> small;
    for (int i = 0; i < 90; ++i) small.push_back(one.get(1024));
    for (buffer& each : small) one.put(std::move(each));
    for (buffer& each : small) each = one.get(1024);
    const auto cycle = [&](cache_type::session& by) {
        std::vector<buffer> lent;
        for (int i = 0; i < 8; ++i) lent.push_back(by.get(6000));
        for (buffer& each : lent) by.put(std::move(each));
    };
    for (int i = 0; i < 20; ++i) cycle(other);
    reach_tick(one);
    cycle(other);
    const std::uint64_t misses = cache_->statistics().misses;
    cycle(other);
    EXPECT_EQ(cache_->statistics().misses, misses);
    for (buffer& each : small) one.put(std::move(each));
    EXPECT_LE(upstream_.given_out(), 100'000);
}

}  // namespace
}  // namespace freehold::buffer_cache_shared_test
