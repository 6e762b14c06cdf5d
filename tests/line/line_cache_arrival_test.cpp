// SPDX-License-Identifier: BSL-1.0
// Lines that are being fetched: which reader is served when, what it sees, and which requests are
// shared.
#include <freehold/line/line_cache.hpp>

#include "line/async_answer.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::line_cache_arrival_test {
namespace {

using answer = tests::async_answer;
using tests::are_made;
using tests::reason_of;
using tests::room_for;
using tests::scripted_source;

constexpr std::size_t line_size = 64 << 10;

class line_cache_arrival : public testing::Test {
protected:
    line_cache_arrival() {
        source.put("a", 2 * line_size);
        source.hold();
    }

    void arrive(line_read& read, std::size_t bytes) {
        ASSERT_EQ(scripted_source::fill(read, 1, arrived_, bytes), bytes);
        arrived_ += bytes;
        EXPECT_TRUE(read.arrived(bytes));
    }

    scripted_source source;
    line_cache<scripted_source> cache{source, room_for(4, line_size)};
    const object_info info{2 * line_size, "version 1"};

private:
    std::uint64_t arrived_ = 0;
};

TEST_F(line_cache_arrival, serves_each_reader_when_its_part_has_arrived) {
    answer head;
    answer middle;
    answer all;
    cache.get_async("a", 0, 100, head.callback());
    cache.get_async("a", 5'000, 1'000, middle.callback());
    cache.get_async("a", 0, all.callback());
    line_read& read = source.next();
    EXPECT_EQ(source.request_count(), 1u);
    EXPECT_TRUE(read.begin(info));
    arrive(read, 99);
    EXPECT_EQ(head.calls, 0);
    arrive(read, 1);
    EXPECT_EQ(head.calls, 1);
    ASSERT_EQ(head.found.bytes().size(), 100u);
    EXPECT_TRUE(are_made(head.found.bytes(), "a", 1, 0));
    arrive(read, 5'899);
    EXPECT_EQ(middle.calls, 0);
    arrive(read, 1);
    EXPECT_EQ(middle.calls, 1);
    EXPECT_EQ(middle.found.bytes_from(5'000).size(), 1'000u);
    arrive(read, line_size - 6'000 - 1);
    EXPECT_EQ(all.calls, 0);
    arrive(read, 1);
    EXPECT_EQ(all.calls, 0) << "the source has not confirmed them yet";
    read.finish();
    EXPECT_EQ(all.calls, 1);
    EXPECT_EQ(all.found, head.found);
    EXPECT_TRUE(are_made(all.found.bytes(), "a", 1, 0));
    const line_cache_statistics now = cache.statistics();
    EXPECT_EQ(now.misses, 1u);
    EXPECT_EQ(now.joined, 2u);
}

TEST_F(line_cache_arrival, shows_the_arrived_bytes) {
    answer begun;
    cache.get_async("a", 0, 10, begun.callback());
    line_read& read = source.next();
    EXPECT_TRUE(read.begin(info));
    arrive(read, 1'000);
    std::atomic<int> seen{0};
    std::thread reader([&] {
        const line partial = cache.get("a", 500, 500);
        EXPECT_EQ(partial.bytes().size(), 1'000u);
        EXPECT_EQ(partial.cost().bytes_copied, 0u) << "not known yet";
        seen = 1;
        partial.wait(0, 3'000);
        EXPECT_GE(partial.bytes().size(), 3'000u);
        seen = 2;
        partial.wait(0, line_size);
        EXPECT_EQ(partial.bytes().size(), line_size);
        EXPECT_TRUE(are_made(partial.bytes(), "a", 1, 0));
        partial.wait(3 * line_size, 5);
        partial.wait(0, 0);
    });
    WAIT_UNTIL(seen == 1);
    arrive(read, 2'000);
    WAIT_UNTIL(seen == 2);
    arrive(read, line_size - 3'000);
    read.finish();
    reader.join();
}

TEST_F(line_cache_arrival, fails_waiters_for_bytes_that_do_not_arrive) {
    answer begun;
    answer all;
    cache.get_async("a", 0, 10, begun.callback());
    cache.get_async("a", 0, all.callback());
    line_read& read = source.next();
    EXPECT_TRUE(read.begin(info));
    arrive(read, 1'000);
    read.fail(scripted_source::failure(source_failure::unreachable));
    EXPECT_EQ(all.calls, 1);
    EXPECT_EQ(all.reason(), source_failure::unreachable);
    EXPECT_FALSE(all.found);
    EXPECT_EQ(reason_of([&] { begun.found.wait(0, 1'001); }), source_failure::unreachable);
    begun.found.wait(0, 1'000);
    EXPECT_TRUE(are_made(begun.found.bytes(), "a", 1, 0));
    EXPECT_EQ(cache.statistics().failures, 1u);

    // The next get fetches it again.
    answer again;
    cache.get_async("a", 0, again.callback());
    source.serve(source.next());
    EXPECT_TRUE(again.found);
    EXPECT_NE(again.found, begun.found);
}

// Any number of readers that miss on a line at once cause one request.
TEST(line_cache_concurrent_misses, send_one_request) {
    constexpr int readers = 64;
    scripted_source source;
    source.put("a", line_size);
    line_cache<scripted_source> cache(source, room_for(4, line_size));
    source.on_request([&](line_read& read) {
        WAIT_UNTIL(cache.statistics().joined == readers - 1);
        source.serve(read);
    });
    std::vector<std::thread> workers;
    std::atomic<int> served{0};
    for (int i = 0; i != readers; ++i) {
        workers.emplace_back([&] {
            const line found = cache.get("a", 0);
            served += are_made(found.bytes(), "a", 1, 0) ? 1 : 0;
        });
    }
    for (std::thread& each : workers) each.join();
    EXPECT_EQ(served, readers);
    EXPECT_EQ(source.request_count(), 1u);
    const line_cache_statistics now = cache.statistics();
    EXPECT_EQ(now.misses, 1u);
    EXPECT_EQ(now.most_bytes_held, 4 * line_size) << "no memory was taken for the others";
    EXPECT_EQ(now.waits.total(), std::uint64_t{readers});
}

}  // namespace
}  // namespace freehold::line_cache_arrival_test
