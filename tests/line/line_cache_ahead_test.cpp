// SPDX-License-Identifier: BSL-1.0
// Prefetched lines, and requests for several lines.
#include <freehold/line/line_cache.hpp>

#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <cstdint>
#include <exception>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::line_cache_ahead_test {
namespace {

using tests::are_made;
using tests::scripted_source;

constexpr std::uint64_t line_size = 4096;

// The first line and the number of lines of each request.
using ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class line_cache_prefetch : public testing::Test {
protected:
    line_cache_prefetch() { source.put("a", 20 * line_size); }

    static line_cache_options with(unsigned prefetch, unsigned coalesce, std::size_t lines = 30) {
        line_cache_options asked;
        asked.line_size = line_size;
        asked.capacity = lines * line_size;
        asked.prefetch = prefetch;
        asked.coalesce = coalesce;
        return asked;
    }
    ranges requested() const {
        ranges all;
        for (const scripted_source::request& each : source.requests()) {
            all.emplace_back(each.offset / line_size, each.size / line_size);
        }
        return all;
    }
    void get(line_cache<scripted_source>& cache, std::uint64_t number) {
        const line found = cache.get("a", number * line_size);
        EXPECT_TRUE(are_made(found.bytes(), "a", 1, number * line_size));
    }
    // Waits until every started request has ended.
    static void settle(line_cache<scripted_source>& cache, std::uint64_t bytes_fetched) {
        WAIT_UNTIL(cache.statistics().bytes_fetched == bytes_fetched);
    }

    scripted_source source;
};

TEST_F(line_cache_prefetch, starts_when_the_object_size_is_known) {
    line_cache<scripted_source> cache(source, with(3, 1));
    get(cache, 0);
    settle(cache, 4 * line_size);
    EXPECT_EQ(requested(), (ranges{{0, 1}, {1, 1}, {2, 1}, {3, 1}}));
    EXPECT_EQ(cache.statistics().prefetched, 3u);
}

TEST_F(line_cache_prefetch, continues_with_the_reader) {
    line_cache<scripted_source> cache(source, with(3, 1));
    for (std::uint64_t i = 0; i != 20; ++i) get(cache, i);
    settle(cache, 20 * line_size);
    EXPECT_EQ(source.request_count(), 20u);
    EXPECT_EQ(cache.statistics().misses, 1u) << "no other line was missed";
    EXPECT_EQ(cache.statistics().prefetched, 19u);
    EXPECT_EQ(cache.statistics().bytes_wasted, 0u);
}

TEST_F(line_cache_prefetch, requests_adjacent_lines_together) {
    line_cache<scripted_source> cache(source, with(4, 4));
    for (std::uint64_t i = 0; i != 20; ++i) get(cache, i);
    settle(cache, 20 * line_size);
    EXPECT_EQ(requested(), (ranges{{0, 1}, {1, 4}, {5, 4}, {9, 4}, {13, 4}, {17, 3}}));
    EXPECT_EQ(cache.statistics().misses, 1u);
}

TEST_F(line_cache_prefetch, joins_a_miss_with_the_following_lines) {
    line_cache<scripted_source> cache(source, with(2, 3));
    get(cache, 19);
    get(cache, 4);
    settle(cache, 4 * line_size);
    EXPECT_EQ(requested(), (ranges{{19, 1}, {4, 3}}));
    get(cache, 17);
    settle(cache, 6 * line_size);
    EXPECT_EQ(requested().back(), (std::pair<std::uint64_t, std::uint64_t>{17, 2}))
        << "not what is there, nor what the object does not have";
}

TEST_F(line_cache_prefetch, runs_on_demand) {
    line_cache<scripted_source> cache(source, with(0, 8));
    cache.prefetch("a", 0, 1);
    settle(cache, line_size);
    get(cache, 3);
    cache.prefetch("a", line_size + 5, 7);
    settle(cache, 8 * line_size);
    EXPECT_EQ(requested(), (ranges{{0, 1}, {3, 1}, {1, 2}, {4, 4}}));
    for (std::uint64_t i = 0; i != 8; ++i) get(cache, i);
    EXPECT_EQ(source.request_count(), 4u);
    cache.prefetch("a", 18 * line_size, 100);
    settle(cache, 10 * line_size);
    EXPECT_EQ(cache.statistics().lines, 10u);
}

TEST_F(line_cache_prefetch, of_ranges_requests_each_line_once_in_order) {
    line_cache<scripted_source> cache(source, with(0, 8));
    get(cache, 4);
    const std::vector<byte_range> chunks = {{13 * line_size + 10, 50},
                                            {3 * line_size - 1, 2},
                                            {5 * line_size, 0},
                                            {13 * line_size + 4'000, 200},
                                            {3 * line_size, 2 * line_size + 1},
                                            {19 * line_size, 100 * line_size},
                                            {~std::uint64_t{0} - 5, ~std::uint64_t{0}}};
    cache.prefetch("a", chunks);
    settle(cache, 7 * line_size);
    EXPECT_EQ(requested(), (ranges{{4, 1}, {2, 2}, {5, 1}, {13, 2}, {19, 1}}));
    for (const std::uint64_t i : {2, 3, 4, 5, 13, 14, 19}) get(cache, i);
    EXPECT_EQ(cache.statistics().misses, 1u);
    cache.prefetch("a", chunks);
    cache.prefetch("a", std::vector<byte_range>());
    EXPECT_EQ(source.request_count(), 5u) << "nothing is missing";
}

TEST_F(line_cache_prefetch, of_ranges_splits_requests_and_takes_half_of_the_cache) {
    line_cache<scripted_source> cache(source, with(0, 3, 16));
    get(cache, 19);
    cache.prefetch("a",
                   std::vector<byte_range>{{0, 5 * line_size}, {7 * line_size, line_size * 9}});
    settle(cache, 9 * line_size);
    EXPECT_EQ(requested(), (ranges{{19, 1}, {0, 3}, {3, 2}, {7, 3}}));
}

TEST_F(line_cache_prefetch, of_ranges_learns_the_size_from_the_first_missing_line) {
    source.hold();
    line_cache<scripted_source> cache(source, with(0, 4));
    cache.prefetch("a", 2 * line_size, 1);
    cache.prefetch("a", std::vector<byte_range>{{2 * line_size, 1}, {6 * line_size, 1}});
    cache.prefetch("a", std::vector<byte_range>{{2 * line_size, 1},
                                                {8 * line_size, 3 * line_size},
                                                {15 * line_size, 100 * line_size}});
    EXPECT_EQ(requested(), (ranges{{2, 1}, {6, 1}, {8, 1}}));
    source.release();
    settle(cache, 10 * line_size);
    EXPECT_EQ(cache.statistics().lines, 10u);
    EXPECT_EQ(cache.statistics().bytes_wasted, 0u);
}

TEST_F(line_cache_prefetch, never_evicts_held_lines) {
    line_cache<scripted_source> cache(source, with(0, 2, 3));
    const line first = cache.get("a", 0);
    const line second = cache.get("a", line_size);
    const line third = cache.get("a", 2 * line_size);
    cache.prefetch("a", 10 * line_size, 5);
    EXPECT_TRUE(are_made(third.bytes(), "a", 1, 2 * line_size));
    EXPECT_EQ(cache.statistics().refusals, 1u);
    EXPECT_EQ(source.request_count(), 3u);
}

// More lines are prefetched than fit. A reader that asks for a line waits until one of them can be
// evicted.
TEST_F(line_cache_prefetch, fails_no_reader) {
    for (int round = 0; round != 20; ++round) {
        line_cache<scripted_source> cache(source, with(5, 2, 3));
        const line first = cache.get("a", 0);
        const line second = cache.get("a", 7 * line_size);
        for (std::uint64_t i = 0; i != 20; ++i) get(cache, i);
        EXPECT_LE(cache.statistics().most_bytes_held, 3 * line_size);
    }
}

TEST_F(line_cache_prefetch, ignores_missing_objects) {
    line_cache<scripted_source> cache(source, with(0, 4));
    cache.prefetch("b", 0, 4);
    WAIT_UNTIL(cache.statistics().failures == 1);
    EXPECT_EQ(cache.statistics().lines, 0u);
    // Beyond the end of an object whose size was not known.
    source.put("c", 10);
    cache.prefetch("c", 0, 4);
    settle(cache, 10);
    const line only = cache.get("c", 0);
    EXPECT_TRUE(are_made(only.bytes(), "c", 1, 0));
    WAIT_UNTIL(cache.statistics().bytes_in_lines == line_size);
}

TEST_F(line_cache_prefetch, counts_unrequested_bytes_as_wasted) {
    line_cache<scripted_source> cache(source, with(0, 4));
    cache.prefetch("a", 0, 4);
    settle(cache, 4 * line_size);
    get(cache, 1);
    cache.invalidate("a");
    WAIT_UNTIL(cache.statistics().bytes_in_lines == 0);
    EXPECT_EQ(cache.statistics().bytes_wasted, 3 * line_size);
}

TEST_F(line_cache_prefetch, publishes_lines_in_order) {
    line_cache<scripted_source> cache(source, with(0, 4));
    get(cache, 19);
    source.hold();
    cache.prefetch("a", 0, 4);
    line_read& read = source.next();
    EXPECT_EQ(read.size(), 4 * line_size);
    EXPECT_TRUE(read.begin({20 * line_size, "version 1"}));
    EXPECT_EQ(scripted_source::fill(read, 1, 0, 4 * line_size), line_size)
        << "there is room in one line at a time";
    EXPECT_TRUE(read.arrived(line_size));
    get(cache, 0);
    EXPECT_EQ(scripted_source::fill(read, 1, line_size, 10), 10u);
    EXPECT_TRUE(read.arrived(10));
    read.fail(scripted_source::failure(source_failure::unreachable));
    EXPECT_EQ(cache.statistics().lines, 2u) << "the line that is complete stays";
    get(cache, 0);
}

TEST_F(line_cache_prefetch, requests_one_line_of_an_unknown_object) {
    line_cache<scripted_source> cache(source, with(0, 4));
    source.hold();
    cache.prefetch("a", 0, 2'000);
    line_read& read = source.next();
    EXPECT_EQ(source.request_count(), 1u);
    EXPECT_EQ(read.size(), line_size);
    EXPECT_TRUE(read.begin({6 * line_size, "version 1"}));
    EXPECT_EQ(source.request_count(), 1u);
    EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, 10)));
    EXPECT_EQ(requested(), (ranges{{0, 1}, {1, 4}, {5, 1}}));
    read.fail(scripted_source::failure(source_failure::timed_out));
    for (int i = 0; i != 2; ++i) {
        source.next().fail(scripted_source::failure(source_failure::timed_out));
    }
    EXPECT_EQ(cache.statistics().bytes_in_lines, 0u);
}

TEST_F(line_cache_prefetch, evicts_nothing_for_lines_beyond_the_end) {
    line_cache<scripted_source> cache(source, with(0, 1, 3));
    for (std::uint64_t i = 17; i != 20; ++i) get(cache, i);
    cache.prefetch("a", 20 * line_size, 100);
    cache.prefetch("a", 17 * line_size, 100);
    EXPECT_EQ(cache.statistics().evictions, 0u);
    EXPECT_EQ(cache.statistics().lines, 3u);
}

// A prefetch on demand continues.
TEST_F(line_cache_prefetch, is_cancelled_with_its_reader) {
    line_cache<scripted_source> cache(source, with(3, 4));
    get(cache, 19);
    source.hold();
    const auto nothing = [](const line&, const std::exception_ptr&) {};
    std::stop_source stop;
    cache.get_async("a", 0, nothing, stop.get_token());
    line_read& read = source.next();
    EXPECT_EQ(read.size(), 4 * line_size);
    EXPECT_TRUE(read.wanted());
    stop.request_stop();
    EXPECT_FALSE(read.wanted());
    EXPECT_EQ(cache.statistics().lines, 1u);
    read.fail(scripted_source::failure(source_failure::cancelled));

    std::stop_source other;
    cache.prefetch("a", 5 * line_size, 4);
    cache.get_async("a", 6 * line_size, nothing, other.get_token());
    line_read& prefetched = source.next();
    other.request_stop();
    EXPECT_TRUE(prefetched.wanted());
    source.release();
    prefetched.fail(scripted_source::failure(source_failure::timed_out));
}

}  // namespace
}  // namespace freehold::line_cache_ahead_test
