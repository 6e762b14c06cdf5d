// SPDX-License-Identifier: BSL-1.0
#include "advise/replay.hpp"

#include <freehold/buffer/policies/greedy_dual_fit.hpp>
#include <freehold/buffer/policies/keep_first_below.hpp>
#include <freehold/buffer/policies/keep_largest.hpp>

#include "program/advise/made_trace.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace replay_test {
namespace {

using namespace freehold;

const std::vector<allocation_cost> ten_each{{64, 10}, {std::size_t{1} << 30, 10}};
const allocation_costs costs(ten_each);

struct spooled {
    explicit spooled(const std::vector<trace_event>& events) {
        for (const trace_event& each : events) {
            spool.add(each);
            scope.requests += each.what == trace_event::kind::allocate ? 1 : 0;
        }
        spool.finish();
        scope.first_half = scope.requests / 2;
    }
    trace_spool spool;
    replay_scope scope;
};

TEST(replay, has_the_figures_that_a_small_trace_has_by_hand) {
    made_trace trace;  // an event every 10 ns
    const auto a = trace.get(100);
    trace.put(a);
    const auto b = trace.get(50);  // served by the 100
    const auto c = trace.get(300);
    trace.put(c);  // not kept: above the cutoff
    trace.put(b);
    const spooled made(trace.events());
    const auto result =
        replay<keep_first_below>(made.spool, made.scope, costs, {}, {.cutoff = 200, .entries = 1});
    // Three requests: the second half begins with the second.
    const replay_figures& first = result.halves[0];
    EXPECT_EQ(first.requests, 1U);
    EXPECT_EQ(first.hits, 0U);
    EXPECT_EQ(first.allocator_calls, 1U);
    EXPECT_DOUBLE_EQ(first.duration, 20);
    EXPECT_DOUBLE_EQ(first.asked, 10 * 100);
    EXPECT_DOUBLE_EQ(first.idle, 10 * 100);
    EXPECT_EQ(first.peak_idle, 100U);

    const replay_figures& second = result.halves[1];
    EXPECT_EQ(second.requests, 2U);
    EXPECT_EQ(second.hits, 1U);
    EXPECT_EQ(second.allocator_calls, 2U);  // for the 300, and to give it back
    EXPECT_DOUBLE_EQ(second.duration, 30);
    EXPECT_DOUBLE_EQ(second.asked, 10 * 50 + 10 * 350 + 10 * 50);
    EXPECT_DOUBLE_EQ(second.handed_out, 10 * 100 + 10 * 400 + 10 * 100);
    EXPECT_DOUBLE_EQ(second.idle, 0);
    EXPECT_DOUBLE_EQ(second.time_without, 20);
    EXPECT_DOUBLE_EQ(second.allocator_time, 10);
    EXPECT_DOUBLE_EQ(second.time_saved(), 0.5);
    EXPECT_DOUBLE_EQ(second.calls_per_thousand(), 1000);
}

TEST(replay, shows_what_poisons_the_flawed_cache_of_the_article) {
    made_trace trace;
    trace.put(trace.get(100'000));
    std::vector<made_trace::buffer> held;
    for (int i = 0; i != 9; ++i) trace.put(trace.get(100));
    const spooled made(trace.events());
    const auto flawed = replay<keep_largest>(made.spool, made.scope, costs, {}, {});
    EXPECT_DOUBLE_EQ(flawed.halves[1].hit_rate(), 1);
    EXPECT_DOUBLE_EQ(flawed.halves[1].used(), 0.001);
    const auto mended = replay<keep_first_below>(made.spool, made.scope, costs, {}, {});
    EXPECT_DOUBLE_EQ(mended.halves[1].hit_rate(), 1);
    EXPECT_DOUBLE_EQ(mended.halves[1].used(), 1);
}

TEST(replay, never_keeps_more_than_the_bound) {
    const spooled made(article_trace(100'000));
    buffer_cache_options bounds;
    bounds.max_idle = 5000;
    const auto result = replay<greedy_dual_fit>(made.spool, made.scope, costs, bounds, {});
    for (const replay_figures& half : result.halves) {
        EXPECT_LE(half.peak_idle, 5000U);
        EXPECT_GT(half.peak_idle, 4000U);
        EXPECT_GT(half.hit_rate(), 0.6);
    }
}

TEST(replay, plays_each_thread_so_that_buffers_find_their_way_back) {
    made_trace trace;
    for (int i = 0; i != 1000; ++i) trace.put(trace.get(4096, 0), 1);
    const spooled made(trace.events());
    const auto result = replay<greedy_dual_fit>(made.spool, made.scope, costs, {}, {});
    EXPECT_GT(result.halves[1].hit_rate(), 0.99);
}

TEST(replay, leaves_other_processes_and_small_requests_to_the_allocator) {
    made_trace trace;
    const auto other = trace.get(5000, 0, 1);
    const auto small = trace.get(10);
    trace.put(trace.get(5000));
    trace.put(small);
    trace.put(other, 0, 1);
    trace.put(trace.get(5000));
    const spooled made(trace.events());
    const auto result = replay<greedy_dual_fit>(
        made.spool, {.process = 0, .min_size = 1000, .requests = 2, .first_half = 1}, costs, {},
        {});
    EXPECT_EQ(result.halves[0].requests, 1U);
    EXPECT_EQ(result.halves[1].requests, 1U);
    EXPECT_EQ(result.halves[1].hits, 1U);
}

TEST(replay, counts_events_where_the_trace_has_no_times) {
    made_trace trace;
    const auto a = trace.get(100);
    trace.wait(1'000'000);
    trace.put(a);
    trace.put(trace.get(100));
    spooled made(trace.events());
    made.scope.has_times = false;
    const auto result = replay<greedy_dual_fit>(made.spool, made.scope, costs, {}, {});
    EXPECT_DOUBLE_EQ(result.halves[0].duration + result.halves[1].duration, 3);
}

TEST(replay, serves_alignments_larger_than_a_header) {
    made_trace trace;
    for (int i = 0; i != 10; ++i) trace.put(trace.get(10'000));
    auto events = trace.events();
    for (trace_event& each : events) each.alignment = 4096;
    const spooled made(events);
    const auto result = replay<greedy_dual_fit>(made.spool, made.scope, costs, {}, {});
    EXPECT_EQ(result.halves[0].hits + result.halves[1].hits, 9U);
}

TEST(replay, comes_to_the_same_figures_again) {
    const spooled made(article_trace(50'000));
    const auto one = replay<greedy_dual_fit>(made.spool, made.scope, costs, {}, {});
    const auto other = replay<greedy_dual_fit>(made.spool, made.scope, costs, {}, {});
    for (std::size_t half : {0, 1}) {
        EXPECT_EQ(one.halves[half].hits, other.halves[half].hits);
        EXPECT_EQ(one.halves[half].idle, other.halves[half].idle);
        EXPECT_EQ(one.halves[half].allocator_calls, other.halves[half].allocator_calls);
    }
    EXPECT_EQ(one.hits_by_size, other.hits_by_size);
}

}  // namespace
}  // namespace replay_test
