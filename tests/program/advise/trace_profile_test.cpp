// SPDX-License-Identifier: BSL-1.0
#include "advise/trace_profile.hpp"

#include "program/advise/made_trace.hpp"

#include <gtest/gtest.h>

namespace trace_profile_test {
namespace {

using namespace freehold;

process_profile profile_of(const made_trace& trace, std::uint64_t min_size = 0) {
    trace_profiler profiler(min_size);
    for (const trace_event& each : trace.events()) profiler.add(each);
    return profiler.processes().at(0);
}

TEST(trace_profile, counts_what_was_asked_for_and_freed) {
    made_trace trace;  // an event every 10 ns
    const auto a = trace.get(100, 0);
    const auto b = trace.get(1000, 0);
    trace.put(a, 0);
    trace.put(b, 1);
    static_cast<void>(trace.get(10, 0));
    const process_profile found = profile_of(trace, 100);
    EXPECT_EQ(found.requests, 3U);
    EXPECT_EQ(found.bytes, 1110U);
    EXPECT_EQ(found.considered, 2U);
    EXPECT_EQ(found.considered_bytes, 1100U);
    EXPECT_EQ(found.frees, 2U);
    EXPECT_EQ(found.remote_frees, 1U);
    EXPECT_EQ(found.threads, 2U);
    EXPECT_EQ(found.peak_live_bytes, 1100U);
    EXPECT_EQ(found.live_bytes, 10U);
    EXPECT_EQ(found.last_time - found.first_time, 40U);
    EXPECT_EQ(found.lifetimes[5], 2U);  // 20 ns each
    const auto& large = found.sizes[size_class::of(1000)];
    EXPECT_EQ(large.requests, 1U);
    EXPECT_EQ(large.remote_frees, 1U);
    EXPECT_DOUBLE_EQ(large.lifetimes, 20);
}

TEST(trace_profile, knows_below_which_size_a_share_of_the_requests_is) {
    made_trace trace;
    for (int i = 0; i != 75; ++i) static_cast<void>(trace.get(100));
    for (int i = 0; i != 25; ++i) static_cast<void>(trace.get(100'000));
    const process_profile found = profile_of(trace);
    EXPECT_GE(found.quantile(0.75, 0), 100U);
    EXPECT_LE(found.quantile(0.75, 0), 113U);
    EXPECT_GE(found.quantile(0.76, 0), 100'000U);
    EXPECT_GE(found.quantile(0.1, 1000), 100'000U);
}

TEST(trace_profile, weighs_requests_by_what_they_cost) {
    made_trace trace;
    for (int i = 0; i != 10; ++i) static_cast<void>(trace.get(64));
    static_cast<void>(trace.get(65536));
    const std::vector<allocation_cost> known{{64, 10}, {65536, 1000}};
    const allocation_costs costs(known);
    EXPECT_NEAR(profile_of(trace).allocator_time(costs, 0), 1100, 1);
    EXPECT_NEAR(profile_of(trace).allocator_time(costs, 1000), 1000, 1);
}

}  // namespace
}  // namespace trace_profile_test
