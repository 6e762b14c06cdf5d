// SPDX-License-Identifier: BSL-1.0
// The bound on memory, what happens at the bound, which line is evicted, and how memory is reused.
#include <freehold/detail/sanitizers.hpp>
#include <freehold/line/line_cache.hpp>

#include "contracts/observed_resource.hpp"
#include "line/cached_line.hpp"
#include "line/eviction_order.hpp"
#include "line/line_store.hpp"
#include "line/object_table.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"
#include "skip.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::line_cache_memory_test {
namespace {

using contracts::observed_resource;
using tests::are_made;
using tests::room_for;
using tests::scripted_source;

constexpr std::size_t line_size = 4096;

class line_cache_memory : public testing::Test {
protected:
    line_cache_memory() { source.put("a", 1'000 * line_size); }

    // Room for one line. A get that finds no memory waits for it.
    static line_cache_options room_for_one_that_waits(std::chrono::milliseconds limit) {
        line_cache_options asked = room_for(1, line_size);
        asked.when_full = line_cache_options::full::wait;
        asked.wait_limit = limit;
        return asked;
    }
    template <class Cache>
    static line get(Cache& cache, std::uint64_t number) {
        line found = cache.get("a", number * line_size);
        EXPECT_TRUE(are_made(found.bytes(), "a", 1, number * line_size));
        return found;
    }
    // Whether the line was in the cache. It is afterwards.
    template <class Cache>
    bool has(Cache& cache, std::uint64_t number) {
        const std::size_t before = source.request_count();
        get(cache, number);
        return source.request_count() == before;
    }

    scripted_source source;
};

TEST_F(line_cache_memory, is_reused_and_stays_within_capacity) {
    observed_resource upstream;
    line_cache_options asked = room_for(10, line_size);
    asked.upstream = &upstream;
    {
        line_cache<scripted_source> cache(source, asked);
        for (std::uint64_t i = 0; i != 100; ++i) get(cache, i);
        const line_cache_statistics now = cache.statistics();
        EXPECT_EQ(now.evictions, 90u);
        EXPECT_EQ(now.lines, 10u);
        EXPECT_EQ(now.bytes_held, 10 * line_size);
        EXPECT_EQ(now.most_bytes_held, 10 * line_size);
        EXPECT_EQ(now.bytes_in_lines, 10 * line_size);
        EXPECT_EQ(now.bytes_zeroed, 10 * line_size) << "only what was new";
        EXPECT_EQ(upstream.allocations(), 1);
    }
    EXPECT_EQ(upstream.pieces_lent(), 0u);
}

TEST_F(line_cache_memory, is_taken_by_the_constructor_as_far_as_it_is_reserved) {
    observed_resource upstream;
    line_cache_options asked = room_for(4, std::size_t{2} << 20);
    asked.upstream = &upstream;
    asked.reserve = 2 * asked.line_size + 1;
    {
        line_cache<scripted_source> cache(source, asked);
        EXPECT_EQ(cache.statistics().bytes_held, 3 * asked.line_size);
        EXPECT_EQ(upstream.allocations(), 3);
        const line held = cache.get("a", 0);
        EXPECT_EQ(upstream.allocations(), 3);
        EXPECT_EQ(cache.trim(), 2 * asked.line_size) << "as memory that no reader holds";
    }
    EXPECT_EQ(upstream.pieces_lent(), 0u);
}

TEST_F(line_cache_memory, is_given_back_if_not_all_that_is_reserved_is_there) {
    observed_resource upstream;
    line_cache_options asked = room_for(4, std::size_t{2} << 20);
    asked.upstream = &upstream;
    asked.reserve = asked.capacity;
    upstream.fail_from(3);
    EXPECT_THROW(line_cache<scripted_source>(source, asked), std::bad_alloc);
    EXPECT_EQ(upstream.pieces_lent(), 0u);
}

TEST_F(line_cache_memory, that_is_reserved_and_prefaulted_costs_the_reader_no_zeroing) {
    line_cache_options asked = room_for(2, std::size_t{2} << 20);
    asked.reserve = asked.capacity;
    asked.prefault = true;
    line_cache<scripted_source> cache(source, asked);
    EXPECT_EQ(cache.statistics().bytes_held, asked.capacity);
    static_cast<void>(cache.get("a", 0));
    EXPECT_EQ(cache.statistics().bytes_zeroed, 0u);
}

TEST_F(line_cache_memory, tells_the_source_whether_it_is_recycled) {
    std::vector<bool> recycled;
    source.on_request([&](line_read& read) {
        recycled.push_back(read.room_is_recycled());
        source.serve(read);
    });
    line_cache<scripted_source> cache(source, room_for(1, line_size));
    get(cache, 0);
    get(cache, 1);
    EXPECT_EQ(recycled, (std::vector<bool>{false, false})) << "nothing has begun";
    recycled.clear();
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin({1'000 * line_size, "version 1"}));
        recycled.push_back(read.room_is_recycled());
        EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, read.offset(), line_size)));
        recycled.push_back(read.room_is_recycled());
        read.finish();
    });
    get(cache, 2);
    line_cache<scripted_source> other(source, room_for(1, line_size));
    get(other, 0);
    EXPECT_EQ(recycled, (std::vector<bool>{true, false, false, false}));
}

TEST_F(line_cache_memory, never_evicts_a_held_line) {
    line_cache<scripted_source> cache(source, room_for(4, line_size));
    const line held = get(cache, 0);
    for (std::uint64_t i = 1; i != 50; ++i) get(cache, i);
    EXPECT_EQ(held, get(cache, 0));
    EXPECT_TRUE(are_made(held.bytes(), "a", 1, 0));
}

TEST_F(line_cache_memory, throws_cache_full_if_all_lines_are_held) {
    line_cache<scripted_source> cache(source, room_for(2, line_size));
    const line first = get(cache, 0);
    line second = get(cache, 1);
    try {
        get(cache, 2);
        FAIL() << "there was no memory for it";
    } catch (const cache_full& error) {
        EXPECT_STREQ(error.what(),
                     "line_cache 'tested': all 2 lines of 4096 bytes are in use; release lines, or "
                     "increase its capacity");
    }
    EXPECT_EQ(cache.statistics().refusals, 1u);
    EXPECT_EQ(cache.statistics().lines, 2u);
    second = line();
    EXPECT_TRUE(get(cache, 2)) << "the failure is not remembered";
}

TEST_F(line_cache_memory, counts_held_lines_that_were_dropped) {
    line_cache<scripted_source> cache(source, room_for(2, line_size));
    const std::vector<line> held = {get(cache, 0), get(cache, 1)};
    cache.invalidate("a");
    EXPECT_EQ(cache.statistics().lines, 0u);
    EXPECT_EQ(cache.statistics().bytes_in_lines, 2 * line_size);
    EXPECT_THROW(get(cache, 0), cache_full);
}

TEST_F(line_cache_memory, waits_for_a_release_if_configured) {
    line_cache<scripted_source> cache(source, room_for_one_that_waits(std::chrono::hours(1)));
    line held = get(cache, 0);
    std::thread other([&] { get(cache, 1); });
    WAIT_UNTIL(cache.statistics().misses == 2);
    held = line();
    other.join();
    EXPECT_EQ(cache.statistics().refusals, 0u);

    // And for a line that was dropped meanwhile.
    held = get(cache, 2);
    std::thread third([&] { get(cache, 3); });
    WAIT_UNTIL(cache.statistics().misses == 4);
    cache.invalidate("a");
    held = line();
    third.join();
}

TEST_F(line_cache_memory, is_not_waited_for_by_a_range) {
    source.put("b", 2 * line_size);
    line_cache<scripted_source> cache(source, room_for_one_that_waits(std::chrono::hours(1)));
    line held = get(cache, 0);
    std::thread other([&] { EXPECT_TRUE(cache.get("b", 0)); });
    WAIT_UNTIL(cache.statistics().misses == 2);
    std::stop_source stop;
    stop.request_stop();  // ends each wait
    EXPECT_FALSE(cache.get_range("b", 0, line_size, stop.get_token()));
    held = line();
    other.join();
}

TEST_F(line_cache_memory, is_waited_for_until_a_function_says_stop) {
    line_cache<scripted_source> cache(source, room_for_one_that_waits(std::chrono::hours(1)));
    const line held = get(cache, 0);
    std::atomic<bool> is_stopped{false};
    std::thread stopped([&] {
        EXPECT_EQ(
            tests::reason_of([&] {
                static_cast<void>(cache.get("a", line_size, 1, [&] { return is_stopped.load(); }));
            }),
            source_failure::cancelled);
    });
    WAIT_UNTIL(cache.statistics().misses == 2);
    is_stopped = true;
    stopped.join();
    EXPECT_EQ(cache.statistics().refusals, 0u);
    EXPECT_EQ(cache.statistics().cancelled, 1u);
}

// Other readers that wait for the line continue.
TEST_F(line_cache_memory, is_waited_for_until_a_stop) {
    line_cache<scripted_source> cache(source, room_for_one_that_waits(std::chrono::hours(1)));
    line held = get(cache, 0);
    std::stop_source stop;
    std::thread stopped([&] {
        EXPECT_EQ(tests::reason_of(
                      [&] { static_cast<void>(cache.get("a", line_size, stop.get_token())); }),
                  source_failure::cancelled);
    });
    WAIT_UNTIL(cache.statistics().misses == 2);
    std::thread joined([&] { get(cache, 1); });
    WAIT_UNTIL(cache.statistics().joined == 1);
    stop.request_stop();
    stopped.join();
    held = line();
    joined.join();
    const line_cache_statistics now = cache.statistics();
    EXPECT_EQ(now.hits + now.joined + now.misses, 3u) << "each get counts once";
    EXPECT_EQ(now.refusals, 0u);
    EXPECT_EQ(now.cancelled, 1u);
}

// Each line is inspected once where it enters, and once where it stays.
TEST(eviction_order, stops_after_one_round_if_all_lines_are_pinned) {
    constexpr std::uint64_t lines = 50;
    const auto store = make_arc<detail::line_store>(room_for(lines, line_size));
    const auto object = make_arc<detail::object_entry>("a");
    detail::eviction_order<detail::cached_line> order(lines);
    std::vector<arc<detail::cached_line>> kept;
    for (std::uint64_t i = 0; i != lines; ++i) {
        kept.push_back(make_arc<detail::cached_line>(store, object, 0, i, i));
        EXPECT_FALSE(order.insert(*kept.back()));
    }
    std::uint64_t looks = 0;
    const auto decide = [&](const detail::cached_line& line) {
        ++looks;
        return line.queue == detail::queue_name::main ? detail::verdict::pinned
                                                      : detail::verdict::recently_used;
    };
    EXPECT_FALSE(order.evict_one(decide));
    EXPECT_EQ(looks, 2 * lines);
    EXPECT_FALSE(order.evict_one(decide));
    EXPECT_EQ(looks, 3 * lines);
    EXPECT_EQ(order.size(), lines);
}

TEST_F(line_cache_memory, waits_no_longer_than_wait_limit) {
    constexpr std::chrono::milliseconds limit(5);
    line_cache<scripted_source> cache(source, room_for_one_that_waits(limit));
    const line held = get(cache, 0);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(get(cache, 1), cache_full);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, limit);
}

TEST_F(line_cache_memory, is_freed_by_trim_except_held_lines) {
    observed_resource upstream;
    line_cache_options asked = room_for(1'024, line_size);
    asked.upstream = &upstream;
    line_cache<scripted_source> cache(source, asked);
    constexpr std::uint64_t lines_of_2_mib = 512;
    for (std::uint64_t i = 0; i != lines_of_2_mib + 10; ++i) get(cache, i);
    EXPECT_EQ(upstream.pieces_lent(), 2u);
    line held = get(cache, 3);
    EXPECT_EQ(cache.trim(), huge_page_size) << "the part that no line is held of";
    EXPECT_EQ(cache.statistics().lines, 1u);
    EXPECT_EQ(held, get(cache, 3));
    held = line();
    EXPECT_EQ(cache.trim(), huge_page_size);
    EXPECT_EQ(upstream.pieces_lent(), 0u);
    EXPECT_EQ(cache.statistics().bytes_held, 0u);
    for (std::uint64_t i = 0; i != 600; ++i) get(cache, i);
}

TEST_F(line_cache_memory, comes_from_evictions_if_the_upstream_fails) {
    observed_resource upstream;
    line_cache_options asked = room_for(2, line_size);
    asked.line_size = huge_page_size;
    asked.capacity = 4 * asked.line_size;
    asked.upstream = &upstream;
    source.put("b", 8 * huge_page_size);
    line_cache<scripted_source> cache(source, asked);
    static_cast<void>(cache.get("b", 0));
    upstream.fail_from(1);
    EXPECT_EQ(cache.get("b", huge_page_size).bytes().size(), huge_page_size);
    const line held = cache.get("b", huge_page_size);
    EXPECT_THROW(static_cast<void>(cache.get("b", 0)), std::bad_alloc);
    upstream.fail_from(0);
    EXPECT_EQ(cache.get("b", 0).bytes().size(), huge_page_size);
}

// S3-FIFO: lines that were read twice stay, whatever is read once.
TEST_F(line_cache_memory, survives_a_scan) {
    constexpr std::uint64_t lines = 40;
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    for (int round = 0; round != 4; ++round) {
        for (std::uint64_t i = 0; i != lines / 2; ++i) get(cache, i);
    }
    for (std::uint64_t i = 100; i != 900; ++i) get(cache, i);
    std::size_t left = 0;
    for (std::uint64_t i = 0; i != lines / 2; ++i) left += has(cache, i) ? 1 : 0;
    EXPECT_EQ(left, lines / 2);
}

TEST_F(line_cache_memory, evicts_lines_that_are_no_longer_used) {
    constexpr std::uint64_t lines = 20;
    line_cache<scripted_source> cache(source, room_for(lines, line_size));
    for (int round = 0; round != 5; ++round) {
        for (std::uint64_t i = 0; i != lines; ++i) get(cache, i);
    }
    constexpr std::uint64_t later = lines / 2;
    for (int round = 0; round != 8; ++round) {
        for (std::uint64_t i = 100; i != 100 + later; ++i) get(cache, i);
    }
    for (std::uint64_t i = 100; i != 100 + later; ++i) EXPECT_TRUE(has(cache, i)) << i;
}

TEST_F(line_cache_memory, counts_early_evictions) {
    line_cache<scripted_source> cache(source, room_for(10, line_size));
    for (std::uint64_t i = 0; i != 12; ++i) get(cache, i);
    EXPECT_EQ(cache.statistics().refetched, 0u);
    EXPECT_FALSE(has(cache, 0));
    EXPECT_EQ(cache.statistics().refetched, 1u);
    // It is in the main queue now, and outlives others that were read as often.
    for (std::uint64_t i = 20; i != 40; ++i) get(cache, i);
    EXPECT_TRUE(has(cache, 0));
}

// The bytes that another object left in a line's memory are never part of the line.
TEST_F(line_cache_memory, never_shows_earlier_contents) {
    line_cache<scripted_source> cache(source, room_for(1, line_size));
    get(cache, 0);
    source.put("b", 100);
    const line brief = cache.get("b", 0);
    EXPECT_EQ(brief.bytes().size(), 100u);
    EXPECT_TRUE(are_made(brief.bytes(), "b", 1, 0));
    if constexpr (detail::under_address_sanitizer) {
        EXPECT_DEATH(
            static_cast<void>(*static_cast<const volatile std::byte*>(brief.bytes().data() + 100)),
            "use-after-poison");
    }
}

TEST_F(line_cache_memory, faults_in_once_despite_fork) {
    if constexpr (detail::under_address_sanitizer || detail::under_thread_sanitizer) {
        return tests::does_not_apply("the memory of the sanitizer faults as well");
    }
    line_cache_options asked = room_for(1, line_size);
    asked.line_size = 4 * huge_page_size;
    asked.capacity = asked.line_size;
    asked.huge = huge_pages::never;
    source.put("b", 3 * asked.line_size);
    source.on_request([&](line_read& read) { source.serve(read, 1 << 20); });
    line_cache<scripted_source> cache(source, asked);
    EXPECT_GT(cache.get("b", 0).cost().faults, 0u);
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) ::_exit(0);
    EXPECT_LE(cache.get("b", asked.line_size).cost().faults, 8u);
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_LE(cache.get("b", 2 * asked.line_size).cost().faults, 8u);
    EXPECT_EQ(cache.get("b", 2 * asked.line_size).cost().bytes_zeroed, 0u);
}

}  // namespace
}  // namespace freehold::line_cache_memory_test
