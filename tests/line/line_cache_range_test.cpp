// SPDX-License-Identifier: BSL-1.0
// Where lines lie in memory, and what get_range returns: bytes across lines in one piece.
#include <freehold/line/line_cache.hpp>

#include "contracts/observed_resource.hpp"
#include "line/cached_line.hpp"
#include "line/line_store.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::line_cache_range_test {
namespace {

using contracts::observed_resource;
using tests::are_made;
using tests::reason_of;
using tests::room_for;
using tests::scripted_source;
using scripted_cache = line_cache<scripted_source>;

constexpr std::uint64_t line_size = 4096;

class line_cache_range : public testing::Test {
protected:
    line_cache_range() {
        source.put("a", 1'000 * line_size);
        source.put("b", 1'000 * line_size);
    }

    static line_cache_options with_requests_of(unsigned coalesce, std::size_t lines) {
        line_cache_options asked = room_for(lines, line_size);
        asked.coalesce = coalesce;
        return asked;
    }
    static line_range get(scripted_cache& cache, const std::string& object, std::uint64_t first,
                          std::uint64_t lines) {
        line_range found = cache.get_range(object, first * line_size, lines * line_size);
        if (found) {
            EXPECT_EQ(found.bytes().size(), lines * line_size);
            EXPECT_TRUE(are_made(found.bytes(), object, 1, first * line_size));
        }
        return found;
    }
    // So that the object's size is known.
    static void touch(scripted_cache& cache, const std::string& object) {
        static_cast<void>(cache.get(object, 999 * line_size));
    }

    scripted_source source{0};
};

TEST_F(line_cache_range, is_in_one_piece_in_an_empty_cache) {
    scripted_cache cache(source, with_requests_of(8, 64));
    const line_range found = get(cache, "a", 3, 20);
    ASSERT_TRUE(found);
    EXPECT_EQ(found.object(), "a");
    EXPECT_EQ(found.object_size(), 1'000 * line_size);
    EXPECT_EQ(found.entity_tag(), "version 1");
    EXPECT_EQ(source.request_count(), 4u) << "one line, which tells the size, and 19";
    const line_range part = cache.get_range("a", 5 * line_size + 7, line_size);
    ASSERT_TRUE(part);
    EXPECT_EQ(part.bytes().data(), found.bytes().data() + 2 * line_size + 7);
    EXPECT_EQ(part.bytes().size(), line_size);
    EXPECT_EQ(source.request_count(), 4u);
}

TEST_F(line_cache_range, that_is_prefetched_is_in_one_piece_whatever_else_is) {
    scripted_cache cache(source, with_requests_of(4, 128));
    touch(cache, "a");
    touch(cache, "b");
    for (std::uint64_t i = 0; i != 4; ++i) {
        const std::vector<byte_range> ranges = {{20 * i * line_size, 11 * line_size}};
        cache.prefetch("a", ranges);
        cache.prefetch("b", ranges);
    }
    for (std::uint64_t i = 0; i != 4; ++i) {
        EXPECT_TRUE(get(cache, "a", 20 * i, 11)) << i;
        EXPECT_TRUE(get(cache, "b", 20 * i, 11)) << i;
    }
}

TEST_F(line_cache_range, of_lines_that_were_read_ahead_is_in_one_piece) {
    line_cache_options asked = with_requests_of(2, 64);
    asked.prefetch = 6;
    scripted_cache cache(source, asked);
    touch(cache, "a");
    static_cast<void>(cache.get("a", 10 * line_size));
    const std::size_t requests = source.request_count();
    EXPECT_TRUE(get(cache, "a", 10, 7));
    EXPECT_EQ(source.request_count(), requests + 3) << "only what is read ahead of the last line";
}

// The memory has 16 slots: 0-1 a, 2-5 free, 6-7 a, 8-9 free, 10-15 others.
class line_cache_range_between : public line_cache_range {
protected:
    line_cache_range_between() {
        for (const char* const name : {"x", "y", "z", "t", "u"}) source.put(name, 8 * line_size);
        get_lines("t", 0, 1);  // becomes free at the end
        cache.invalidate("t");
        get_lines("a", 10, 2);
        get_lines("x", 0, 4);
        get_lines("a", 16, 2);
        get_lines("y", 0, 2);
        get_lines("z", 0, 6);
        cache.invalidate("x");
        cache.invalidate("y");
    }
    void get_lines(const std::string& object, std::uint64_t first, std::uint64_t lines) {
        for (std::uint64_t i = 0; i != lines; ++i) {
            static_cast<void>(cache.get(object, (first + i) * line_size));
        }
    }

    scripted_cache cache{source, with_requests_of(4, 16)};
};

TEST_F(line_cache_range_between, lies_behind_the_line_before_it) {
    cache.prefetch("a", 12 * line_size, 2);
    EXPECT_TRUE(get(cache, "a", 10, 4));
}

TEST_F(line_cache_range_between, lies_before_the_line_behind_it) {
    cache.prefetch("a", 14 * line_size, 2);
    EXPECT_TRUE(get(cache, "a", 14, 4));
}

TEST_F(line_cache_range_between, fills_the_gap_between_two_lines) {
    EXPECT_TRUE(get(cache, "a", 10, 8));
    EXPECT_EQ(cache.statistics().evictions, 0u);
}

TEST_F(line_cache_range_between, takes_the_smallest_place_that_is_large_enough) {
    cache.prefetch("u", 0, 1);
    cache.prefetch("u", 4 * line_size, 1);
    EXPECT_TRUE(get(cache, "a", 12, 4)) << "the place of four lines is still whole";
}

TEST_F(line_cache_range_between, lies_elsewhere_if_it_does_not_fit) {
    EXPECT_TRUE(get(cache, "u", 0, 4));
    EXPECT_TRUE(get(cache, "a", 12, 2));
    EXPECT_FALSE(get(cache, "a", 10, 4));
    EXPECT_EQ(cache.statistics().evictions, 0u);
}

TEST_F(line_cache_range, that_spans_two_places_is_empty) {
    scripted_cache cache(source, room_for(64, line_size));
    static_cast<void>(cache.get("a", line_size));
    static_cast<void>(cache.get("a", 0));
    const std::size_t requests = source.request_count();
    EXPECT_FALSE(get(cache, "a", 0, 2));
    EXPECT_EQ(source.request_count(), requests);
    EXPECT_TRUE(get(cache, "a", 0, 1));
}

TEST_F(line_cache_range, is_in_one_piece_after_evictions_of_a_scan) {
    scripted_cache cache(source, with_requests_of(8, 64));
    touch(cache, "a");
    for (std::uint64_t i = 0; i + 8 < 999; i += 8) {
        EXPECT_TRUE(get(cache, "a", i, 8)) << i;
    }
    EXPECT_LE(cache.statistics().most_bytes_held, cache.options().capacity);
}

// A source of objects of which only the first eight bytes of each line are written.
std::uint64_t mark_of(std::string_view object, std::uint64_t line) {
    return std::hash<std::string_view>()(object) * 31 + line;
}
void serve_marks(line_read& read) {
    EXPECT_TRUE(read.begin({64 * line_size, "version 1"}));
    for (std::uint64_t at = read.offset(); at != read.offset() + read.size(); at += line_size) {
        const std::uint64_t mark = mark_of(read.object(), at / line_size);
        std::memcpy(read.room().data(), &mark, sizeof mark);
        static_cast<void>(read.arrived(line_size));
    }
    read.finish();
}
bool are_marked(std::span<const std::byte> bytes, std::string_view object) {
    for (std::size_t at = 0; at < bytes.size(); at += line_size) {
        std::uint64_t mark = 0;
        std::memcpy(&mark, bytes.data() + at, sizeof mark);
        if (mark != mark_of(object, at / line_size)) return false;
    }
    return true;
}

// Reads the first lines of objects: 2 to `longest`, the same number each time. A twentieth of the
// objects is hot. Returns which share of the reads was in one piece.
struct random_load {
    double in_one_piece = 0;
    double hits = 0;
};
random_load read_at_random(scripted_source& source, const line_cache_options& asked,
                           std::uint64_t longest, double share_of_hot) {
    constexpr std::uint64_t objects = 4'000;
    constexpr int warm_up = 10'000;
    constexpr int reads = 20'000;
    for (std::uint64_t i = 0; i != objects; ++i) {
        source.put("table " + std::to_string(i), 64 * line_size);
    }
    source.on_request(serve_marks);
    scripted_cache cache(source, asked);
    std::mt19937 random(7);
    const auto below = [&](std::uint64_t end) { return random() % end; };
    double in_one_piece = 0;
    double lines_read = 0;
    double fetched_before = 0;
    for (int i = 0; i != warm_up + reads; ++i) {
        const bool is_hot = static_cast<double>(below(1'000)) < 1'000 * share_of_hot;
        const std::uint64_t number = below(is_hot ? objects / 20 : objects);
        const std::uint64_t lines = 2 + number * 7 % (longest - 1);
        const std::string object = "table " + std::to_string(number);
        const line_range found = cache.get_range(object, 0, lines * line_size);
        EXPECT_TRUE(are_marked(found.bytes(), object));
        if (!found) {
            for (std::uint64_t j = 0; j != lines; ++j) {
                static_cast<void>(cache.get(object, j * line_size));
            }
        }
        if (i == warm_up) fetched_before = static_cast<double>(cache.statistics().bytes_fetched);
        if (i < warm_up) continue;
        if (found) ++in_one_piece;
        lines_read += static_cast<double>(lines);
    }
    const line_cache_statistics now = cache.statistics();
    EXPECT_LE(now.most_bytes_held, asked.capacity);
    const double fetched =
        (static_cast<double>(now.bytes_fetched) - fetched_before) / double{line_size};
    return {in_one_piece / reads, 1 - fetched / lines_read};
}

class line_cache_random_load : public line_cache_range {
protected:
    void expect(double in_one_piece, std::uint64_t longest, double share_of_hot,
                std::size_t lines) {
        const random_load load =
            read_at_random(source, with_requests_of(32, lines), longest, share_of_hot);
        RecordProperty("in_one_piece", std::to_string(load.in_one_piece));
        RecordProperty("hits", std::to_string(load.hits));
        EXPECT_GT(load.in_one_piece, in_one_piece);
    }
};

TEST_F(line_cache_random_load, is_mostly_in_one_piece_if_most_lines_are_read_once) {
    expect(0.9, 16, 0.0, 2'000);
}
TEST_F(line_cache_random_load, is_mostly_in_one_piece_beside_hot_lines) {
    expect(0.8, 16, 0.8, 3'000);
}
TEST_F(line_cache_random_load, is_often_in_one_piece_if_the_runs_are_long) {
    expect(0.2, 60, 0.5, 4'000);
}

TEST_F(line_cache_range, is_never_evicted_while_it_is_held) {
    scripted_cache cache(source, with_requests_of(8, 32));
    touch(cache, "a");
    touch(cache, "b");
    line_range held = get(cache, "a", 0, 8);
    const std::byte* const bytes = held.bytes().data();
    for (std::uint64_t i = 0; i + 8 < 900; i += 8) static_cast<void>(get(cache, "b", i, 8));
    EXPECT_TRUE(are_made(held.bytes(), "a", 1, 0));
    EXPECT_EQ(get(cache, "a", 0, 8).bytes().data(), bytes);
    line_range moved = std::move(held);
    EXPECT_FALSE(held);
    EXPECT_TRUE(held.bytes().empty());
    line_range other = get(cache, "b", 0, 2);
    other = std::move(moved);
    EXPECT_FALSE(moved) << "it does not get the other's lines";
    moved = std::move(other);
    held = line_range();
    for (std::uint64_t i = 0; i + 8 < 900; i += 8) static_cast<void>(get(cache, "b", i, 8));
    EXPECT_TRUE(are_made(moved.bytes(), "a", 1, 0));
    moved = line_range();
    for (std::uint64_t i = 0; i + 8 < 900; i += 8) static_cast<void>(get(cache, "b", i, 8));
    const std::size_t requests = source.request_count();
    static_cast<void>(get(cache, "a", 0, 8));
    EXPECT_GT(source.request_count(), requests) << "it was released";
}

TEST_F(line_cache_range, outlives_the_cache_and_its_lines) {
    line_range held;
    {
        scripted_cache cache(source, with_requests_of(8, 32));
        held = get(cache, "a", 0, 8);
        cache.invalidate("a");
        EXPECT_EQ(cache.statistics().bytes_in_lines, 8 * line_size);
        EXPECT_EQ(cache.trim(), 0u);
    }
    EXPECT_TRUE(are_made(held.bytes(), "a", 1, 0));
}

TEST_F(line_cache_range, ends_with_the_object) {
    source.put("short", 3 * line_size + 100);
    scripted_cache cache(source, with_requests_of(8, 32));
    const auto expect_end = [&](std::uint64_t offset, std::uint64_t size) {
        const line_range found = cache.get_range("short", offset, size);
        EXPECT_EQ(found.bytes().size(), 3 * line_size + 100 - offset);
        EXPECT_TRUE(are_made(found.bytes(), "short", 1, offset));
    };
    expect_end(line_size + 5, 100 * line_size);
    expect_end(line_size + 5, scripted_cache::whole_line);
    expect_end(3 * line_size + 5, line_size);
    EXPECT_FALSE(cache.get_range("short", 0, 0));
    EXPECT_FALSE(cache.get_range("short", 3 * line_size + 100, 10));
    EXPECT_FALSE(cache.get_range("short", 50 * line_size, 10));
    EXPECT_FALSE(cache.get_range("none", 0, 10));
}

TEST_F(line_cache_range, pins_no_more_than_half_of_the_cache) {
    scripted_cache cache(source, with_requests_of(8, 16));
    touch(cache, "a");
    const std::size_t requests = source.request_count();
    EXPECT_FALSE(get(cache, "a", 0, 9));
    EXPECT_EQ(source.request_count(), requests) << "nothing is fetched for nothing";
    line_range first = get(cache, "a", 0, 4);
    const line_range second = get(cache, "a", 10, 4);
    EXPECT_TRUE(first);
    EXPECT_TRUE(second);
    EXPECT_FALSE(get(cache, "a", 0, 2));
    EXPECT_TRUE(get(cache, "a", 0, 1)) << "as a get does";
    first = line_range();
    EXPECT_TRUE(get(cache, "a", 0, 4));
}

TEST_F(line_cache_range, uses_each_line_once) {
    scripted_cache cache(source, with_requests_of(8, 32));
    static_cast<void>(get(cache, "a", 0, 8));
    const line_cache_statistics before = cache.statistics();
    EXPECT_EQ(before.hits + before.joined + before.misses, 8u);
    static_cast<void>(get(cache, "a", 0, 8));
    EXPECT_EQ(cache.statistics().hits - before.hits, 8u);
    // Lines that were read once do not stay, whatever the size of the reads.
    touch(cache, "b");
    for (std::uint64_t i = 0; i + 8 < 200; i += 8) static_cast<void>(get(cache, "b", i, 8));
    EXPECT_EQ(cache.statistics().refetched, 0u);
}

TEST_F(line_cache_range, is_of_one_version) {
    scripted_cache cache(source, with_requests_of(8, 64));
    static_cast<void>(get(cache, "a", 0, 4));
    source.put("a", 1'000 * line_size);
    // The request ends before its lines are looked for.
    EXPECT_FALSE(get(cache, "a", 0, 8));
    const line_range found = cache.get_range("a", 0, 8 * line_size);
    ASSERT_TRUE(found);
    EXPECT_EQ(found.entity_tag(), "version 2");
    EXPECT_TRUE(are_made(found.bytes(), "a", 2, 0));
}

TEST_F(line_cache_range, reports_a_failure_in_the_middle) {
    scripted_cache cache(source, with_requests_of(8, 64));
    touch(cache, "a");
    source.on_request([&](line_read& read) {
        EXPECT_TRUE(read.begin({1'000 * line_size, "version 1"}));
        for (std::uint64_t i = 0; i != 3; ++i) {
            const std::uint64_t at = read.offset() + i * line_size;
            EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, at, line_size)));
        }
        read.fail(scripted_source::failure(source_failure::unreachable));
    });
    // The request ends before its lines are looked for.
    EXPECT_FALSE(get(cache, "a", 0, 8));
    EXPECT_TRUE(get(cache, "a", 0, 3));
    source.on_request({});
    EXPECT_TRUE(get(cache, "a", 0, 3));
    EXPECT_EQ(cache.get("a", 5 * line_size).bytes().size(), line_size);
    cache.invalidate("a");
    EXPECT_EQ(cache.statistics().bytes_in_lines, 0u) << "nothing is pinned";
}

// With a thread of the source, a range waits for its bytes.
class line_cache_range_that_waits : public testing::Test {
protected:
    line_cache_range_that_waits() {
        source.put("a", 100 * line_size);
        static_cast<void>(cache.get("a", 99 * line_size));
        source.hold();
    }
    static line_cache_options options() {
        line_cache_options asked = room_for(64, line_size);
        asked.coalesce = 8;
        return asked;
    }
    // A line whose bytes arrive before the reader looks for it is a hit.
    void wait_for_lookups(std::uint64_t lines) {
        WAIT_UNTIL([&] {
            const line_cache_statistics now = cache.statistics();
            return now.hits + now.joined == lines;
        }());
    }

    scripted_source source;
    scripted_cache cache{source, options()};
};

TEST_F(line_cache_range_that_waits, has_all_bytes) {
    std::thread reader([&] {
        const line_range found = cache.get_range("a", 10, 3 * line_size);
        EXPECT_EQ(found.bytes().size(), 3 * line_size);
        EXPECT_TRUE(are_made(found.bytes(), "a", 1, 10));
    });
    source.serve(source.next(), 100);
    reader.join();
}

TEST_F(line_cache_range_that_waits, is_of_one_version_although_its_requests_are_not) {
    cache.invalidate("a");
    static_cast<void>(cache.open("a", {100 * line_size, {}}));
    std::thread reader(
        [&] { EXPECT_FALSE(cache.get_range("a", 0, 9 * line_size)) << "two requests"; });
    source.serve(source.next());
    line_read& second = source.next();
    wait_for_lookups(9);
    cache.invalidate("a");
    source.put("a", 100 * line_size);
    source.serve(second);
    reader.join();
}

TEST_F(line_cache_range_that_waits, reports_a_failure) {
    // Outlives the reader's use: the sanitizer does not see how the library counts its owners.
    const std::exception_ptr why = scripted_source::failure(source_failure::unreachable);
    std::thread reader([&] {
        EXPECT_EQ(reason_of([&] { static_cast<void>(cache.get_range("a", 0, 3 * line_size)); }),
                  source_failure::unreachable);
    });
    line_read& read = source.next();
    wait_for_lookups(3);
    EXPECT_TRUE(read.begin({100 * line_size, "version 1"}));
    EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, line_size)));
    read.fail(why);
    reader.join();
    EXPECT_EQ(cache.statistics().bytes_in_lines, 2 * line_size);
}

TEST_F(line_cache_range_that_waits, ends_with_a_stop) {
    std::stop_source stop;
    std::atomic<bool> is_stopped{false};
    std::thread by_token([&] {
        EXPECT_EQ(reason_of([&] {
                      static_cast<void>(cache.get_range("a", 0, 3 * line_size, stop.get_token()));
                  }),
                  source_failure::cancelled);
    });
    std::thread by_polling([&] {
        EXPECT_EQ(reason_of([&] {
                      static_cast<void>(cache.get_range("a", 20 * line_size, 3 * line_size,
                                                        [&] { return is_stopped.load(); }));
                  }),
                  source_failure::cancelled);
    });
    line_read& first = source.next();
    line_read& second = source.next();
    wait_for_lookups(6);
    stop.request_stop();
    by_token.join();
    is_stopped = true;
    by_polling.join();
    source.serve(first);
    source.serve(second);
    EXPECT_TRUE(cache.get_range("a", 0, 3 * line_size)) << "others get the bytes";
    EXPECT_TRUE(cache.get_range("a", 20 * line_size, 3 * line_size));
}

// Slabs of 2 MiB, each alone.
TEST_F(line_cache_range, lies_in_memory_of_an_upstream) {
    observed_resource upstream;
    line_cache_options asked = with_requests_of(64, 1'024);
    asked.line_size = std::size_t{256} << 10;
    asked.capacity = 32 * asked.line_size;
    asked.upstream = &upstream;
    source.put("large", 64 * asked.line_size);
    source.on_request([&](line_read& read) { source.serve(read, 1 << 20); });
    scripted_cache cache(source, asked);
    static_cast<void>(cache.get("large", 0));
    EXPECT_EQ(upstream.pieces_lent(), 1u);
    EXPECT_TRUE(cache.get_range("large", 10 * asked.line_size, 7 * asked.line_size));
    EXPECT_EQ(upstream.pieces_lent(), 1u);
    static_cast<void>(cache.get_range("large", 20 * asked.line_size, 12 * asked.line_size));
    EXPECT_EQ(upstream.pieces_lent(), 3u) << "no more than is needed";
    EXPECT_TRUE(cache.get_range("large", 20 * asked.line_size, 8 * asked.line_size));
}

// Takes, gives back and trims at random, and compares with a list of what is taken.
TEST(line_store, gives_each_slot_once) {
    for (const std::size_t lines : {1u, 7u, 600u, 1'500u}) {
        observed_resource upstream;
        for (observed_resource* const from :
             {static_cast<observed_resource*>(nullptr), &upstream}) {
            line_cache_options asked = room_for(lines, line_size);
            asked.upstream = from;
            detail::line_store store(asked);
            std::vector<detail::line_slots> taken;
            std::vector<const detail::line_slot*> seen;
            std::size_t taken_lines = 0;
            std::mt19937 random(static_cast<unsigned>(lines));
            for (int i = 0; i != 20'000; ++i) {
                const std::size_t what = random() % 8;
                if (what < 4) {
                    const std::size_t wanted = 1 + random() % 40;
                    // May be free by now, or without memory.
                    const detail::line_slot* const near =
                        seen.empty() ? nullptr : seen[random() % seen.size()];
                    const detail::line_slots slots = what == 0   ? store.take_longest(wanted)
                                                     : what == 1 ? store.take(wanted, near)
                                                     : what == 2 ? store.take(wanted, nullptr, near)
                                                                 : store.take(wanted);
                    ASSERT_LE(slots.count, wanted);
                    for (std::size_t j = 0; j != slots.count; ++j) {
                        ASSERT_EQ(slots.first[j].bytes, slots.first->bytes + j * line_size);
                        ASSERT_EQ(slots.first[j].line, nullptr) << "taken twice";
                        slots.first[j].line = reinterpret_cast<detail::cached_line*>(&store);
                    }
                    taken_lines += slots.count;
                    if (slots.count != 0) taken.push_back(slots);
                    if (slots.count != 0) seen.push_back(slots.first + random() % slots.count);
                } else if (what < 7) {
                    if (taken.empty()) continue;
                    std::swap(taken[random() % taken.size()], taken.back());
                    const detail::line_slots slots = taken.back();
                    taken.pop_back();
                    for (std::size_t j = 0; j != slots.count; ++j) slots.first[j].line = nullptr;
                    taken_lines -= slots.count;
                    store.give_back(slots);
                } else if (random() % 16 == 0) {
                    static_cast<void>(store.trim());
                }
                const detail::line_store_figures now = store.figures();
                ASSERT_EQ(now.taken, taken_lines);
                ASSERT_LE(now.held, lines);
                ASSERT_EQ(store.free_slots(), now.held - taken_lines);
            }
            for (const detail::line_slots& each : taken) store.give_back(each);
            const std::size_t held = store.figures().held * line_size;
            EXPECT_EQ(store.trim(), held);
            store.reserve(asked.capacity);
            const std::size_t adjacent =
                from == nullptr ? lines : std::min<std::size_t>(lines, huge_page_size / line_size);
            const detail::line_slots all = store.take(lines);
            EXPECT_EQ(all.count, adjacent) << "free slots are merged";
            store.give_back(all);
        }
    }
}

}  // namespace
}  // namespace freehold::line_cache_range_test
