// SPDX-License-Identifier: BSL-1.0
// A buffer_cache on one thread: what it hands out, what it keeps, what it reports.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/policies/keep_first_below.hpp>

#include "buffer/counted_upstream.hpp"
#include "contracts/marked_memory.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::buffer_cache_test {
namespace {

using contracts::is_aligned;
using contracts::is_marked;
using contracts::mark;
using tests::counted_upstream;

static_assert(std::is_nothrow_move_constructible_v<buffer> &&
              std::is_nothrow_move_assignable_v<buffer> && !std::is_copy_constructible_v<buffer>);
static_assert(sizeof(buffer) == sizeof(void*));

TEST(buffer_cache, reuses_returned_buffers) {
    buffer_cache<> cache;
    buffer first = cache.get(1000);
    std::byte* const data = first.data();
    EXPECT_EQ(first.size(), 1000U);
    EXPECT_EQ(first.bytes().size(), 1000U);
    first.reset();
    EXPECT_FALSE(first);
    EXPECT_EQ(cache.get(990).data(), data);
    EXPECT_EQ(cache.statistics().hits, 1U);
}

TEST(buffer_cache, takes_back_by_put_destructor_and_assignment) {
    buffer_cache<> cache;
    cache.put(cache.get(100));
    { const buffer released = cache.get(100); }
    buffer other = cache.get(100);
    other = cache.get(200);
    EXPECT_EQ(cache.statistics().returns, 3U);
    cache.put(buffer());
    EXPECT_EQ(cache.statistics().returns, 3U);
}

TEST(buffer, is_empty_after_a_move) {
    buffer_cache<> cache;
    buffer from = cache.get(64);
    std::byte* const data = from.data();
    buffer to = std::move(from);
    EXPECT_FALSE(from);  // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_EQ(from.data(), nullptr);
    EXPECT_EQ(from.size(), 0U);
    EXPECT_EQ(from.capacity(), 0U);
    EXPECT_TRUE(from.bytes().empty());
    EXPECT_EQ(to.data(), data);
    buffer& same = to;
    to = std::move(same);
    EXPECT_EQ(to.data(), data);
    to.swap(from);
    EXPECT_EQ(from.data(), data);
    EXPECT_EQ(cache.statistics().returns, 0U);
}

TEST(buffer_cache, aligns_any_size) {
    buffer_cache<> cache;
    for (int round = 0; round < 2; ++round) {
        std::vector<buffer> lent;
        for (const std::size_t size : {0, 1, 7, 16, 100, 4096, 10'000, 1'000'000}) {
            for (std::size_t alignment = 1; alignment <= 65'536; alignment *= 2) {
                lent.push_back(cache.get(size, alignment));
                EXPECT_TRUE(is_aligned(lent.back().data(), alignment));
                mark(lent.back().data(), lent.back().capacity());
            }
        }
        for (const buffer& each : lent) EXPECT_TRUE(is_marked(each.data(), each.capacity()));
    }
    EXPECT_GT(cache.statistics().hits, 0U);
}

TEST(buffer_cache, throws_for_impossible_sizes_and_continues) {
    buffer_cache<> cache;
    cache.put(cache.get(8));
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    for (const std::size_t size : {most, most - 31, most - 32, most / 2 + 1}) {
        EXPECT_THROW(static_cast<void>(cache.get(size)), std::bad_alloc) << size;
        EXPECT_THROW(static_cast<void>(cache.get(size, 4096)), std::bad_alloc) << size;
    }
    EXPECT_EQ(cache.statistics().requests, 1U);
    EXPECT_TRUE(cache.get(8));
}

TEST(buffer_cache, passes_requests_beyond_the_cutoff_to_the_upstream) {
    counted_upstream upstream;
    buffer_cache<> cache({.cutoff = 1000, .upstream = &upstream});
    cache.put(cache.get(1000));
    EXPECT_GE(upstream.given_out(), 1000);
    const std::int64_t kept = upstream.given_out();
    for (int round = 0; round < 2; ++round) {
        const buffer large = cache.get(1001, 128);
        EXPECT_EQ(large.capacity(), 1001U);
        EXPECT_TRUE(is_aligned(large.data(), 128));
        EXPECT_EQ(upstream.given_out(), kept + 1001);
    }
    EXPECT_EQ(upstream.given_out(), kept);
    EXPECT_EQ(upstream.allocations(), 3);
    const buffer_cache_statistics statistics = cache.statistics();
    EXPECT_EQ(statistics.misses, 3U);
    EXPECT_EQ(statistics.drops, 2U);
    EXPECT_EQ(statistics.idle, static_cast<std::uint64_t>(kept));
}

TEST(buffer_cache, counts_all_events) {
    // A new buffer has exactly the requested size. At most two buffers of up to 200 bytes are kept.
    buffer_cache<keep_first_below> cache({.name = "packets"}, {200, 2});
    EXPECT_EQ(cache.statistics().hit_rate(), 0);
    EXPECT_EQ(cache.statistics().used(), 1);

    buffer one = cache.get(200);
    buffer two = cache.get(150);
    buffer three = cache.get(120);
    buffer large = cache.get(1000);
    buffer_cache_statistics statistics = cache.statistics();
    EXPECT_EQ(statistics.in_use, 1470U);
    EXPECT_EQ(statistics.in_use_asked, 1470U);
    EXPECT_EQ(statistics.idle, 0U);

    one.reset();
    two.reset();
    three.reset();  // dropped, because two are kept
    large.reset();  // dropped, because it is too large
    const buffer again = cache.get(100);
    statistics = cache.statistics();
    EXPECT_EQ(statistics.name, "packets");
    EXPECT_EQ(statistics.requests, 5U);
    EXPECT_EQ(statistics.hits, 1U);
    EXPECT_EQ(statistics.misses, 4U);
    EXPECT_EQ(statistics.returns, 4U);
    EXPECT_EQ(statistics.drops, 2U);
    EXPECT_EQ(statistics.evictions, 0U);
    EXPECT_EQ(statistics.remote_returns, 0U);
    EXPECT_EQ(statistics.bytes_asked, 1570U);
    EXPECT_EQ(statistics.bytes_handed_out, 1470U + again.capacity());
    EXPECT_EQ(statistics.in_use_asked, 100U);
    EXPECT_EQ(statistics.in_use, again.capacity());
    EXPECT_EQ(statistics.idle, 350U - again.capacity());
    EXPECT_DOUBLE_EQ(statistics.hit_rate(), 0.2);
    EXPECT_DOUBLE_EQ(statistics.used(), 1570.0 / static_cast<double>(1470 + again.capacity()));

    cache.trim();
    statistics = cache.statistics();
    EXPECT_EQ(statistics.evictions, 1U);
    EXPECT_EQ(statistics.idle, 0U);
}

TEST(buffer_cache, counts_by_size_class) {
    buffer_cache<keep_first_below> cache({}, {4000, 8});
    cache.put(cache.get(1000));
    cache.put(cache.get(1000));
    cache.put(cache.get(3000));
    const buffer large = cache.get(30'000);
    const buffer_cache_statistics statistics = cache.statistics();
    ASSERT_EQ(statistics.classes.size(), 3U);
    for (const buffer_class_statistics& each : statistics.classes) {
        EXPECT_LE(each.smallest, each.largest);
        EXPECT_EQ(each.hits + each.misses, each.requests);
    }
    const buffer_class_statistics& first = statistics.classes[0];
    EXPECT_LE(first.smallest, 1000U);
    EXPECT_GE(first.largest, 1000U);
    EXPECT_EQ(first.requests, 2U);
    EXPECT_EQ(first.hits, 1U);
    EXPECT_EQ(first.returns, 2U);
    EXPECT_EQ(first.bytes_asked, 2000U);
    EXPECT_EQ(first.bytes_handed_out, 2000U);
    EXPECT_EQ(first.idle, 1000U);
    EXPECT_EQ(statistics.classes[1].idle, 3000U);
    EXPECT_EQ(statistics.classes[2].returns, 0U);
    EXPECT_EQ(statistics.classes[2].idle, 0U);

    const std::vector<size_bucket> histogram = cache.histogram();
    ASSERT_EQ(histogram.size(), 3U);
    EXPECT_EQ(histogram[0].requests, 2U);
    EXPECT_LE(histogram[2].smallest, 30'000U);
    EXPECT_GE(histogram[2].largest, 30'000U);
    EXPECT_EQ(histogram[2].requests, 1U);
}

TEST(buffer_cache, counts_many_buffers_of_any_size_exactly) {
    constexpr std::size_t times = 1000;
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{100}, std::size_t{1} << 20, (std::size_t{2} << 20) - 1,
          std::size_t{2} << 20, std::size_t{5} << 20}) {
        SCOPED_TRACE(size);
        buffer_cache<> cache;
        std::uint64_t capacity = 0;
        for (std::size_t i = 1; i <= times; ++i) {
            buffer held = cache.get(size);
            capacity = held.capacity();
            if (i % 125 == 0) {
                const buffer_cache_statistics statistics = cache.statistics();
                EXPECT_EQ(statistics.requests, i);
                EXPECT_EQ(statistics.bytes_asked, i * size);
                EXPECT_EQ(statistics.bytes_handed_out, i * capacity);
                EXPECT_EQ(statistics.returns, i - 1);
                EXPECT_EQ(statistics.in_use_asked, size);
                EXPECT_EQ(statistics.idle, 0U);
            }
            cache.put(std::move(held));
        }
        const buffer_cache_statistics statistics = cache.statistics();
        EXPECT_EQ(statistics.hits, times - 1);
        EXPECT_EQ(statistics.returns, times);
        EXPECT_EQ(statistics.in_use_asked, 0U);
        EXPECT_EQ(statistics.idle, capacity);
    }
}

// If a buffer's capacity is of another size class than the request.
TEST(buffer_cache, counts_in_the_classes_of_size_and_capacity) {
    constexpr std::size_t times = 1000;
    constexpr std::size_t capacity = std::size_t{3} << 20;
    buffer_cache<keep_first_below> cache({}, {capacity, 1});
    cache.put(cache.get(capacity));
    for (std::size_t i = 0; i < times; ++i) cache.put(cache.get(100));
    const buffer_cache_statistics statistics = cache.statistics();
    ASSERT_EQ(statistics.classes.size(), 2U);
    EXPECT_EQ(statistics.classes[0].requests, times);
    EXPECT_EQ(statistics.classes[0].hits, times);
    EXPECT_EQ(statistics.classes[0].returns, 0U);
    EXPECT_EQ(statistics.classes[1].requests, 1U);
    EXPECT_EQ(statistics.classes[1].bytes_asked, capacity + 100 * times);
    EXPECT_EQ(statistics.classes[1].bytes_handed_out, capacity * (times + 1));
    EXPECT_EQ(statistics.classes[1].returns, times + 1);
    EXPECT_EQ(statistics.classes[1].idle, capacity);
}

TEST(buffer_cache, prints_statistics) {
    buffer_cache<keep_first_below> cache({.name = "packets"}, {4000, 8});
    cache.put(cache.get(1000));
    const buffer held = cache.get(1000);
    std::ostringstream text;
    text << cache.statistics() << 0.125;
    const std::string printed = text.str();
    EXPECT_NE(printed.find("packets: 2 requests, 50.0 % hits, 100.0 % used"), std::string::npos)
        << printed;
    EXPECT_NE(printed.find("1000 in use for 1000 asked for"), std::string::npos) << printed;
    EXPECT_NE(printed.find("0.125"), std::string::npos) << "the stream's format was changed";
}

// A request for 100 bytes gets a buffer of 3000, and is not shown beside that buffer's bytes.
TEST(buffer_cache, prints_requests_by_size_and_buffers_by_capacity) {
    buffer_cache<keep_first_below> cache({.name = "packets"}, {4000, 8});
    cache.put(cache.get(3000));
    cache.put(cache.get(100));
    std::ostringstream text;
    text << cache.statistics();
    const std::string printed = text.str();
    EXPECT_EQ(printed.substr(printed.find('\n') + 1),
              "requests by size:\n"
              "         from           to     requests         hits       misses\n"
              "           96          103            1            1            0\n"
              "         2816         3071            1            0            1\n"
              "buffers by capacity:\n"
              "         from           to    asked for   handed out      returns        drops"
              "    evictions         idle\n"
              "         2816         3071         3100         6000            2            0"
              "            0         3000\n");
}

TEST(buffer_cache, trims_idle_buffers) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    {
        std::vector<buffer> lent;
        for (int i = 0; i < 100; ++i) lent.push_back(cache.get(1000));
    }
    const std::int64_t all = upstream.given_out();
    EXPECT_GE(all, 100'000);
    cache.trim(50'000);
    EXPECT_LE(upstream.given_out(), 50'000);
    EXPECT_GT(upstream.given_out(), 45'000);
    EXPECT_EQ(cache.statistics().idle, static_cast<std::uint64_t>(upstream.given_out()));
    cache.trim();
    EXPECT_EQ(upstream.given_out(), 0);
}

TEST(buffer_cache, moves_buffers_beyond_the_thread_bound_to_the_central_cache) {
    counted_upstream upstream;
    buffer_cache<> cache(
        {.max_idle = 100'000, .max_idle_per_thread = 10'000, .upstream = &upstream});
    std::vector<buffer> lent;
    for (int i = 0; i < 200; ++i) lent.push_back(cache.get(1024));
    lent.clear();
    EXPECT_LE(upstream.given_out(), 100'000);
    EXPECT_GT(upstream.given_out(), 95'000);
    // This thread gets all of them from the central cache.
    const std::uint64_t misses = cache.statistics().misses;
    const auto idle = static_cast<std::size_t>(upstream.given_out()) / 1024;
    for (std::size_t i = 0; i < idle; ++i) lent.push_back(cache.get(1024));
    EXPECT_EQ(cache.statistics().misses, misses);
    lent.clear();
    // The central cache holds a buffer that exceeds a thread's bound.
    cache.trim();
    cache.put(cache.get(50'000));
    EXPECT_GE(upstream.given_out(), 50'000);
    cache.put(cache.get(50'000));
    EXPECT_EQ(cache.statistics().misses, misses + 1);
    // A buffer that exceeds all bounds is not kept, and evicts nothing.
    cache.put(cache.get(200'000));
    EXPECT_EQ(cache.statistics().idle, static_cast<std::uint64_t>(upstream.given_out()));
    EXPECT_GE(upstream.given_out(), 50'000);
}

TEST(buffer_cache, simulates_threads_by_sessions) {
    buffer_cache<> cache;
    auto one = cache.open_session();
    auto other = cache.open_session();
    void* const data = one.allocate(500);
    mark(data, 500);
    other.deallocate(data);  // returns to the session that requested it
    EXPECT_EQ(cache.statistics().remote_returns, 1U);
    EXPECT_NE(other.get(500).data(), data);
    const buffer again = one.get(500);
    EXPECT_EQ(again.data(), data);
    auto moved = std::move(one);
    moved.put(moved.get(100));
    EXPECT_EQ(cache.statistics().returns, 3U);
}

TEST(buffer_cache, keeps_buffers_of_a_closed_session) {
    counted_upstream upstream;
    buffer_cache<> cache({.upstream = &upstream});
    buffer out;
    {
        auto session = cache.open_session();
        session.put(session.get(3000));
        out = session.get(700);
    }
    out.reset();
    EXPECT_TRUE(cache.get(3000));
    EXPECT_TRUE(cache.get(700));
    EXPECT_EQ(upstream.allocations(), 2);
}

TEST(buffer_cache, reports_buffers_in_use_at_destruction) {
    counted_upstream upstream;
    auto cache = std::make_unique<buffer_cache<>>(
        buffer_cache_options{.cutoff = 100, .upstream = &upstream, .name = "packets"});
    void* const lost = cache->allocate(1000);
    testing::internal::CaptureStderr();
    cache.reset();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("'packets'"), std::string::npos) << said;
    EXPECT_NE(said.find("1000 bytes"), std::string::npos) << said;
    static_cast<memory_resource&>(upstream).deallocate(static_cast<std::byte*>(lost) - 32, 1032,
                                                       16);
}

TEST(buffer_cache, counts_nothing_without_counters) {
    counted_upstream upstream;
    buffer_cache<greedy_dual_fit, std::chrono::steady_clock, false> cache({.upstream = &upstream});
    for (int i = 0; i < 10; ++i) cache.put(cache.get(100));
    EXPECT_EQ(upstream.allocations(), 1);
    static_assert(sizeof(detail::buffer_thread_cache_of<greedy_dual_fit, false>) <
                  sizeof(detail::buffer_thread_cache_of<greedy_dual_fit, true>));
}

}  // namespace
}  // namespace freehold::buffer_cache_test
