// SPDX-License-Identifier: BSL-1.0
#include "measure/time_estimate.hpp"

#include "measure/progress.hpp"

#include <gtest/gtest.h>

namespace freehold::time_estimate_test {
namespace {

TEST(TimeEstimate, BeginsWithWhatIsTypical) {
    const time_estimate estimate({{10, 100}, {20, 100}});
    EXPECT_DOUBLE_EQ(estimate.remaining(0, 0), 30);
    EXPECT_DOUBLE_EQ(estimate.done(0, 0), 0);
}

TEST(TimeEstimate, LearnsFromTheSuitesThatAreDone) {
    time_estimate estimate({{10, 100}, {20, 100}, {5, 100}});
    estimate.suite_done(20);  // twice the typical time
    EXPECT_DOUBLE_EQ(estimate.remaining(0, 0), 50);
    EXPECT_NEAR(estimate.done(0, 0), 20.0 / 70, 1e-9);
}

TEST(TimeEstimate, LearnsFromTheSuiteThatRuns) {
    const time_estimate estimate({{10, 100}, {10, 100}});
    EXPECT_DOUBLE_EQ(estimate.remaining(15, 0.5), 15 + 30);
}

TEST(TimeEstimate, NoSuiteIsExpectedToTakeLongerThanItsLimit) {
    time_estimate estimate({{10, 1000}, {10, 40}});
    estimate.suite_done(100);
    EXPECT_DOUBLE_EQ(estimate.remaining(0, 0), 40);
}

TEST(TimeEstimate, NeverGoesBelowNothing) {
    time_estimate estimate({{10, 100}});
    EXPECT_DOUBLE_EQ(estimate.remaining(50, 1), 0);
    EXPECT_GE(estimate.remaining(50, 0), 0);
    estimate.suite_done(50);
    EXPECT_DOUBLE_EQ(estimate.remaining(0, 0), 0);
    EXPECT_DOUBLE_EQ(estimate.done(0, 0), 1);
}

TEST(DurationText, IsReadable) {
    EXPECT_EQ(duration_text(0.4), "0 s");
    EXPECT_EQ(duration_text(59.4), "59 s");
    EXPECT_EQ(duration_text(125), "2 min 5 s");
    EXPECT_EQ(duration_text(4800), "1 h 20 min");
}

}  // namespace
}  // namespace freehold::time_estimate_test
