// SPDX-License-Identifier: BSL-1.0
// Freehold's own policy of a buffer cache: what it hands out, what it lets go of, what it learns,
// and what that makes of the article's program.
#include <freehold/cache/policies/greedy_dual_fit.hpp>

#include "contracts/policy_play.hpp"
#include "suites/buffers/article.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {
namespace {

using play = contracts::policy_play<greedy_dual_fit>;

greedy_dual_fit::options all_hits_alike(double band = 1.25) {
    greedy_dual_fit::options options;
    options.band = band;
    options.costs = allocation_costs::equal();
    return options;
}

TEST(greedy_dual_fit, makes_buffers_at_most_a_64th_larger) {
    const greedy_dual_fit policy;
    EXPECT_EQ(policy.capacity_for(1), 1U);
    EXPECT_EQ(policy.capacity_for(100), 100U);
    EXPECT_EQ(policy.capacity_for(1001), 1008U);
    for (std::size_t size = 1; size < 100'000; size += 7) {
        EXPECT_LE(policy.capacity_for(size) - size, size / 64);
    }
}

TEST(greedy_dual_fit, wastes_no_large_buffer_on_a_small_caller) {
    play buffers(all_hits_alike(1.25));
    auto* const large = buffers.make(1251);
    buffers.put(large);
    EXPECT_NE(buffers.get(1000), large);
    EXPECT_EQ(buffers.get(1001), large);
}

TEST(greedy_dual_fit, takes_the_band_that_it_is_told) {
    play buffers(all_hits_alike(1.1));
    auto* const large = buffers.make(1200);
    buffers.put(large);
    EXPECT_NE(buffers.get(1080), large);
    EXPECT_EQ(buffers.get(1100), large);
}

TEST(greedy_dual_fit, hands_out_the_tightest) {
    play buffers(all_hits_alike());
    std::vector<detail::buffer_block*> put;
    for (const std::size_t capacity : {1150U, 1100U, 1240U, 1120U}) {
        put.push_back(buffers.make(capacity));
        buffers.put(put.back());
    }
    EXPECT_EQ(buffers.get(1000), put[1]);
    EXPECT_EQ(buffers.get(1000), put[3]);
    EXPECT_EQ(buffers.get(1000), put[0]);
    EXPECT_EQ(buffers.get(1000), put[2]);
}

TEST(greedy_dual_fit, lets_the_oldest_of_a_class_go_first) {
    play buffers(all_hits_alike());
    std::vector<detail::buffer_block*> put;
    for (int i = 0; i < 4; ++i) {
        put.push_back(buffers.make(1000));
        buffers.put(put.back());
    }
    buffers.trim(2000);
    EXPECT_FALSE(buffers.is_idle(put[0]));
    EXPECT_FALSE(buffers.is_idle(put[1]));
    EXPECT_EQ(buffers.get(1000), put[3]);
}

TEST(greedy_dual_fit, lets_go_of_what_saves_least_for_its_bytes) {
    constexpr std::array<allocation_cost, 3> points{
        {{100, 10}, {10'000, 10}, {1'000'000, 500'000}}};
    greedy_dual_fit::options options;
    options.costs = allocation_costs(points);
    play buffers(options);
    auto* const small = buffers.make(100);          // 0.1 ns a byte
    auto* const middle = buffers.make(10'000);      // 0.001
    auto* const dearest = buffers.make(1'000'000);  // 0.5
    for (auto* each : {dearest, small, middle}) buffers.put(each);
    buffers.trim(1'000'100);
    EXPECT_FALSE(buffers.is_idle(middle));
    buffers.trim(1'000'000);
    EXPECT_FALSE(buffers.is_idle(small));
    EXPECT_TRUE(buffers.is_idle(dearest));
}

// What was dear once and is wanted no more goes, when what is cheap has come and gone often enough.
TEST(greedy_dual_fit, lets_what_is_not_wanted_age_out) {
    play buffers(all_hits_alike());
    auto* const unwanted = buffers.make(100);  // worth ten of the others' going
    buffers.put(unwanted);
    int gone = 0;
    for (; buffers.is_idle(unwanted) && gone < 1000; ++gone) {
        buffers.put(buffers.make(1000));
        buffers.trim(1100);
        buffers.put(buffers.make(1000));
        buffers.trim(1100);
    }
    EXPECT_GT(gone, 3);
    EXPECT_LT(gone, 100);
}

TEST(greedy_dual_fit, forgets_what_is_idle_for_long) {
    play buffers(all_hits_alike());
    auto* const early = buffers.make(1000);
    buffers.put(early);
    buffers.now += 100 * buffers.second;
    auto* const late = buffers.make(5000);
    buffers.put(late);
    buffers.trim_older(50 * buffers.second);
    EXPECT_FALSE(buffers.is_idle(early));
    EXPECT_TRUE(buffers.is_idle(late));
}

// Of one size what went is always asked for next; of the other, which is worth more, never, and
// without learning it always takes the first one's place.
TEST(greedy_dual_fit, learns_what_is_wanted_again) {
    play buffers(all_hits_alike());
    constexpr int rounds = 400;
    for (int round = 0; round < rounds; ++round) {
        buffers.put(buffers.get(1000));
        for (int i = 0; i < 4; ++i) {
            buffers.put(buffers.make(900));
            buffers.trim(3000);
        }
    }
    EXPECT_GT(buffers.hits(), rounds / 2U);
}

struct article_figures {
    double hit_rate;
    double used;
    double mean_idle;
};

article_figures play_article(std::size_t most_idle) {
    struct within_bound {
        play buffers{all_hits_alike()};
        std::size_t bound;

        explicit within_bound(std::size_t most) : bound(most) {}
        detail::buffer_block* get(std::size_t size) { return buffers.get(size); }
        void put(detail::buffer_block* block) {
            buffers.put(block);
            buffers.trim(bound);
        }
        static std::size_t capacity(const detail::buffer_block* of) { return of->capacity; }
    };
    within_bound way(most_idle);
    lab::buffers::article program(way);
    constexpr int events = 40'000;
    double used = 0;
    double idle = 0;
    for (int event = 0; event < events; ++event) {
        program.step();
        used += program.state().used_percent();
        idle += static_cast<double>(way.buffers.idle_bytes());
    }
    return {100.0 * static_cast<double>(way.buffers.hits()) /
                static_cast<double>(way.buffers.requests()),
            used / events, idle / events};
}

TEST(greedy_dual_fit, serves_the_article_without_waste) {
    const article_figures tight = play_article(16 * 1024);
    EXPECT_GT(tight.hit_rate, 92.5);
    EXPECT_GT(tight.used, 99);
    EXPECT_LT(tight.mean_idle, 13 * 1024);

    const article_figures ample = play_article(64 * 1024);
    EXPECT_GT(ample.hit_rate, 97.5);
    EXPECT_GT(ample.used, 99);
    EXPECT_LT(ample.mean_idle, 53 * 1024);
}

}  // namespace
}  // namespace freehold
