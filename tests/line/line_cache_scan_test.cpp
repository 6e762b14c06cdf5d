// SPDX-License-Identifier: BSL-1.0
// Scans with access::once, beside lines that are read again.
#include <freehold/line/access.hpp>
#include <freehold/line/line_cache.hpp>

#include "line/async_answer.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace freehold::line_cache_scan_test {
namespace {

using tests::are_made;
using tests::room_for;
using tests::scripted_source;

constexpr std::uint64_t line_size = 4096;
constexpr std::uint64_t lines = 40;

class line_cache_scan : public testing::Test {
protected:
    line_cache_scan() {
        source.put("hot", lines * line_size);
        source.put("scanned", 10 * lines * line_size);
    }

    static void get(line_cache<scripted_source>& cache, const object_ref& object,
                    std::uint64_t number, std::uint64_t from = 0) {
        const line found = cache.get(object, number * line_size + from, 100);
        EXPECT_TRUE(are_made(found.bytes(), found.object(), 1, number * line_size));
    }
    static std::uint64_t misses(line_cache<scripted_source>& cache) {
        return cache.statistics().misses;
    }
    // Gets lines `from` to `to` of the scanned object, each in four steps.
    static void scan(line_cache<scripted_source>& cache, access how, std::uint64_t from,
                     std::uint64_t to) {
        for (std::uint64_t i = from; i != to; ++i) {
            for (std::uint64_t step = 0; step != 4; ++step) {
                get(cache, {"scanned", how}, i, step * line_size / 4);
            }
        }
    }
    // Returns how many of the hot lines were missed in a scan of ten times the capacity, during
    // which each hot line is read once.
    static std::uint64_t lost(line_cache<scripted_source>& cache, access how, std::uint64_t hot) {
        for (std::uint64_t i = 0; i != hot; ++i) get(cache, "hot", i);
        std::uint64_t lost = 0;
        const std::uint64_t lines_each = 10 * lines / hot;
        for (std::uint64_t i = 0; i != hot; ++i) {
            scan(cache, how, i * lines_each, (i + 1) * lines_each);
            const std::uint64_t before = misses(cache);
            get(cache, "hot", i);
            lost += misses(cache) - before;
        }
        return lost;
    }

    scripted_source source{0};
};

TEST_F(line_cache_scan, does_not_displace_nine_tenths_of_the_lines) {
    for (const std::uint64_t hot : {lines / 2, lines * 8 / 10, lines * 9 / 10}) {
        line_cache<scripted_source> cache(source, room_for(lines, line_size));
        EXPECT_EQ(lost(cache, access::once, hot), 0u) << hot;
        EXPECT_EQ(cache.statistics().refetched, 0u);
    }
}

TEST_F(line_cache_scan, displaces_others_without_access_once) {
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    EXPECT_GT(lost(cache, access::again, lines / 2), lines / 4);
}

TEST_F(line_cache_scan, misses_each_line_once_although_it_is_read_in_steps) {
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    for (std::uint64_t i = 0; i != lines; ++i) get(cache, "hot", i);
    const std::uint64_t before = misses(cache);
    scan(cache, access::once, 0, 10 * lines);
    EXPECT_EQ(misses(cache) - before, 10 * lines);
}

TEST_F(line_cache_scan, uses_the_whole_cache_if_nothing_else_does) {
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    for (int round = 0; round != 3; ++round) scan(cache, access::once, 0, lines);
    EXPECT_EQ(misses(cache), lines);
}

TEST_F(line_cache_scan, wastes_nothing_that_it_prefetches) {
    line_cache_options asked = room_for(lines, line_size);
    asked.prefetch = 3;
    asked.coalesce = 3;
    line_cache<scripted_source> cache(source, asked);
    for (std::uint64_t i = 0; i != lines; ++i) get(cache, "hot", i);
    const std::uint64_t before = cache.statistics().bytes_fetched;
    scan(cache, access::once, 0, 10 * lines);
    const line_cache_statistics now = cache.statistics();
    EXPECT_EQ(now.bytes_fetched - before, 10 * lines * line_size);
    EXPECT_EQ(now.bytes_wasted, 0u);
    EXPECT_EQ(now.misses, 2u) << "the first line of each object";
}

// A line stays if any reader but a scan gets it, whether it arrived before or was prefetched.
TEST_F(line_cache_scan, leaves_lines_to_other_readers) {
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    get(cache, {"scanned", access::once}, 0);
    get(cache, "scanned", 0);
    cache.prefetch({"scanned", access::once}, line_size, 2);
    get(cache, "scanned", 1);
    tests::async_answer answer;
    cache.get_async("scanned", 2 * line_size, 1, answer.callback());
    ASSERT_EQ(answer.calls, 1);
    answer.found = {};
    scan(cache, access::once, 10, 10 * lines);
    const std::uint64_t before = misses(cache);
    for (std::uint64_t i = 0; i != 3; ++i) get(cache, "scanned", i);
    EXPECT_EQ(misses(cache), before);
}

TEST_F(line_cache_scan, of_callbacks_and_prefetches_displaces_nothing) {
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    for (std::uint64_t i = 0; i != lines * 9 / 10; ++i) get(cache, "hot", i);
    for (std::uint64_t i = 0; i != 5 * lines; ++i) {
        cache.prefetch({"scanned", access::once}, 2 * i * line_size, 2);
        for (int step = 0; step != 4; ++step) {
            tests::async_answer answer;
            cache.get_async({"scanned", access::once}, 2 * i * line_size, answer.callback());
            ASSERT_EQ(answer.calls, 1);
        }
    }
    const std::uint64_t before = misses(cache);
    for (std::uint64_t i = 0; i != lines * 9 / 10; ++i) get(cache, "hot", i);
    EXPECT_EQ(misses(cache), before);
}

// A scan of hot lines does not make them leave earlier.
TEST_F(line_cache_scan, does_not_demote_lines_that_it_hits) {
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    for (std::uint64_t i = 0; i != lines / 2; ++i) get(cache, "hot", i);
    for (std::uint64_t i = 0; i != lines / 2; ++i) get(cache, {"hot", access::once}, i);
    scan(cache, access::once, 0, 10 * lines);
    const std::uint64_t before = misses(cache);
    for (std::uint64_t i = 0; i != lines / 2; ++i) get(cache, "hot", i);
    EXPECT_EQ(misses(cache), before);
}

}  // namespace
}  // namespace freehold::line_cache_scan_test
