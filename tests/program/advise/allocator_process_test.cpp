// SPDX-License-Identifier: BSL-1.0
#include "advise/allocator_process.hpp"

#include "program/advise/made_trace.hpp"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocator_process_test {
namespace {

using namespace freehold;

std::vector<allocation_cost> played(const made_trace& trace, std::uint32_t process = 0) {
    allocator_process player;
    trace_spool spool;
    for (const trace_event& each : trace.events()) spool.add(each);
    spool.finish();
    return player.costs_of(spool, process);
}

void play_pairs(made_trace& trace, int pairs, std::uint64_t size, std::uint32_t process = 0) {
    for (int i = 0; i != pairs; ++i) trace.put(trace.get(size, 0, process), 0, process);
}

auto sizes_are(const std::vector<std::size_t>& sizes) {
    std::vector<testing::Matcher<allocation_cost>> each;
    for (const std::size_t size : sizes) {
        each.push_back(testing::Field(&allocation_cost::size, size));
    }
    return testing::ElementsAreArray(each);
}

TEST(allocator_process, tells_what_the_large_buffers_of_a_process_cost) {
    made_trace trace;
    play_pairs(trace, 100, 64);
    play_pairs(trace, 200, 4096);
    play_pairs(trace, 200, 6000);
    play_pairs(trace, 200, 8000);  // of the same group
    play_pairs(trace, 15, 30'000);
    play_pairs(trace, 200, 100'000, 1);
    EXPECT_THAT(played(trace), sizes_are({4096, 7000}));
    EXPECT_THAT(played(trace, 1), sizes_are({100'000}));
}

TEST(allocator_process, plays_what_was_asked_for_with_an_alignment) {
    made_trace trace;
    play_pairs(trace, 200, 5000);
    std::vector<trace_event> events = trace.events();
    for (trace_event& each : events) {
        if (each.what == trace_event::kind::allocate) each.alignment = 1024;
    }
    allocator_process player;
    trace_spool spool;
    for (const trace_event& each : events) spool.add(each);
    spool.finish();
    EXPECT_THAT(player.costs_of(spool, 0), sizes_are({5000}));
}

TEST(allocator_process, has_nothing_to_tell_where_the_memory_ends) {
    made_trace trace;
    play_pairs(trace, 200, 5000);
    play_pairs(trace, 1, std::uint64_t{1} << 60U);
    EXPECT_TRUE(played(trace).empty());
}

TEST(allocator_process, may_be_asked_nothing) {
    EXPECT_NO_THROW(allocator_process());
}

TEST(with_played, takes_the_place_of_the_general_costs_of_these_sizes) {
    const std::vector<allocation_cost> general{{64, 8}, {4096, 70}, {8192, 100}, {65536, 320}};
    const auto costs = with_played(general, {{6000, 1234}, {200'000, 0.5}});
    EXPECT_THAT(costs, sizes_are({64, 4096, 6000, 65536, 200'000}));
    EXPECT_DOUBLE_EQ(costs[2].nanoseconds, 1200);
    EXPECT_DOUBLE_EQ(costs[4].nanoseconds, 8);  // no less than the smallest
    EXPECT_DOUBLE_EQ(costs[1].nanoseconds, 70);
}

}  // namespace
}  // namespace allocator_process_test
