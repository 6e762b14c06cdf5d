// SPDX-License-Identifier: BSL-1.0
#include "advise/choice.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choice_test {
namespace {

using namespace freehold;

/// Of a million requests that cost the allocator 100 ns each, in each half.
replay_figures figures(double time_saved, double mean_idle, double used = 1) {
    replay_figures made;
    made.requests = 1'000'000;
    made.time_without = 1e8;
    made.allocator_time = (1 - time_saved) * made.time_without;
    made.duration = 1e9;
    made.idle = mean_idle * made.duration;
    made.handed_out = 1e12;
    made.asked = used * made.handed_out;
    return made;
}

setting_outcome outcome(const std::string& policy, const replay_figures& first,
                        const replay_figures& second) {
    setting_outcome made;
    made.setting.policy = policy;
    made.result.halves = {first, second};
    return made;
}
setting_outcome outcome(const std::string& policy, const replay_figures& both) {
    return outcome(policy, both, both);
}

std::string chosen_of(const std::vector<setting_outcome>& outcomes) {
    return outcomes[choose(outcomes, 5)].setting.policy;
}

TEST(choice, takes_the_setting_that_keeps_least_of_those_that_save_nearly_the_most) {
    EXPECT_EQ(
        chosen_of({outcome("small", figures(0.5, 1000)), outcome("middle", figures(0.9, 4000)),
                   outcome("large", figures(0.91, 64000))}),
        "middle");
}

TEST(choice, has_no_eyes_for_the_second_half) {
    EXPECT_EQ(chosen_of({outcome("first", figures(0.9, 1000), figures(0.1, 1000)),
                         outcome("second", figures(0.1, 1000), figures(0.9, 1000))}),
              "first");
}

TEST(choice, passes_over_what_wastes_what_it_hands_out) {
    EXPECT_EQ(chosen_of({outcome("wasteful", figures(0.99, 1000, 0.5)),
                         outcome("tight", figures(0.8, 1000, 0.99))}),
              "tight");
    EXPECT_EQ(chosen_of({outcome("wasteful", figures(0.99, 1000, 0.5)),
                         outcome("too", figures(0.8, 1000, 0.6))}),
              "wasteful");
}

TEST(choice, never_recommends_a_competitor) {
    auto other = outcome("other", figures(0.99, 10));
    other.setting.is_reimplemented = true;
    EXPECT_EQ(chosen_of({other, outcome("own", figures(0.5, 1000))}), "own");
}

TEST(choice, cuts_off_the_sizes_that_save_next_to_nothing) {
    process_profile program;
    replay_result result;
    const auto ask = [&](std::uint64_t size, std::uint64_t requests, std::uint64_t hits) {
        program.sizes[size_class::of(size)].requests = requests;
        result.hits_by_size[size_class::of(size)] = hits;
    };
    const allocation_costs costs = allocation_costs::equal();
    ask(100, 1000, 990);
    ask(1000, 10, 9);
    EXPECT_EQ(cutoff_for(result, program, costs), std::nullopt);
    ask(1'000'000, 2, 0);
    const auto cutoff = cutoff_for(result, program, costs);
    ASSERT_TRUE(cutoff.has_value());
    EXPECT_GE(*cutoff, 1000U);
    EXPECT_LE(*cutoff, 1125U);
}

TEST(verdict, is_for_a_cache_that_saves_a_share_of_the_run_that_can_be_noticed) {
    replay_result result;
    result.halves[1] = figures(0.9, 1000);  // 90 ms of a second, and 5 for the cache
    const verdict found = judge(result, 5, true);
    EXPECT_TRUE(found.is_worth_having);
    EXPECT_EQ(found.reason, "it saves 85 ms of the 1 s that the program ran");
}

TEST(verdict, is_against_one_whose_saving_is_lost_in_the_run) {
    replay_result result;
    result.halves[1] = figures(0.9, 1000);
    result.halves[1].duration *= 100;
    const verdict found = judge(result, 5, true);
    EXPECT_FALSE(found.is_worth_having);
    EXPECT_THAT(found.reason, testing::HasSubstr("85 ms of the 100 s"));
}

TEST(verdict, is_against_one_that_takes_more_than_it_saves) {
    replay_result result;
    result.halves[1] = figures(0.9, 1000);
    const verdict found = judge(result, 95, true);
    EXPECT_FALSE(found.is_worth_having);
    EXPECT_THAT(found.reason, testing::HasSubstr("90 ms of the 100 ms"));
    EXPECT_THAT(found.reason, testing::HasSubstr("take 95 ms"));
}

TEST(verdict, says_nothing_of_the_run_where_the_trace_has_no_times) {
    replay_result result;
    result.halves[1] = figures(0.9, 1000);
    result.halves[1].duration = 1;
    EXPECT_EQ(judge(result, 5, false).reason,
              "it saves 85 ms of the 100 ms that the allocator takes");
}

}  // namespace
}  // namespace choice_test
