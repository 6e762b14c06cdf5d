// SPDX-License-Identifier: BSL-1.0
#include "analyse/median_interval.hpp"

#include "simulated_noise.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace median_interval_test {
namespace {

using namespace freehold::analyse;
using freehold::test::noisy_machine;

// Hesterberg (2015) tabulates the expanded tails of a 95 % interval: 0.0086 for n = 10 and 0.0159
// for n = 20, from Phi(-sqrt(n / (n - 1)) t(0.975, n - 1)).
TEST(median_interval, percentiles_are_widened_for_few_clusters) {
    EXPECT_NEAR(expanded_percentiles(10).low, 0.0086, 5e-5);
    EXPECT_NEAR(expanded_percentiles(20).low, 0.0159, 5e-5);
    EXPECT_NEAR(expanded_percentiles(10000).low, 0.025, 1e-4);
    EXPECT_NEAR(expanded_percentiles(10).high, 0.9914, 5e-5);
}

TEST(median_interval, is_the_same_every_time) {
    const auto cell = noisy_machine(1).measure({100}, 4, 8).front();
    const auto first = estimate_median(cell);
    const auto second = estimate_median(cell);
    EXPECT_EQ(first.bounds.low, second.bounds.low);
    EXPECT_EQ(first.bounds.high, second.bounds.high);
    EXPECT_LE(first.bounds.low, first.value);
    EXPECT_GE(first.bounds.high, first.value);
}

TEST(median_interval, single_samples_and_empty_processes) {
    const auto exact = estimate_median({{16}});
    EXPECT_EQ(exact.value, 16);
    EXPECT_EQ(exact.bounds.low, 16);
    EXPECT_EQ(exact.bounds.high, 16);
    EXPECT_EQ(estimate_median({{}, {3, 4, 5}}).value, 4);
    EXPECT_THROW((void)estimate_median({}), std::invalid_argument);
    EXPECT_THROW((void)estimate_median({{}, {}}), std::invalid_argument);
}

// Processes that differ by 3 %, repetitions within them by 0.2 %: an interval that took the 60
// repetitions for independent would hold the truth in a third of the runs.
TEST(median_interval, holds_the_truth_although_processes_differ) {
    int held = 0;
    for (unsigned seed = 0; seed != 200; ++seed) {
        noisy_machine machine(seed, {.repetition = 0.002, .process = 0.03, .cell_in_process = 0});
        const auto found = estimate_median(machine.measure({100}, 6, 10).front());
        held += found.bounds.low <= 100 && 100 <= found.bounds.high;
    }
    EXPECT_GE(held, 180);
}

TEST(median_interval, grows_narrower_with_more_processes) {
    const auto few = estimate_median(noisy_machine(7).measure({100}, 4, 10).front());
    const auto many = estimate_median(noisy_machine(7).measure({100}, 64, 10).front());
    EXPECT_LT(many.bounds.high - many.bounds.low, (few.bounds.high - few.bounds.low) / 2);
}

}  // namespace
}  // namespace median_interval_test
