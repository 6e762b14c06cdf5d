// SPDX-License-Identifier: BSL-1.0
// What a disk_tier keeps, which version of an object it serves, and what it evicts.
#include <freehold/line/disk_tier.hpp>
#include <freehold/line/line_cache.hpp>

#include "line/disk_lines.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::tests::disk_tier_test {
namespace {

using contracts::observed_read;

class disk_tiers : public testing::Test {
protected:
    std::unique_ptr<scripted_tier> open(std::uint64_t lines = 100) {
        return std::make_unique<scripted_tier>(source, tier_options(folder, lines));
    }

    temporary_folder folder;
    scripted_source source;
};

TEST_F(disk_tiers, read_each_line_from_the_source_once) {
    source.put("a", 5 * disk_line_size - 100);
    const auto tier = open();
    for (int round = 0; round != 3; ++round) {
        for (std::uint64_t i = 0; i != 5; ++i) EXPECT_TRUE(reads_line(*tier, "a", 1, i));
        tier->flush();
    }
    EXPECT_EQ(source.request_count(), 5u);
    const disk_tier_statistics now = tier->statistics();
    EXPECT_EQ(now.hits, 10u);
    EXPECT_EQ(now.misses, 5u);
    EXPECT_EQ(now.written, 5u);
    EXPECT_EQ(now.lines, 5u);
    EXPECT_EQ(now.bytes_on_disk, 5 * disk_line_size - 100);
    EXPECT_EQ(now.bytes_from_disk, 2 * now.bytes_from_source);
    EXPECT_EQ(tier->fault(), "");
}

TEST_F(disk_tiers, request_only_what_is_missing) {
    source.put("a", 8 * disk_line_size);
    const auto tier = open();
    for (const std::uint64_t i : {1, 2, 5}) {
        EXPECT_TRUE(reads_line(*tier, "a", 1, i));
        tier->flush();
    }
    EXPECT_TRUE(reads(*tier, "a", 1, 0, 8 * disk_line_size));
    const auto requests = source.requests();
    ASSERT_EQ(requests.size(), 6u);
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> missing = {{0, 1}, {3, 2}, {6, 2}};
    for (std::size_t i = 0; i != missing.size(); ++i) {
        EXPECT_EQ(requests[3 + i].offset, missing[i].first * disk_line_size);
        EXPECT_EQ(requests[3 + i].size, missing[i].second * disk_line_size);
    }
    tier->flush();
    EXPECT_EQ(tier->statistics().lines, 8u);

    observed_read started("a", 0, 8 * disk_line_size);
    tier->start(started);
    started.wait_for_end();
    EXPECT_TRUE(are_made(started.bytes(), "a", 1, 0));
    EXPECT_EQ(source.request_count(), 6u);
}

TEST_F(disk_tiers, serve_any_part_of_a_line) {
    constexpr std::size_t line = 256 << 10;
    source.put("a", 2 * line + 1000);
    disk_tier_options options = tier_options(folder, 1);
    options.line_size = line;
    options.capacity = 10 * line;
    scripted_tier tier(source, options);
    ASSERT_TRUE(reads(tier, "a", 1, 0, 3 * line));
    tier.flush();
    for (const std::uint64_t offset : {0, 1, 65535, 65536, 100'000, int(line) - 1, 2 * int(line)}) {
        for (const std::uint64_t size : {1, 999, 65536, 65537, 150'000, 2 * int(line)}) {
            EXPECT_TRUE(reads(tier, "a", 1, offset, size)) << offset << ", " << size;
            observed_read small("a", offset, size, "", {.room_at_once = 777});
            tier.fetch(small);
            EXPECT_TRUE(small.finished());
            EXPECT_TRUE(are_made(small.bytes(), "a", 1, offset));
        }
    }
    EXPECT_EQ(source.request_count(), 1u);
}

TEST_F(disk_tiers, stop_when_no_more_is_wanted_but_not_after_the_last_byte) {
    constexpr std::uint64_t size = 3 * disk_line_size;
    source.put("a", size);
    const auto tier = open();
    fill(*tier, "a", 3);
    for (const bool is_started : {false, true}) {
        observed_read half("a", 0, size, "", {.room_at_once = 1000, .wanted_bytes = 20'000});
        observed_read whole("a", 0, size, "", {.wanted_bytes = size});
        for (observed_read* const read : {&half, &whole}) {
            is_started ? tier->start(*read) : tier->fetch(*read);
            read->wait_for_end();
        }
        EXPECT_EQ(half.reason(), source_failure::cancelled);
        EXPECT_GE(half.got(), 20'000u);
        EXPECT_LT(half.got(), 21'000u);
        EXPECT_TRUE(whole.finished()) << whole.message();
    }
    EXPECT_EQ(source.request_count(), 3u);
}

TEST_F(disk_tiers, keep_whole_lines_only) {
    source.put("a", 4 * disk_line_size);
    const auto tier = open();
    EXPECT_TRUE(reads(*tier, "a", 1, 100, 2 * disk_line_size));
    tier->flush();
    EXPECT_EQ(tier->statistics().lines, 1u);
    EXPECT_EQ(tier->statistics().not_whole, 2u);
}

TEST_F(disk_tiers, keep_nothing_of_objects_without_entity_tag) {
    source.without_tags();
    source.put("a", 4 * disk_line_size);
    const auto tier = open();
    for (int i = 0; i != 2; ++i) EXPECT_TRUE(reads_line(*tier, "a", 1, 0));
    tier->flush();
    EXPECT_EQ(tier->statistics().lines, 0u);
    EXPECT_EQ(source.request_count(), 2u);
}

TEST_F(disk_tiers, keep_nothing_of_names_too_long_for_a_header) {
    const std::string name(5000, 'x');
    source.put(name, disk_line_size);
    const auto tier = open();
    for (int i = 0; i != 2; ++i) EXPECT_TRUE(reads_line(*tier, name, 1, 0));
    EXPECT_EQ(tier->statistics().not_whole, 2u);
}

TEST_F(disk_tiers, let_the_source_refuse_a_read_past_the_end) {
    source.put("a", 1000);
    const auto tier = open();
    ASSERT_TRUE(reads_line(*tier, "a", 1, 0));
    tier->flush();
    for (const std::uint64_t offset : {1000, 2000}) {
        observed_read read("a", offset, 100);
        tier->fetch(read);
        EXPECT_EQ(read.reason(), source_failure::past_the_end);
    }
}

TEST_F(disk_tiers, serve_a_read_without_tag_the_version_that_the_source_has) {
    source.put("a", 3 * disk_line_size);
    const auto tier = open();
    fill(*tier, "a", 3);
    source.put("a", 3 * disk_line_size);
    for (std::uint64_t i = 0; i != 3; ++i) EXPECT_TRUE(reads_line(*tier, "a", 2, i));
    tier->flush();
    EXPECT_EQ(tier->statistics().replaced, 3u);
    EXPECT_EQ(tier->statistics().lines, 3u);
}

TEST_F(disk_tiers, serve_a_read_with_tag_without_asking_the_source) {
    source.put("a", 3 * disk_line_size);
    const auto tier = open();
    fill(*tier, "a", 2);
    source.put("a", 3 * disk_line_size);
    EXPECT_TRUE(reads(*tier, "a", 1, 0, disk_line_size, "version 1"));
    EXPECT_EQ(tier->statistics().checks, 0u);

    // The source refuses a line of the old version that is missing; then the others go, too.
    observed_read missing("a", 0, 3 * disk_line_size, "version 1");
    tier->fetch(missing);
    EXPECT_EQ(missing.reason(), source_failure::changed);
    EXPECT_EQ(tier->statistics().lines, 0u);
    EXPECT_TRUE(reads(*tier, "a", 2, 0, 3 * disk_line_size));
}

TEST_F(disk_tiers, drop_lines_when_the_source_describes_another_version) {
    source.put("a", 3 * disk_line_size);
    const auto tier = open();
    fill(*tier, "a", 3);
    source.put("a", disk_line_size);
    EXPECT_EQ(tier->describe("a").size, disk_line_size);
    EXPECT_EQ(tier->statistics().lines, 0u);
}

TEST_F(disk_tiers, drop_lines_on_demand) {
    source.put("a", 3 * disk_line_size);
    source.put("b", 3 * disk_line_size);
    const auto tier = open();
    fill(*tier, "a", 3);
    fill(*tier, "b", 3);
    tier->invalidate("a");
    EXPECT_EQ(tier->statistics().lines, 3u);
}

TEST_F(disk_tiers, trust_a_tag_as_long_as_they_are_told) {
    source.put("a", 3 * disk_line_size);
    disk_tier_options options = tier_options(folder, 100);
    options.trust = std::chrono::hours(1);
    {
        scripted_tier tier(source, options);
        fill(tier, "a", 3);
        EXPECT_EQ(tier.statistics().checks, 0u);
        for (std::uint64_t i = 0; i != 3; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
        EXPECT_EQ(tier.statistics().checks, 0u);
    }
    {
        scripted_tier tier(source, options);
        for (std::uint64_t i = 0; i != 3; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
        EXPECT_EQ(tier.statistics().checks, 1u) << "nothing was told since the start";
    }
    options.trust = std::chrono::milliseconds::max();
    scripted_tier tier(source, options);
    for (std::uint64_t i = 0; i != 3; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
    source.put("a", 4 * disk_line_size);
    EXPECT_EQ(tier.describe("a").size, 3 * disk_line_size);
    EXPECT_EQ(tier.statistics().checks, 0u);
    EXPECT_EQ(source.request_count(), 3u);
}

TEST_F(disk_tiers, ask_once_for_an_object_that_is_opened_with_their_description) {
    source.put("a", 2 * disk_line_size);
    fill(*open(), "a", 2);
    const auto tier = open();
    line_cache cache(*tier, {.line_size = disk_line_size, .capacity = 8 * disk_line_size});
    const cached_object object = cache.open("a", tier->describe("a"));
    for (std::uint64_t i = 0; i != 2; ++i) {
        EXPECT_TRUE(
            are_made(cache.get(object, i * disk_line_size).bytes(), "a", 1, i * disk_line_size));
    }
    EXPECT_EQ(tier->statistics().checks, 1u);
    EXPECT_EQ(source.request_count(), 2u) << "of the first tier alone";
}

TEST_F(disk_tiers, serve_a_line_cache_that_begins_anew) {
    constexpr std::uint64_t lines = 20;
    source.put("a", lines * disk_line_size - 5);
    for (const unsigned coalesce : {1, 4}) {
        const auto tier = open();
        line_cache cache(*tier, {.line_size = 2 * disk_line_size,
                                 .capacity = 8 * disk_line_size,
                                 .prefetch = coalesce == 1 ? 0u : 2u,
                                 .coalesce = coalesce == 1 ? 1u : 2u});
        for (std::uint64_t at = 0; at < lines * disk_line_size - 5; at += 2 * disk_line_size) {
            EXPECT_TRUE(are_made(cache.get("a", at).bytes(), "a", 1, at));
        }
        tier->flush();
        EXPECT_EQ(source.request_count(), lines / 2) << "of the first cache alone";
        EXPECT_LE(tier->statistics().checks, 1u);
    }
}

TEST_F(disk_tiers, pass_reads_on_to_the_source_if_their_threads_are_busy) {
    // Its first description waits.
    struct slow_source : scripted_source {
        object_info describe(std::string_view object) {
            is_entered = true;
            WAIT_UNTIL(is_open);
            return scripted_source::describe(object);
        }
        std::atomic<bool> is_entered{false};
        std::atomic<bool> is_open{false};
    } slow;
    slow.put("a", disk_line_size);
    disk_tier_options options = tier_options(folder, 10);
    options.threads = 1;
    options.most_waiting = 1;
    disk_tier<slow_source> tier(slow, options);
    ASSERT_TRUE(reads_line(tier, "a", 1, 0));
    tier.flush();

    observed_read first("a", 0, 100), second("a", 0, 100), third("a", 0, 100);
    tier.start(first);
    WAIT_UNTIL(slow.is_entered);
    tier.start(second);
    tier.start(third);
    third.wait_for_end();
    EXPECT_TRUE(third.finished());
    EXPECT_FALSE(first.ended());
    EXPECT_FALSE(second.ended());
    slow.is_open = true;
    first.wait_for_end();
    second.wait_for_end();
    EXPECT_EQ(tier.statistics().passed_on, 1u);
    EXPECT_EQ(tier.statistics().hits, 2u);
}

TEST_F(disk_tiers, keep_no_line_without_a_free_buffer) {
    source.put("a", 2 * disk_line_size);
    disk_tier_options options = tier_options(folder, 10);
    options.write_buffers = 1;
    scripted_tier tier(source, options);
    // The first line stays in the buffer until the second one has arrived.
    EXPECT_TRUE(reads(tier, "a", 1, 0, 2 * disk_line_size));
    tier.flush();
    EXPECT_EQ(tier.statistics().lines, 1u);
    EXPECT_EQ(tier.statistics().not_in_time, 1u);
}

TEST_F(disk_tiers, never_take_more_than_their_capacity) {
    source.put("a", 100 * disk_line_size);
    constexpr std::uint64_t capacity = 10;
    const auto tier = open(capacity);
    for (int round = 0; round != 2; ++round) {
        for (std::uint64_t i = 0; i != 100; ++i) {
            EXPECT_TRUE(reads_line(*tier, "a", 1, i));
            tier->flush();
            EXPECT_LE(std::filesystem::file_size(file_of(tier->options())),
                      capacity * disk_slot_size);
            EXPECT_LE(tier->statistics().lines, capacity);
        }
    }
    EXPECT_GT(tier->statistics().evictions, 100u);
}

// Reads the hot lines at random, and after each of them one line of a scan. Returns the share of
// hot reads that were hits.
double hot_hits_beside_a_scan(scripted_tier& tier, std::uint64_t hot, std::uint64_t scanned) {
    std::mt19937 random(1);
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i != scanned; ++i) {
        const std::uint64_t before = tier.statistics().hits;
        EXPECT_TRUE(reads_line(tier, "hot", 1, random() % hot));
        hits += tier.statistics().hits - before;
        EXPECT_TRUE(reads_line(tier, "scanned", 1, i));
        tier.flush();
    }
    return double(hits) / double(scanned);
}

TEST_F(disk_tiers, keep_the_hot_lines_beside_a_scan_of_ten_times_the_capacity) {
    constexpr std::uint64_t capacity = 100;
    source.put("hot", 80 * disk_line_size);
    source.put("scanned", 10 * capacity * disk_line_size);
    {
        const auto tier = open(capacity);
        for (int round = 0; round != 2; ++round) fill(*tier, "hot", 80);
        EXPECT_GE(hot_hits_beside_a_scan(*tier, 80, 10 * capacity), 0.95);
    }
    const auto again = open(capacity);
    EXPECT_GE(hot_hits_beside_a_scan(*again, 80, 10 * capacity), 0.95) << "after a restart";
}

TEST_F(disk_tiers, serve_whole_versions_to_several_threads_while_objects_are_replaced) {
    constexpr std::uint64_t lines = 12;
    const std::vector<std::string> objects = {"a", "b", "c"};
    for (const std::string& object : objects) source.put(object, lines * disk_line_size);
    const auto tier = open(20);  // less than all objects have, so that lines are evicted
    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int i = 0; i != 150; ++i) {
            const std::string& object = objects[random() % objects.size()];
            const std::uint64_t from = random() % lines * disk_line_size + random() % 2 * 100;
            observed_read read(object, from, (1 + random() % 4) * disk_line_size);
            if (random() % 2 == 0) {
                tier->fetch(read);
            } else {
                tier->start(read);
                read.wait_for_end();
            }
            if (!read.finished()) {
                EXPECT_EQ(read.reason(), source_failure::changed) << read.message();
                continue;
            }
            const int version = std::stoi(read.info().entity_tag.substr(8));
            EXPECT_TRUE(are_made(read.bytes(), object, version, from));
            if (seed == 0 && i % 10 == 0) source.put(object, lines * disk_line_size);
            if (seed == 1 && i % 20 == 0) tier->invalidate(object);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed != 4; ++seed) threads.emplace_back(work, seed);
    for (std::thread& thread : threads) thread.join();
    tier->flush();
    EXPECT_EQ(tier->statistics().damaged, 0u);
    EXPECT_GT(tier->statistics().hits, 0u);
    EXPECT_LE(tier->statistics().lines, 20u);
}

TEST_F(disk_tiers, refuse_impossible_options) {
    const auto refuses = [&](auto change) {
        disk_tier_options options = tier_options(folder, 10);
        change(options);
        EXPECT_THROW(scripted_tier(source, options), std::invalid_argument);
    };
    refuses([](disk_tier_options& options) { options.folder.clear(); });
    refuses([](disk_tier_options& options) { options.line_size = 0; });
    refuses([](disk_tier_options& options) { options.line_size = 5000; });
    refuses([](disk_tier_options& options) { options.line_size = std::size_t{4} << 30; });
    refuses([](disk_tier_options& options) { options.capacity = disk_line_size; });
    refuses([](disk_tier_options& options) { options.threads = 0; });
    refuses([](disk_tier_options& options) { options.write_buffers = 0; });
}

TEST_F(disk_tiers, own_their_source_if_they_are_given_it) {
    auto owned = std::make_unique<scripted_source>();
    owned->put("a", 100);
    disk_tier tier(std::move(owned), tier_options(folder, 10));
    EXPECT_TRUE(reads(tier, "a", 1, 0, 100));
}

TEST_F(disk_tiers, print_their_statistics) {
    source.put("a", 100);
    const auto tier = open();
    ASSERT_TRUE(reads_line(*tier, "a", 1, 0));
    std::ostringstream printed;
    printed << tier->statistics();
    EXPECT_NE(printed.str().find("1 misses"), std::string::npos) << printed.str();
}

}  // namespace
}  // namespace freehold::tests::disk_tier_test
