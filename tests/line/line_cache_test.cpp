// SPDX-License-Identifier: BSL-1.0
// Lines and how they are found, on one thread.
#include <freehold/line/line_cache.hpp>

#include "line/line_counters.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::line_cache_test {
namespace {

using tests::are_made;
using tests::reason_of;
using tests::room_for;
using tests::scripted_source;

constexpr std::size_t line_size = 8192;

class line_cache_get : public testing::Test {
protected:
    line_cache_get() { source.put("a", 3 * line_size + 100); }

    scripted_source source;
    line_cache<scripted_source> cache{source, room_for(4, line_size)};
};

TEST_F(line_cache_get, returns_the_line_that_holds_an_offset) {
    const line second = cache.get("a", line_size + 17);
    EXPECT_EQ(second.offset(), line_size);
    EXPECT_EQ(second.object(), "a");
    EXPECT_EQ(second.object_size(), 3 * line_size + 100);
    EXPECT_EQ(second.entity_tag(), "version 1");
    ASSERT_EQ(second.bytes().size(), line_size);
    EXPECT_TRUE(are_made(second.bytes(), "a", 1, line_size));
    EXPECT_EQ(second.bytes_from(line_size + 17).data(), second.bytes().data() + 17);
    EXPECT_TRUE(second.bytes_from(2 * line_size).empty());
    EXPECT_TRUE(second.bytes_from(0).empty());
}

TEST_F(line_cache_get, returns_a_short_last_line) {
    const line last = cache.get("a", 3 * line_size + 99);
    ASSERT_EQ(last.bytes().size(), 100u);
    EXPECT_TRUE(are_made(last.bytes(), "a", 1, 3 * line_size));
}

TEST_F(line_cache_get, requests_a_line_once) {
    const line first = cache.get("a", 0);
    const line again = cache.get("a", line_size - 1);
    EXPECT_EQ(first, again);
    EXPECT_EQ(first.bytes().data(), again.bytes().data());
    ASSERT_EQ(source.request_count(), 1u);
    EXPECT_EQ(source.requests()[0].offset, 0u);
    EXPECT_EQ(source.requests()[0].size, line_size);
    const line_cache_statistics now = cache.statistics();
    EXPECT_EQ(now.misses, 1u);
    EXPECT_EQ(now.hits, 1u);
    EXPECT_EQ(now.joined, 0u);
    EXPECT_EQ(now.requests, 1u);
    EXPECT_EQ(now.bytes_fetched, line_size);
    EXPECT_EQ(now.lines, 1u);
    EXPECT_EQ(now.waits.total(), 1u);
}

TEST_F(line_cache_get, requests_the_known_entity_tag) {
    static_cast<void>(cache.get("a", 0));
    static_cast<void>(cache.get("a", line_size));
    EXPECT_EQ(source.requests()[0].entity_tag, "");
    EXPECT_EQ(source.requests()[1].entity_tag, "version 1");
}

TEST_F(line_cache_get, finds_the_same_by_cached_object_and_by_name) {
    const cached_object a = cache.open("a");
    EXPECT_EQ(a.name(), "a");
    const line by_object = cache.get(a, 0);
    EXPECT_EQ(by_object, cache.get(std::string("a"), 0));
    EXPECT_EQ(by_object, cache.get(a, 5));
    EXPECT_EQ(source.request_count(), 1u);
}

TEST_F(line_cache_get, reports_missing_objects_and_ranges) {
    EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get("b", 0)); }), source_failure::not_found);
    // Unknown at first, known afterwards, in the last line, and beyond it.
    for (const std::uint64_t beyond : {4 * line_size, 3 * line_size + 100, 9 * line_size}) {
        EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get("a", beyond)); }),
                  source_failure::past_the_end);
    }
    static_cast<void>(cache.get("a", 0));
    const std::size_t asked = source.request_count();
    EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get("a", 4 * line_size)); }),
              source_failure::past_the_end);
    EXPECT_EQ(source.request_count(), asked + 1) << "the object might have grown";
    EXPECT_EQ(cache.statistics().bytes_in_lines, 2 * line_size);
}

TEST_F(line_cache_get, returns_an_empty_line_of_an_empty_object) {
    source.put("nothing", 0);
    for (int i = 0; i != 3; ++i) {
        const line nothing = cache.get("nothing", 0);
        ASSERT_TRUE(nothing);
        EXPECT_TRUE(nothing.bytes().empty());
        EXPECT_EQ(nothing.object_size(), 0u);
        EXPECT_EQ(nothing.entity_tag(), "version 1");
        EXPECT_EQ(nothing.cost().bytes_zeroed, 0u);
        nothing.wait(0, 100);
    }
    EXPECT_EQ(source.request_count(), 1u);
    EXPECT_FALSE(cache.get_range("nothing", 0, 100));
    for (const std::uint64_t beyond : {std::uint64_t{1}, std::uint64_t{line_size}}) {
        EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get("nothing", beyond)); }),
                  source_failure::past_the_end);
    }
    source.put("nothing", 10);
    cache.invalidate("nothing");
    EXPECT_EQ(cache.get("nothing", 0).bytes().size(), 10u);
}

TEST_F(line_cache_get, prefetches_an_empty_object) {
    source.put("nothing", 0);
    cache.prefetch("nothing", 0, 3);
    EXPECT_TRUE(cache.get("nothing", 0).bytes().empty());
    EXPECT_FALSE(cache.get_range("nothing", 0, 3 * line_size));
    EXPECT_EQ(source.requests().front().object, "nothing");
}

TEST_F(line_cache_get, describes_an_object_from_its_lines) {
    EXPECT_EQ(cache.describe("a").size, 3 * line_size + 100);
    static_cast<void>(cache.get("a", 0));
    EXPECT_EQ(cache.describe("a").entity_tag, "version 1");
    EXPECT_EQ(reason_of([&] { static_cast<void>(cache.describe("b")); }),
              source_failure::not_found);
}

TEST_F(line_cache_get, knows_many_objects) {
    for (int i = 0; i != 500; ++i) {
        const std::string name = "object " + std::to_string(i);
        source.put(name, 50);
        const line only = cache.get(name, 7);
        EXPECT_EQ(only.object(), name);
        EXPECT_TRUE(are_made(only.bytes(), name, 1, 0));
    }
    EXPECT_EQ(cache.statistics().evictions, 496u);
}

TEST_F(line_cache_get, leaves_held_lines_valid_after_destruction) {
    line kept;
    EXPECT_FALSE(kept);
    EXPECT_TRUE(kept.bytes().empty());
    {
        line_cache<scripted_source> brief(source, room_for(1, line_size));
        kept = brief.get("a", 0);
    }
    EXPECT_TRUE(kept);
    const line copy = kept;
    kept = line();
    EXPECT_TRUE(are_made(copy.bytes(), "a", 1, 0));
}

TEST_F(line_cache_get, reports_the_cost_of_a_line) {
    const line first = cache.get("a", 0);
    EXPECT_EQ(first.cost().bytes_copied, line_size);
    EXPECT_EQ(first.cost().bytes_zeroed, line_size) << "the memory was new";
    EXPECT_GT(first.cost().fetch_time.count(), 0);
    EXPECT_EQ(cache.statistics().bytes_zeroed, line_size);
}

TEST(line_cache_construction, may_own_the_source) {
    auto source = std::make_unique<scripted_source>();
    source->put("a", 10);
    line_cache cache(std::move(source), room_for(1, line_size));
    EXPECT_EQ(cache.get("a", 0).bytes().size(), 10u);
    EXPECT_EQ(cache.source().request_count(), 1u);
}

TEST(line_cache_construction, accepts_any_multiple_of_4096) {
    scripted_source source;
    source.put("a", 40'000);
    line_cache_options asked = room_for(1, line_size);
    asked.line_size = 3 * 4096;
    asked.capacity = 5 * asked.line_size - 1;
    line_cache<scripted_source> cache(source, asked);
    for (std::uint64_t offset = 0; offset < 40'000; offset += 1'000) {
        const line found = cache.get("a", offset);
        EXPECT_EQ(found.offset(), offset / asked.line_size * asked.line_size);
        EXPECT_TRUE(are_made(found.bytes(), "a", 1, found.offset()));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.bytes().data()) % 4096, 0u);
    }
    EXPECT_EQ(cache.statistics().misses, 4u);
}

TEST(line_cache_construction, aligns_large_lines_to_huge_pages) {
    scripted_source source;
    source.put("a", 10'000'000);
    line_cache_options asked = room_for(1, line_size);
    asked.line_size = 2 * huge_page_size;
    asked.capacity = 2 * asked.line_size;
    line_cache<scripted_source> cache(source, asked);
    const line first = cache.get("a", 0, 1);
    const line second = cache.get("a", asked.line_size, 1);
    for (const line& each : {first, second}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(each.bytes().data()) % huge_page_size, 0u);
    }
}

TEST(wait_histogram, has_a_class_for_each_power_of_two) {
    detail::wait_recorder recorder;
    EXPECT_EQ(recorder.read().quantile(0.5).count(), 0);
    for (const std::int64_t micros : {0, 1, 2, 3, 1000}) {
        recorder.add(std::chrono::microseconds(micros));
    }
    recorder.add(std::chrono::hours(24));
    const wait_histogram read = recorder.read();
    EXPECT_EQ(read.total(), 6u);
    EXPECT_EQ(read.counts[0], 1u);
    EXPECT_EQ(read.counts[1], 1u);
    EXPECT_EQ(read.counts[2], 2u);
    EXPECT_EQ(read.counts[10], 1u);
    EXPECT_EQ(read.counts[wait_histogram::classes - 1], 1u);
    EXPECT_EQ(read.quantile(0.5).count(), 4);
    EXPECT_EQ(read.quantile(0.8).count(), 1024);
}

TEST(line_cache_statistics, are_a_text_for_people) {
    line_cache_statistics figures;
    figures.hits = 7;
    figures.joined = 2;
    figures.misses = 3;
    figures.cancelled = 1;
    figures.requests = 5;
    figures.bytes_fetched = 4096;
    figures.bytes_wasted = 1024;
    figures.prefetched = 4;
    figures.bytes_held = 8192;
    figures.most_bytes_held = 12288;
    figures.bytes_in_lines = 4096;
    figures.lines = 6;
    figures.waits.counts[0] = 1;
    figures.waits.counts[11] = 4;
    std::ostringstream text;
    text << figures;
    EXPECT_EQ(text.str(),
              "12 gets: 7 hits, 2 joined, 3 misses; 1 cancelled, 0 refusals\n"
              "5 requests, 0 failures; 4096 bytes fetched, 1024 wasted; 4 lines prefetched, "
              "0 refetched, 0 evictions\n"
              "8192 bytes held, 12288 at the peak, 4096 in lines, 6 lines in the cache; "
              "0 bytes zeroed, 0 page faults\n"
              "5 waits, half of them below 2048 us, 99 % below 2048 us\n"
              "       from us         waits\n"
              "             0             1\n"
              "          1024             4\n");
}

std::string refusal(const line_cache_options& asked) {
    scripted_source source;
    try {
        const line_cache<scripted_source> cache(source, asked);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

TEST(line_cache_construction, refuses_impossible_options) {
    line_cache_options asked = room_for(1, line_size);
    asked.line_size = 5000;
    EXPECT_EQ(refusal(asked),
              "line_cache 'tested': line_size is 5000; it must be a multiple of 4096");
    asked = room_for(1, line_size);
    asked.capacity = line_size - 1;
    EXPECT_EQ(refusal(asked),
              "line_cache 'tested': capacity is 8191 bytes; it must be at least one line, 8192");
    asked = room_for(1, line_size);
    asked.reserve = asked.capacity + 1;
    EXPECT_EQ(refusal(asked),
              "line_cache 'tested': reserve is 8193 bytes; it must be at most the capacity, 8192");
    asked = room_for(1, line_size);
    asked.coalesce = 0;
    EXPECT_EQ(refusal(asked),
              "line_cache 'tested': coalesce is 0; a request asks for at least one line");
}

}  // namespace
}  // namespace freehold::line_cache_test
