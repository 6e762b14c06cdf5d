// SPDX-License-Identifier: BSL-1.0
#include "suites/threads_distance.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace {

constexpr double near = 100e-9;
constexpr double far = 400e-9;

/// How often a watch asks for the distance when that is what `told` says, its last for ever.
std::size_t times_asked(lab::distance_watch& watch, const std::vector<double>& told) {
    std::size_t asked = 0;
    watch.wait_while_far([&] {
        const double distance = asked < told.size() ? told[asked] : told.back();
        ++asked;
        return distance;
    });
    return asked;
}

TEST(DistanceWatch, DoesNotWaitWhereTheDistanceStaysAsItIs) {
    lab::distance_watch watch;
    EXPECT_EQ(times_asked(watch, {near}), 1u);
    EXPECT_EQ(times_asked(watch, {1.4 * near}), 1u);
    EXPECT_EQ(times_asked(watch, {0.9 * near}), 1u);
}

TEST(DistanceWatch, WaitsUntilTheThreadsAreNearAgain) {
    lab::distance_watch watch;
    EXPECT_EQ(times_asked(watch, {near}), 1u);
    EXPECT_EQ(times_asked(watch, {far, far, far, near}), 4u);
}

TEST(DistanceWatch, TakesTheFirstDistanceAsItIsAndLearnsOfANearerOne) {
    lab::distance_watch watch;
    EXPECT_EQ(times_asked(watch, {far}), 1u);
    EXPECT_EQ(times_asked(watch, {near}), 1u);
    EXPECT_EQ(times_asked(watch, {far, near}), 2u);
}

TEST(DistanceWatch, WaitsNoLongerThanWasMeasuredAndASecond) {
    lab::distance_watch watch;
    EXPECT_EQ(times_asked(watch, {near}), 1u);
    const std::size_t first = times_asked(watch, {far});
    EXPECT_GT(first, 1u);
    EXPECT_EQ(times_asked(watch, {far}), 1u) << "the second is used up";
    watch.measured(1);
    EXPECT_EQ(times_asked(watch, {far}), first);
}

TEST(DistanceWatch, IsSharedByTeamsOfOneSize) {
    EXPECT_EQ(&lab::distance_watch::of_teams_of(2), &lab::distance_watch::of_teams_of(2));
    EXPECT_NE(&lab::distance_watch::of_teams_of(2), &lab::distance_watch::of_teams_of(4));
}

}  // namespace
