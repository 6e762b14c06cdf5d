// SPDX-License-Identifier: BSL-1.0
// What the suite `buffers` plays, and what it makes of it, against figures worked out by hand.
#include <freehold/buffer/buffer_policies.hpp>

#include "suites/buffers/counting_upstream.hpp"
#include "suites/buffers/optimum.hpp"
#include "suites/buffers/policies.hpp"
#include "suites/buffers/prices.hpp"
#include "suites/buffers/replay.hpp"
#include "suites/buffers/workload.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace buffers_test {
namespace {

using namespace lab::buffers;
using freehold::size_class;

constexpr std::size_t no_bound = std::size_t{1} << 40;

const workload& workload_called(std::string_view name) {
    for (const workload& each : all_workloads()) {
        if (each.key == name) return each;
    }
    throw std::logic_error("no workload " + std::string(name));
}

/// A buffer of each size in turn, given back before the next is asked for.
workload one_after_the_other(const std::vector<std::size_t>& sizes) {
    recorder record("one after the other");
    for (const std::size_t size : sizes) record.put(record.get(size));
    return std::move(record).take();
}

TEST(buffers_recorder, uses_a_free_slot_again) {
    recorder record("slots", 2);
    const auto first = record.get(10);
    const auto second = record.get(20, 1);
    EXPECT_NE(first, second);
    record.put(first, 1);
    EXPECT_EQ(record.get(30), first);
    const workload made = std::move(record).take();
    EXPECT_EQ(made.slots, 2u);
    EXPECT_EQ(made.threads, 2u);
    ASSERT_EQ(made.steps.size(), 4u);
    EXPECT_EQ(made.steps[2].size, step::put);
    EXPECT_EQ(made.steps[2].thread, 1u);
}

TEST(buffers_workloads, put_only_what_was_got) {
    std::set<std::string> names;
    for (const workload& each : all_workloads()) {
        SCOPED_TRACE(each.key);
        EXPECT_TRUE(names.insert(each.key).second);
        EXPECT_EQ(each.steps.size(), 100'000u);
        std::vector<bool> taken(each.slots);
        for (const step& at : each.steps) {
            ASSERT_LT(at.slot, each.slots);
            ASSERT_LT(at.thread, each.threads);
            ASSERT_EQ(taken[at.slot], at.size == step::put);
            taken[at.slot] = at.size != step::put;
        }
    }
    EXPECT_EQ(names, (std::set<std::string>{"article", "article.steep", "network", "pages",
                                            "phases", "across_threads"}));
}

TEST(buffers_workloads, of_the_article_begin_as_it_prints) {
    const workload& article = workload_called("article");
    EXPECT_EQ(article.steps.front().size, 400u);  // 0: 1 buffers, 400/400
    std::size_t bytes = 0;
    std::size_t in_use = 0;
    std::vector<std::size_t> sizes(article.slots);
    for (std::size_t i = 0; i <= 300; ++i) {  // 300: 19 buffers, 9800
        const step& at = article.steps[i];
        in_use += at.size == step::put ? -1 : 1;
        bytes += at.size - (at.size == step::put ? sizes[at.slot] : 0);
        sizes[at.slot] = at.size;
    }
    EXPECT_EQ(in_use, 19u);
    EXPECT_EQ(bytes, 9800u);
}

TEST(buffers_workloads, cross_threads_as_often_as_is_said) {
    const workload& across = workload_called("across_threads");
    std::vector<std::uint32_t> owners(across.slots);
    double puts = 0;
    double elsewhere = 0;
    for (const step& at : across.steps) {
        if (at.size != step::put) {
            owners[at.slot] = at.thread;
            continue;
        }
        ++puts;
        if (at.thread != owners[at.slot]) ++elsewhere;
    }
    EXPECT_NEAR(elsewhere / puts, 0.47, 0.01);
}

TEST(buffers_upstream, counts_buffers_and_hands_out_a_header) {
    counting_upstream upstream;
    void* const large = upstream.allocate(counting_upstream::header + 100'000'000, 16);
    void* const small = upstream.allocate(counting_upstream::header + 64, 16);
    EXPECT_EQ(upstream.bytes_out(), 100'000'064u);
    EXPECT_EQ(upstream.allocations()[size_class::of(64)], 1u);
    upstream.deallocate(large, counting_upstream::header + 100'000'000, 16);
    EXPECT_EQ(upstream.bytes_out(), 64u);
    EXPECT_EQ(upstream.calls(), 3u);
    EXPECT_THROW((void)upstream.allocate(4096, 4096), std::bad_alloc);
    upstream.deallocate(small, counting_upstream::header + 64, 16);
}

// The cache has 100 bytes from step 2 on, gives them out again, and lets them go for 200 at the
// end.
TEST(buffers_replay, sums_over_the_steps) {
    const workload work = one_after_the_other({100, 100, 200});
    const replayed done = replay<freehold::keep_largest>(work, no_bound, {});
    EXPECT_EQ(done.steps, 6u);
    EXPECT_EQ(done.requests, 3u);
    EXPECT_EQ(done.hits(), 1u);
    EXPECT_EQ(done.allocator_calls, 3u);
    EXPECT_EQ(done.asked, 100 + 0 + 100 + 0 + 200 + 0);
    EXPECT_EQ(done.handed_out, done.asked);
    EXPECT_EQ(done.idle, 0 + 100 + 0 + 100 + 100 + 200);
    EXPECT_EQ(done.allocations[size_class::of(100)], 1u);
    EXPECT_EQ(done.allocations[size_class::of(200)], 1u);
}

TEST(buffers_replay, tells_what_is_wasted) {
    const workload work = one_after_the_other({400, 100});
    const replayed flawed = replay<freehold::keep_largest>(work, no_bound, {});
    EXPECT_EQ(flawed.hits(), 1u);
    EXPECT_EQ(flawed.asked, 400 + 100);
    EXPECT_EQ(flawed.handed_out, 400 + 400);
    EXPECT_DOUBLE_EQ(flawed.unused(), (0 + 400 + 300 + 400) / 4.0);
    const replayed mended = replay<freehold::keep_first_below>(work, no_bound, {});
    EXPECT_EQ(mended.hits(), 0u);
    EXPECT_EQ(mended.handed_out, 400 + 100);
}

TEST(buffers_replay, keeps_no_more_than_the_bound) {
    const workload work = one_after_the_other({100, 100, 100});
    EXPECT_EQ(replay<freehold::greedy_dual_fit>(work, 99, {}).hits(), 0u);
    EXPECT_EQ(replay<freehold::greedy_dual_fit>(work, 99, {}).idle, 0);
    EXPECT_EQ(replay<freehold::greedy_dual_fit>(work, no_bound, {}).hits(), 2u);
}

TEST(buffers_replay, brings_a_buffer_back_to_the_thread_that_asks_for_it) {
    recorder record("there and back", 2);
    for (int i = 0; i < 10; ++i) record.put(record.get(100, 0), 1);
    const workload work = std::move(record).take();
    EXPECT_EQ(replay<freehold::greedy_dual_fit>(work, no_bound, {}).hits(), 9u);
}

TEST(buffers_replay, is_the_same_again) {
    const workload& work = workload_called("across_threads");
    for (const compared_policy& policy : all_policies()) {
        SCOPED_TRACE(policy.subject.name);
        const policy_setting& largest = policy.settings.back();
        const replayed first = largest.play(work, {});
        const replayed second = largest.play(work, {});
        EXPECT_EQ(first.allocations, second.allocations);
        EXPECT_EQ(first.allocator_calls, second.allocator_calls);
        EXPECT_EQ(first.idle, second.idle);
        EXPECT_EQ(first.handed_out, second.handed_out);
    }
}

// There is room for four small ones, or a large one.
TEST(buffers_policies, know_the_costs_if_they_say_so) {
    recorder record("one of two", 1);
    std::vector<std::uint32_t> all_at_first;
    for (int i = 0; i < 4; ++i) all_at_first.push_back(record.get(1000));
    for (const std::uint32_t each : all_at_first) record.put(each);
    for (int i = 0; i < 10; ++i) {
        const auto small = record.get(1000);
        const auto large = record.get(4000);
        record.put(small);
        record.put(large);
    }
    const workload work = std::move(record).take();
    const std::array<freehold::allocation_cost, 2> small_is_dear = {{{1000, 90}, {4000, 1}}};
    const std::array<freehold::allocation_cost, 2> large_is_dear = {{{1000, 1}, {4000, 90}}};
    for (const compared_policy& policy : all_policies()) {
        SCOPED_TRACE(policy.subject.name);
        const policy_setting& smallest = policy.settings.front();
        const auto a = smallest.play(work, freehold::allocation_costs(small_is_dear));
        const auto b = smallest.play(work, freehold::allocation_costs(large_is_dear));
        EXPECT_EQ(policy.knows_costs, a.allocations != b.allocations);
        EXPECT_EQ(policy.knows_costs, policy.subject.name == "greedy_dual_fit");
    }
}

TEST(buffers_policies, say_their_settings) {
    for (const compared_policy& policy : all_policies()) {
        std::set<std::string> notes;
        for (const policy_setting& each : policy.settings) {
            EXPECT_TRUE(notes.insert(each.note).second) << policy.subject.name << ", " << each.note;
        }
    }
    EXPECT_EQ(in_words(4096), "4 KiB at most");
    EXPECT_EQ(in_words(std::size_t{2} << 20), "2 MiB at most");
    EXPECT_EQ(all_bounds().front(), 4096u);
    EXPECT_EQ(all_bounds().back(), std::size_t{4} << 20);
}

const auto all_alike = [](std::size_t) { return 1.0; };

// Two pairs, each of 100 bytes for one step of six.
TEST(buffers_optimum, keeps_what_the_mean_allows) {
    const offline_optimum optimum(one_after_the_other({100, 100, 100}), paired::by_size);
    EXPECT_DOUBLE_EQ(optimum.most_idle(), 200.0 / 6);
    const std::vector<kept_pairs> best = optimum.best({16, 17, 34}, all_alike);
    EXPECT_DOUBLE_EQ(best[0].hit_rate, 0);
    EXPECT_DOUBLE_EQ(best[1].hit_rate, 1.0 / 3);
    EXPECT_DOUBLE_EQ(best[2].hit_rate, 2.0 / 3);
    EXPECT_DOUBLE_EQ(best[0].calls_for_each_request, 2);
    EXPECT_DOUBLE_EQ(best[2].calls_for_each_request, 2.0 / 3);
    EXPECT_DOUBLE_EQ(best[1].idle, 100.0 / 6);
    EXPECT_DOUBLE_EQ(best[2].used, 1);
}

TEST(buffers_optimum, pairs_the_last_return_first) {
    recorder record("two of a size");
    const auto first = record.get(100);
    const auto second = record.get(100);
    record.put(first);
    record.put(second);
    record.get(100);  // of the second, after a step
    record.get(100);  // of the first, after three
    const offline_optimum optimum(std::move(record).take(), paired::by_size);
    EXPECT_DOUBLE_EQ(optimum.most_idle(), 400.0 / 6);
    EXPECT_DOUBLE_EQ(optimum.best({17}, all_alike)[0].hit_rate, 0.25);
}

TEST(buffers_optimum, prefers_what_yields_most_for_its_bytes) {
    const offline_optimum optimum(one_after_the_other({100, 100, 1000, 1000}), paired::by_size);
    const std::vector<std::size_t> room_for_the_large_one = {125};
    const auto by_count = optimum.best(room_for_the_large_one, all_alike);
    EXPECT_DOUBLE_EQ(by_count[0].idle, 100.0 / 8);
    const auto by_square = [](std::size_t size) { return std::pow(double(size), 2); };
    EXPECT_DOUBLE_EQ(optimum.best(room_for_the_large_one, by_square)[0].idle, 1000.0 / 8);
}

TEST(buffers_optimum, pairs_what_is_in_a_class) {
    const workload work = one_after_the_other({97, 103});
    ASSERT_EQ(size_class::of(97), size_class::of(103));
    ASSERT_NE(size_class::of(103), size_class::of(104));
    EXPECT_EQ(offline_optimum(work, paired::by_size).best({1000}, all_alike)[0].hit_rate, 0);
    const kept_pairs paired = offline_optimum(work, paired::by_class).best({1000}, all_alike)[0];
    EXPECT_DOUBLE_EQ(paired.hit_rate, 0.5);
    EXPECT_DOUBLE_EQ(paired.used, 200.0 / 206);
    EXPECT_DOUBLE_EQ(paired.unused, (6 + 103 + 0) / 4.0);
}

// The article's sizes are doublings, so that no policy within a band of 1.25 has more to pair.
TEST(buffers_optimum, is_not_surpassed) {
    const workload& work = workload_called("article");
    const offline_optimum optimum(work, paired::by_size);
    for (const compared_policy& policy : all_policies()) {
        if (policy.subject.name.rfind("greedy_dual_fit", 0) != 0) continue;
        for (const policy_setting& each : policy.settings) {
            const replayed done = each.play(work, {});
            const auto idle = static_cast<std::size_t>(std::ceil(done.idle / double(done.steps)));
            EXPECT_LE(double(done.hits()) / double(done.requests),
                      optimum.best({idle}, all_alike)[0].hit_rate)
                << policy.subject.name << ", " << each.note;
        }
    }
}

TEST(buffers_prices, are_of_each_group_of_sizes) {
    const workload work = one_after_the_other({100, 64, 65, 128, 5000, 7000});
    EXPECT_EQ(groups_of_sizes(work), (std::vector<std::size_t>{64, 128, 8192}));
    const std::vector<price> prices = measure_prices(work);
    ASSERT_EQ(prices.size(), 3u);
    EXPECT_EQ(prices[0].up_to, 64u);
    EXPECT_EQ(prices[0].cost.size, 64u);
    EXPECT_EQ(prices[1].up_to, 128u);
    EXPECT_EQ(prices[1].cost.size, (100u + 65 + 128) / 3);
    EXPECT_EQ(prices[2].cost.size, 6000u);
    for (const price& each : prices) EXPECT_GT(each.cost.nanoseconds, 0);
}

}  // namespace
}  // namespace buffers_test
