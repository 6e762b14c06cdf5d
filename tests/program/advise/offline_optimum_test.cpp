// SPDX-License-Identifier: BSL-1.0
#include "advise/offline_optimum.hpp"

#include "program/advise/made_trace.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace offline_optimum_test {
namespace {

using freehold::allocation_costs;
using freehold::offline_optimum;
using freehold::trace_event;

const allocation_costs equal = allocation_costs::equal();

TEST(offline_optimum, takes_first_what_saves_most_for_its_bytes_and_time) {
    offline_optimum optimum(equal, offline_optimum::aim::hits);
    optimum.begin(0);
    optimum.request(0, 100);
    optimum.request(0, 1000);
    optimum.release(10, 100);
    optimum.release(10, 1000);
    optimum.request(20, 100);   // 100 bytes for 10: 1,000
    optimum.request(30, 1000);  // 1,000 bytes for 20: 20,000
    optimum.end(100);
    // Over a duration of 100.
    EXPECT_DOUBLE_EQ(optimum.at(10).hit_rate, 0.25);
    EXPECT_DOUBLE_EQ(optimum.at(10).mean_idle, 10);
    EXPECT_DOUBLE_EQ(optimum.at(110).hit_rate, 0.375);
    EXPECT_DOUBLE_EQ(optimum.at(1e9).hit_rate, 0.5);
    EXPECT_DOUBLE_EQ(optimum.at(1e9).mean_idle, 210);
    EXPECT_DOUBLE_EQ(optimum.at(0).hit_rate, 0);
}

TEST(offline_optimum, matches_a_request_with_what_was_freed_last) {
    offline_optimum optimum(equal, offline_optimum::aim::hits);
    optimum.begin(0);
    optimum.release(0, 100);
    optimum.release(90, 100);
    optimum.request(100, 100);
    optimum.end(100);
    EXPECT_DOUBLE_EQ(optimum.at(1e9).mean_idle, 10);
}

TEST(offline_optimum, weighs_time_where_time_is_wanted) {
    // Both lie idle as long: the large one costs 1,000 times as much for 100 times the bytes.
    const std::vector<freehold::allocation_cost> measured{{100, 10}, {10000, 10000}};
    const allocation_costs costs(measured);
    offline_optimum hits(costs, offline_optimum::aim::hits);
    offline_optimum time(costs, offline_optimum::aim::time);
    for (offline_optimum* each : {&hits, &time}) {
        each->begin(0);
        each->release(0, 100);
        each->release(0, 10000);
        each->request(10, 100);
        each->request(10, 10000);
        each->end(10);
    }
    EXPECT_DOUBLE_EQ(hits.at(100).hit_rate, 0.5);
    EXPECT_LT(hits.at(100).time_saved, 0.01);
    EXPECT_LT(time.at(100).hit_rate, 0.01);
    EXPECT_NEAR(time.at(10000).time_saved, 0.999, 0.01);
}

TEST(offline_optimum, counts_from_where_it_begins_with_what_is_idle_then) {
    offline_optimum optimum(equal, offline_optimum::aim::hits);
    optimum.begin(0);
    optimum.request(0, 100);
    optimum.release(10, 100);
    optimum.begin(50);
    optimum.request(60, 100);
    optimum.end(150);
    EXPECT_DOUBLE_EQ(optimum.at(1e9).hit_rate, 1);
    EXPECT_DOUBLE_EQ(optimum.at(1e9).mean_idle, 10);
}

TEST(offline_optimum, of_the_article_is_what_was_found_independently) {
    offline_optimum optimum(equal, offline_optimum::aim::hits);
    optimum.begin(0);
    std::vector<std::uint64_t> sizes;
    std::uint64_t time = 0;
    for (const trace_event& event : freehold::article_trace(1'000'000)) {
        if (event.block >= sizes.size()) sizes.resize(event.block + std::size_t{1});
        if (event.what == trace_event::kind::allocate) {
            sizes[event.block] = event.size;
            optimum.request(time, event.size);
        } else {
            optimum.release(time, sizes[event.block]);
        }
        ++time;
    }
    optimum.end(time);
    EXPECT_NEAR(optimum.at(16 << 10).hit_rate, 0.964, 0.002);
    EXPECT_NEAR(optimum.at(64 << 10).hit_rate, 0.991, 0.001);
}

}  // namespace
}  // namespace offline_optimum_test
