// SPDX-License-Identifier: BSL-1.0
// Asynchronous gets, cancelled gets, and caches that are destroyed with fetches in flight.
#include <freehold/line/line_cache.hpp>

#include "line/async_answer.hpp"
#include "line/room_for.hpp"
#include "line/scripted_source.hpp"
#include "wait_until.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::line_cache_async_test {
namespace {

using answer = tests::async_answer;
using tests::are_made;
using tests::reason_of;
using tests::room_for;
using tests::scripted_source;

constexpr std::uint64_t line_size = 4096;

// A coroutine that starts at once and records its end.
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        static std::suspend_never initial_suspend() noexcept { return {}; }
        static std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        static void unhandled_exception() { std::terminate(); }
    };
};

class line_cache_async_get : public testing::Test {
protected:
    line_cache_async_get() { source.put("a", 10 * line_size); }

    scripted_source source;
    std::optional<line_cache<scripted_source>> cache{std::in_place, source, room_for(4, line_size)};
};

TEST_F(line_cache_async_get, calls_back_at_once_on_a_hit) {
    const line there = cache->get("a", 0);
    answer got;
    cache->get_async("a", 7, got.callback());
    EXPECT_EQ(got.calls, 1);
    EXPECT_EQ(got.found, there);
    EXPECT_EQ(got.failure, nullptr);
}

TEST_F(line_cache_async_get, answers_with_the_empty_line_of_an_empty_object) {
    source.put("nothing", 0);
    source.hold();
    answer waited;
    answer joined;
    cache->get_async("nothing", 0, waited.callback());
    cache->get_async("nothing", 0, 100, joined.callback());
    source.serve(source.next());
    answer hit;
    cache->get_async("nothing", 0, hit.callback());
    for (const answer* const one : {&waited, &joined, &hit}) {
        EXPECT_EQ(one->calls, 1);
        EXPECT_EQ(one->failure, nullptr);
    }
}

TEST_F(line_cache_async_get, reports_failures) {
    static_cast<void>(cache->get("a", 0));
    answer beyond;
    source.hold();
    cache->get_async("a", 10 * line_size, beyond.callback());
    source.serve(source.next());
    EXPECT_EQ(beyond.calls, 1);
    EXPECT_EQ(beyond.reason(), source_failure::past_the_end);
    answer lost;
    cache->get_async("a", line_size, lost.callback());
    source.next().fail(scripted_source::failure(source_failure::timed_out));
    EXPECT_EQ(lost.reason(), source_failure::timed_out);
    EXPECT_FALSE(lost.found);
}

TEST_F(line_cache_async_get, does_not_wait_for_memory) {
    std::vector<line> held;
    for (std::uint64_t i = 0; i != 4; ++i) held.push_back(cache->get("a", i * line_size));
    answer got;
    cache->get_async("a", 5 * line_size, got.callback());
    EXPECT_EQ(got.calls, 1);
    EXPECT_THROW(std::rethrow_exception(got.failure), cache_full);
}

// When a reader is told of a line, nothing but the reader keeps the line from eviction.
TEST_F(line_cache_async_get, finds_the_memory_of_a_released_line) {
    line_cache<scripted_source> small(source, room_for(1, line_size));
    std::atomic<int> answers{0};
    for (std::uint64_t i = 0; i != 200; ++i) {
        small.get_async("a", i % 10 * line_size, [&](line found, const std::exception_ptr&) {
            EXPECT_TRUE(found);
            found = line();
            ++answers;
        });
        WAIT_UNTIL(answers == static_cast<int>(i) + 1);
        static_cast<void>(small.get("a", (i + 1) % 10 * line_size, 1));
        static_cast<void>(small.get("a", (i + 2) % 10 * line_size));
    }
    EXPECT_EQ(small.statistics().refusals, 0u);
}

task sum(line_cache<scripted_source>& cache, std::uint64_t lines, std::atomic<std::uint64_t>& good,
         std::atomic<bool>& through) {
    for (std::uint64_t i = 0; i != lines; ++i) {
        const line found = co_await cache.async_get("a", i * line_size);
        if (are_made(found.bytes(), "a", 1, i * line_size)) ++good;
    }
    through = true;
}

TEST_F(line_cache_async_get, is_awaited_by_a_coroutine) {
    std::atomic<std::uint64_t> good{0};
    std::atomic<bool> through{false};
    sum(*cache, 10, good, through);
    WAIT_UNTIL(through);
    EXPECT_EQ(good, 10u);
    through = false;
    sum(*cache, 4, good, through);
    WAIT_UNTIL(through);
    EXPECT_EQ(good, 14u);
}

task expect_failure(line_cache<scripted_source>& cache, std::atomic<int>& reason) {
    try {
        static_cast<void>(co_await cache.async_get("b", 0));
    } catch (const source_error& error) {
        reason = static_cast<int>(error.reason());
    }
}

TEST_F(line_cache_async_get, throws_in_the_coroutine) {
    std::atomic<int> reason{-1};
    expect_failure(*cache, reason);
    WAIT_UNTIL(reason != -1);
    EXPECT_EQ(reason, static_cast<int>(source_failure::not_found));
}

// The reader is told at once, the source at its next call.
TEST_F(line_cache_async_get, cancels_a_request_without_other_readers) {
    source.hold();
    std::stop_source stop;
    answer got;
    cache->get_async("a", 0, got.callback(), stop.get_token());
    line_read& read = source.next();
    EXPECT_TRUE(read.begin({10 * line_size, "version 1"}));
    EXPECT_TRUE(read.arrived(scripted_source::fill(read, 1, 0, 1'000)));
    stop.request_stop();
    EXPECT_EQ(got.calls, 1);
    EXPECT_EQ(got.reason(), source_failure::cancelled);
    EXPECT_FALSE(read.arrived(scripted_source::fill(read, 1, 1'000, 1'000)));
    EXPECT_EQ(cache->statistics().lines, 0u);

    // A reader that comes now does not join the cancelled request.
    answer later;
    cache->get_async("a", 0, later.callback());
    read.fail(scripted_source::failure(source_failure::cancelled));
    EXPECT_EQ(later.calls, 0);
    source.serve(source.next());
    EXPECT_TRUE(are_made(later.found.bytes(), "a", 1, 0));
    EXPECT_EQ(cache->statistics().cancelled, 1u);
}

TEST_F(line_cache_async_get, keeps_the_request_for_other_readers) {
    source.hold();
    std::stop_source stop;
    answer given_up;
    answer other;
    cache->get_async("a", 0, given_up.callback(), stop.get_token());
    cache->get_async("a", 0, other.callback());
    stop.request_stop();
    EXPECT_EQ(given_up.reason(), source_failure::cancelled);
    EXPECT_EQ(other.calls, 0);
    source.serve(source.next());
    EXPECT_TRUE(are_made(other.found.bytes(), "a", 1, 0));
}

TEST_F(line_cache_async_get, may_be_cancelled_before_and_after) {
    std::stop_source stopped;
    stopped.request_stop();
    answer early;
    source.hold();
    cache->get_async("a", 0, early.callback(), stopped.get_token());
    EXPECT_EQ(early.reason(), source_failure::cancelled);
    line_read& read = source.next();
    EXPECT_FALSE(read.wanted());
    read.fail(scripted_source::failure(source_failure::cancelled));

    std::stop_source late;
    answer got;
    cache->get_async("a", 0, got.callback(), late.get_token());
    source.serve(source.next());
    late.request_stop();
    EXPECT_EQ(got.calls, 1);
    EXPECT_TRUE(got.found);
}

TEST_F(line_cache_async_get, is_cancelled_by_another_thread) {
    source.hold();
    std::stop_source stop;
    std::thread other([&] {
        EXPECT_EQ(reason_of([&] { static_cast<void>(cache->get("a", 0, stop.get_token())); }),
                  source_failure::cancelled);
    });
    line_read& read = source.next();
    stop.request_stop();
    other.join();
    EXPECT_FALSE(read.begin({10 * line_size, "version 1"}));
    read.fail(scripted_source::failure(source_failure::cancelled));
}

// Although the fetch, which the destructor also waits for, has ended before.
TEST_F(line_cache_async_get, of_a_thread_that_polls_is_cancelled_with_its_request) {
    source.hold();
    std::atomic<bool> is_stopped{false};
    std::thread reader([&] {
        EXPECT_EQ(reason_of([&] {
                      static_cast<void>(cache->get("a", 0, 1, [&] { return is_stopped.load(); }));
                  }),
                  source_failure::cancelled);
    });
    line_read& read = source.next();
    is_stopped = true;
    reader.join();
    EXPECT_FALSE(read.wanted());
    read.fail(scripted_source::failure(source_failure::cancelled));
    EXPECT_EQ(cache->statistics().cancelled, 1u);
    source.release();
    static_cast<void>(cache->get("a", 0));
    EXPECT_TRUE(cache->get("a", 0, 1, [] { return true; })) << "a hit does not ask";
}

TEST_F(line_cache_async_get, may_use_the_cache_in_a_cancelled_callback) {
    source.hold();
    std::stop_source stop;
    std::atomic<bool> has_begun{false};
    std::atomic<bool> has_fetch_ended{false};
    std::atomic<int> steps{0};
    line_cache<scripted_source>& ending = *cache;
    const auto callback = [&](const line& found, const std::exception_ptr&) {
        EXPECT_FALSE(found);
        has_begun = true;
        WAIT_UNTIL(has_fetch_ended);
        for (int i = 0; i != 1'000; ++i) {
            EXPECT_EQ(ending.statistics().cancelled, 1u);
            ++steps;
            std::this_thread::yield();
        }
    };
    ending.get_async("a", 0, callback, stop.get_token());
    line_read& read = source.next();
    std::thread stopping([&] { stop.request_stop(); });
    WAIT_UNTIL(has_begun);
    read.fail(scripted_source::failure(source_failure::cancelled));
    has_fetch_ended = true;
    cache.reset();
    EXPECT_EQ(steps, 1'000);
    stopping.join();
}

TEST_F(line_cache_async_get, calls_back_at_destruction) {
    source.hold();
    answer begun;
    answer waiting;
    cache->get_async("a", 0, begun.callback());
    cache->get_async("a", line_size, waiting.callback());
    cache->prefetch("a", 2 * line_size, 2);
    line_read& first = source.next();
    EXPECT_TRUE(first.begin({10 * line_size, "version 1"}));
    std::thread server([&] {
        // Both continue until they are told that no reader wants them.
        WAIT_UNTIL(!first.arrived(scripted_source::fill(first, 1, 0, 1)));
        first.fail(scripted_source::failure(source_failure::cancelled));
        source.release();
    });
    cache.reset();
    server.join();
    EXPECT_EQ(begun.calls, 1);
    EXPECT_EQ(begun.reason(), source_failure::cancelled);
    EXPECT_EQ(waiting.calls, 1);
    EXPECT_EQ(waiting.reason(), source_failure::cancelled);
}

}  // namespace
}  // namespace freehold::line_cache_async_test
