// SPDX-License-Identifier: BSL-1.0
// What a repetition reports of the times of its iterations.
#include "suites/common/state.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace kernel_state_test {
namespace {

double seconds_of(const std::vector<double>& times) {
    lab::kernel_state state(static_cast<std::int64_t>(times.size()));
    auto next = times.begin();
    for ([[maybe_unused]] auto _ : state) state.set_iteration_time(*next++);
    return state.seconds();
}

TEST(kernel_state, is_not_moved_by_iterations_that_were_disturbed) {
    EXPECT_EQ(seconds_of({2, 2, 2, 2, 2, 2, 2, 2}), 16);
    EXPECT_EQ(seconds_of({900, 2, 50, 2, 2, 7, 2, 900}), 16);
}

TEST(kernel_state, is_not_moved_by_one_iteration_that_was_too_short) {
    EXPECT_EQ(seconds_of({2, 2, 0, 2, 2, 2, 2, 2}), 16);
}

TEST(kernel_state, takes_the_lower_quartile_of_what_varies) {
    EXPECT_EQ(seconds_of({5, 4, 3, 2, 1}), 2 * 5);
}

TEST(kernel_state, has_a_figure_of_any_number_of_iterations) {
    EXPECT_EQ(seconds_of({}), 0);
    EXPECT_EQ(seconds_of({3}), 3);
    EXPECT_EQ(seconds_of({3, 5}), 6);
}

}  // namespace
}  // namespace kernel_state_test
