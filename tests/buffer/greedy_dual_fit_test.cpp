// SPDX-License-Identifier: BSL-1.0
// The policy greedy_dual_fit: what it hands out, what it evicts, what it learns, and how it does in
// the article's program.
#include <freehold/buffer/policies/greedy_dual_fit.hpp>

#include "contracts/policy_play.hpp"
#include "suites/buffers/article.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::greedy_dual_fit_test {
namespace {

using play = contracts::policy_play<greedy_dual_fit>;

greedy_dual_fit::options all_hits_alike(double band = 1.25) {
    greedy_dual_fit::options options;
    options.band = band;
    options.costs = allocation_costs::equal();
    return options;
}

TEST(greedy_dual_fit, rounds_capacities_up_by_at_most_a_64th) {
    const greedy_dual_fit policy;
    EXPECT_EQ(policy.capacity_for(1), 1U);
    EXPECT_EQ(policy.capacity_for(100), 100U);
    EXPECT_EQ(policy.capacity_for(1001), 1008U);
    for (std::size_t size = 1; size < 100'000; size += 7) {
        EXPECT_LE(policy.capacity_for(size) - size, size / 64);
    }
}

TEST(greedy_dual_fit, gives_no_large_buffer_to_a_small_request) {
    play buffers(all_hits_alike(1.25));
    auto* const large = buffers.make(1251);
    buffers.put(large);
    EXPECT_NE(buffers.get(1000), large);
    EXPECT_EQ(buffers.get(1001), large);
}

TEST(greedy_dual_fit, respects_the_band) {
    play buffers(all_hits_alike(1.1));
    auto* const large = buffers.make(1200);
    buffers.put(large);
    EXPECT_NE(buffers.get(1080), large);
    EXPECT_EQ(buffers.get(1100), large);
}

TEST(greedy_dual_fit, hands_out_the_tightest_buffer) {
    play buffers(all_hits_alike());
    std::vector<buffer_block*> put;
    for (const std::size_t capacity : {1150U, 1100U, 1240U, 1120U}) {
        put.push_back(buffers.make(capacity));
        buffers.put(put.back());
    }
    EXPECT_EQ(buffers.get(1000), put[1]);
    EXPECT_EQ(buffers.get(1000), put[3]);
    EXPECT_EQ(buffers.get(1000), put[0]);
    EXPECT_EQ(buffers.get(1000), put[2]);
}

TEST(greedy_dual_fit, evicts_the_oldest_of_a_class_first) {
    play buffers(all_hits_alike());
    std::vector<buffer_block*> put;
    for (int i = 0; i < 4; ++i) {
        put.push_back(buffers.make(1000));
        buffers.put(put.back());
    }
    buffers.trim(2000);
    EXPECT_FALSE(buffers.is_idle(put[0]));
    EXPECT_FALSE(buffers.is_idle(put[1]));
    EXPECT_EQ(buffers.get(1000), put[3]);
}

TEST(greedy_dual_fit, evicts_the_least_saving_per_byte) {
    constexpr std::array<allocation_cost, 3> points{
        {{100, 10}, {10'000, 10}, {1'000'000, 500'000}}};
    greedy_dual_fit::options options;
    options.costs = allocation_costs(points);
    play buffers(options);
    auto* const small = buffers.make(100);          // 0.1 ns a byte
    auto* const middle = buffers.make(10'000);      // 0.001 ns a byte
    auto* const dearest = buffers.make(1'000'000);  // 0.5 ns a byte
    for (auto* each : {dearest, small, middle}) buffers.put(each);
    buffers.trim(1'000'100);
    EXPECT_FALSE(buffers.is_idle(middle));
    buffers.trim(1'000'000);
    EXPECT_FALSE(buffers.is_idle(small));
    EXPECT_TRUE(buffers.is_idle(dearest));
}

// A valuable buffer that is no longer requested is evicted, when enough cheap ones have come and
// gone.
TEST(greedy_dual_fit, ages_out_unused_buffers) {
    play buffers(all_hits_alike());
    auto* const unwanted = buffers.make(100);  // worth ten evictions of the others
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

TEST(greedy_dual_fit, trims_old_buffers) {
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

// For one size, the evicted buffer is always requested next. For the other, more valuable size, it
// never is, and without learning that size would always displace the first.
TEST(greedy_dual_fit, learns_which_classes_are_requested_again) {
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
        buffer_block* get(std::size_t size) { return buffers.get(size); }
        void put(buffer_block* block) {
            buffers.put(block);
            buffers.trim(bound);
        }
        static std::size_t capacity(const buffer_block* of) { return of->capacity; }
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
}  // namespace freehold::greedy_dual_fit_test
