// SPDX-License-Identifier: BSL-1.0
#include "advise/advice.hpp"

#include <freehold/detail/sanitizers.hpp>

#include "advise/advice_report.hpp"
#include "program/advise/made_trace.hpp"
#include "program/temporary_folder.hpp"

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace advice_test {
namespace {

using namespace freehold;

constexpr std::uint64_t kibibyte = 1024;

void silent(const std::string&, double) {}

const measured_costs costs{{{64, 20}, {4096, 60}, {65536, 2000}, {1048576, 70000}}, 5};
const measured_costs equal_costs{{{64, 20}, {std::size_t{1} << 40, 20}}, 5};

advice advice_on(std::vector<trace_event> events, const settings_wanted& wanted = {},
                 const measured_costs& with = costs) {
    made_reader reader(std::move(events), {{"first", 11}, {"second", 12}});
    return advise(reader, wanted, with, silent);
}

const std::vector<trace_event>& article() {
    static const std::vector<trace_event> events = article_trace(400'000);
    return events;
}

TEST(advice, recommends_a_cutoff_for_the_article) {
    struct bound {
        std::uint64_t max_idle;
        double hit_rate;
    };
    for (const bound& each : {bound{16 * kibibyte, 0.92}, bound{64 * kibibyte, 0.975}}) {
        const advice given = advice_on(article(), {0, each.max_idle}, equal_costs);
        const setting_outcome& choice = given.choice();
        EXPECT_TRUE(given.worth.is_worth_having);
        EXPECT_EQ(choice.setting.policy, "greedy_dual_fit");
        EXPECT_LT(choice.setting.bounds.cutoff, std::size_t{1} << 20U);
        for (const replay_figures& half : choice.result.halves) {
            EXPECT_GE(half.used(), 0.99);
            EXPECT_GE(half.hit_rate(), each.hit_rate);
            EXPECT_LE(half.peak_idle, each.max_idle);
        }
        EXPECT_GE(given.optimum_as_chosen.hit_rate, choice.result.halves[1].hit_rate());
    }
}

TEST(advice, replays_twenty_settings_and_five_competitors) {
    const advice given = advice_on(article_trace(2000));
    std::set<std::string> reimplemented;
    std::size_t own = 0;
    for (const setting_outcome& each : given.outcomes) {
        if (each.setting.is_reimplemented) {
            reimplemented.insert(each.setting.policy);
        } else {
            ++own;
        }
        EXPECT_EQ(each.result.halves[0].requests + each.result.halves[1].requests,
                  given.scope.requests)
            << each.setting.policy;
    }
    EXPECT_GE(own, 20U);
    EXPECT_EQ(reimplemented.size(), 5U);
}

TEST(advice, keeps_every_setting_to_the_most_that_the_user_allows) {
    const advice given = advice_on(article_trace(100'000), {0, 20'000});
    for (const setting_outcome& each : given.outcomes) {
        for (const replay_figures& half : each.result.halves) {
            EXPECT_LE(half.peak_idle, 20'000U) << each.setting.policy << ' ' << each.setting.words;
        }
    }
}

TEST(advice, is_the_same_again) {
    const advice one = advice_on(article_trace(50'000));
    const advice other = advice_on(article_trace(50'000));
    EXPECT_EQ(one.choice().setting.words, other.choice().setting.words);
    ASSERT_EQ(one.outcomes.size(), other.outcomes.size());
    for (std::size_t i = 0; i != one.outcomes.size(); ++i) {
        EXPECT_EQ(one.outcomes[i].result.halves[1].hits, other.outcomes[i].result.halves[1].hits);
        EXPECT_EQ(one.outcomes[i].result.halves[1].idle, other.outcomes[i].result.halves[1].idle);
    }
    EXPECT_EQ(one.optimum_as_chosen.time_saved, other.optimum_as_chosen.time_saved);
}

TEST(advice, is_against_a_cache_where_the_allocator_is_as_fast) {
    measured_costs fast = equal_costs;
    fast.cache = 25;
    const advice given = advice_on(article_trace(20'000), {}, fast);
    EXPECT_FALSE(given.worth.is_worth_having);
    const report_section section = recommendation_section(given);
    EXPECT_THAT(section.finding, testing::StartsWith("No cache is worth having"));
    for (const report_block& each : section.blocks) {
        EXPECT_FALSE(std::holds_alternative<report_code>(each));
    }
}

TEST(advice, is_for_the_process_whose_requests_cost_most) {
    made_trace trace;
    for (int i = 0; i != 100; ++i) trace.put(trace.get(100, 0, 0), 0, 0);
    for (int i = 0; i != 10; ++i) trace.put(trace.get(1'000'000, 1, 1), 1, 1);
    const advice given = advice_on(trace.events());
    EXPECT_EQ(given.process.name, "second");
    EXPECT_EQ(given.processes, 2U);
    EXPECT_EQ(given.scope.requests, 10U);
    EXPECT_GT(given.share_of_cost, 0.9);
}

TEST(advice, is_not_by_the_start_of_a_program_that_works_later) {
    made_trace trace;
    for (int i = 0; i != 5000; ++i) trace.put(trace.get(100));
    for (int i = 0; i != 1000; ++i) trace.put(trace.get(1'000'000));
    const advice given = advice_on(trace.events());
    EXPECT_EQ(given.choice().result.halves[0].requests, 5400U);  // no more than nine tenths
    EXPECT_EQ(given.choice().result.halves[1].requests, 600U);
    EXPECT_TRUE(given.worth.is_worth_having);
    EXPECT_GE(given.choice().setting.bounds.max_idle, 1'000'000U);
    EXPECT_GT(given.choice().result.halves[1].time_saved(), 0.99);
}

TEST(advice, knows_what_large_buffers_cost_in_the_order_of_the_trace) {
    const auto played = [](made_trace trace) {
        for (int i = 0; i != 100; ++i) trace.put(trace.get(100'000));
        allocator_process player;
        made_reader reader(trace.events(), {{"first", 11}});
        return advise(reader, {}, costs, silent, &player);
    };
    const advice small = played({});
    EXPECT_TRUE(small.costs_are_played);
    EXPECT_EQ(small.costs.allocator[3].size, 100'000U);

    // More than this machine has. What is simulated is real for the address sanitizer.
    if (detail::under_address_sanitizer) return;
    made_trace with_large;
    with_large.get(std::uint64_t{1} << 46U);
    const advice large = played(with_large);
    EXPECT_FALSE(large.costs_are_played);
    EXPECT_EQ(large.costs.allocator.size(), costs.allocator.size());
}

TEST(advice, says_why_there_is_none) {
    try {
        static_cast<void>(advice_on({}));
        ADD_FAILURE() << "advice on nothing";
    } catch (const no_advice& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("nothing was allocated"));
    }
    try {
        static_cast<void>(advice_on(article_trace(100), {std::uint64_t{1} << 30U, {}}));
        ADD_FAILURE() << "advice on sizes that are not there";
    } catch (const no_advice& error) {
        EXPECT_STREQ(error.what(),
                     "no request in the trace is for 1 GiB or more: give a smaller --min-size");
    }
}

TEST(advice, tells_in_its_report_what_the_trace_cannot_tell) {
    made_reader reader(article_trace(2000));
    reader.what_it_cannot_tell().has_threads = false;
    reader.what_it_cannot_tell().time_resolution = 0;
    reader.what_it_cannot_tell().warnings = {"3 events missing"};
    const report_model model =
        advice_report(advise(reader, {}, costs, silent), {"trace", "2020-01-01T00:00:00Z"});
    ASSERT_EQ(model.warnings.size(), 3U);
    EXPECT_EQ(model.warnings[0].problem, "3 events missing");
    EXPECT_THAT(model.warnings[1].problem, testing::HasSubstr("thread"));
    EXPECT_THAT(model.warnings[2].problem, testing::HasSubstr("times"));
}

TEST(advice, has_a_report_of_the_program_and_of_every_setting) {
    const advice given = advice_on(article_trace(20'000));
    const report_model model = advice_report(given, {"trace", "2020-01-01T00:00:00Z"});
    std::vector<std::string> sections;
    for (const report_section& each : model.sections) {
        sections.push_back(each.id);
        EXPECT_FALSE(each.finding.empty()) << each.id;
        EXPECT_FALSE(each.blocks.empty()) << each.id;
    }
    EXPECT_THAT(sections, testing::ElementsAre("sizes", "lifetimes", "front", "recommendation"));
    for (const report_block& each : model.sections[2].blocks) {
        if (const auto* table = std::get_if<report_table>(&each)) {
            EXPECT_EQ(table->rows.size(), given.outcomes.size());
        }
    }
}

// What is shown is to be pasted: by the compiler that this was built with, all warnings on.
void expect_to_compile(const std::string& code) {
    const temporary_folder folder;
    const auto file = folder.write("advised.cpp", code);
    const std::string command =
        "'" FREEHOLD_COMPILER
        "' -std=c++20 -DFREEHOLD_HEADER_ONLY=0 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow "
        "-Werror -I '" FREEHOLD_INCLUDE "' '" +
        file.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << code;
}

TEST(recommended_code, compiles) {
    const advice given = advice_on(article_trace(5000), {100, 64 * kibibyte});
    ASSERT_TRUE(given.worth.is_worth_having);
    expect_to_compile(code_of(given.choice().setting, costs.allocator, 100));
}

TEST(recommended_code, has_the_costs_in_as_few_digits_as_they_have) {
    const advice given = advice_on(article_trace(2000));
    const double rounded = 73 * 0.1;  // 7.300000000000001
    const std::string code =
        code_of(given.outcomes.front().setting, {{64, rounded}, {4096, 270000}}, 0);
    EXPECT_THAT(code, testing::HasSubstr("{64, 7.3},"));
    EXPECT_THAT(code, testing::HasSubstr("{4096, 270000},"));
}

TEST(recommended_code, compiles_for_every_policy_that_can_be_recommended) {
    const advice given = advice_on(article_trace(2000));
    std::set<std::string> shown;
    for (const setting_outcome& each : given.outcomes) {
        if (each.setting.is_reimplemented || !shown.insert(each.setting.policy).second) continue;
        expect_to_compile(code_of(each.setting, costs.allocator, 0));
    }
    EXPECT_EQ(shown.size(), 6U);
}

}  // namespace
}  // namespace advice_test
