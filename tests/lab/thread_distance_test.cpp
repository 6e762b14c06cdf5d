// SPDX-License-Identifier: BSL-1.0
#include "suites/common/thread_distance.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace thread_distance_test {
namespace {

constexpr double same_core = 50e-9;
constexpr double usual = 110e-9;
constexpr double far = 400e-9;
constexpr std::chrono::nanoseconds none{0};

/// How long a watch rests when after each rest the next of these is the distance, the last for
/// ever.
std::chrono::nanoseconds rest(lab::distance_watch& watch, const std::vector<double>& distances) {
    std::size_t rests = 0;
    std::chrono::nanoseconds rested = none;
    watch.wait_until_usual(
        [&] { return rests < distances.size() ? distances[rests] : distances.back(); },
        [&](std::chrono::nanoseconds time) {
            ++rests;
            rested += time;
        });
    return rested;
}

/// One that has looked around while the distances were these.
lab::distance_watch watch_after(const std::vector<double>& distances) {
    lab::distance_watch watch;
    EXPECT_GT(rest(watch, distances), none);
    return watch;
}

TEST(DistanceWatch, DoesNotRestWhereTheDistanceStaysAsItIs) {
    lab::distance_watch watch = watch_after({usual});
    EXPECT_EQ(rest(watch, {usual}), none);
    EXPECT_EQ(rest(watch, {1.4 * usual}), none);
    EXPECT_EQ(rest(watch, {usual / 1.4}), none);
}

TEST(DistanceWatch, RestsUntilTheDistanceIsUsualAgain) {
    lab::distance_watch watch = watch_after({usual});
    const auto once = rest(watch, {far, usual});
    EXPECT_GT(once, none);
    EXPECT_EQ(rest(watch, {same_core, usual}), once);
    EXPECT_EQ(rest(watch, {far, same_core, far, usual}), 3 * once);
    EXPECT_EQ(rest(watch, {usual}), none);
}

TEST(DistanceWatch, TakesForUsualWhatItSeesMostOftenAtFirst) {
    lab::distance_watch watch =
        watch_after({far, far, same_core, usual, same_core, usual, far, same_core, usual});
    EXPECT_EQ(rest(watch, {usual}), none);
    EXPECT_GT(rest(watch, {same_core, usual}), none);
    EXPECT_GT(rest(watch, {far, usual}), none);
}

TEST(DistanceWatch, RestsNoLongerThanWasMeasuredAndASecond) {
    lab::distance_watch watch = watch_after({usual});
    EXPECT_EQ(rest(watch, {far}), std::chrono::seconds(1));
    EXPECT_EQ(rest(watch, {far}), none);
    watch.measured(0.5);
    EXPECT_EQ(rest(watch, {far}), std::chrono::milliseconds(500));
}

TEST(DistanceWatch, RestsNoLongerThanASecondAfterALongLap) {
    lab::distance_watch watch = watch_after({usual});
    watch.measured(30);
    EXPECT_EQ(rest(watch, {far}), std::chrono::seconds(1));
    EXPECT_EQ(rest(watch, {far}), none);
}

TEST(DistanceWatch, IsSharedByTeamsOfOneSize) {
    EXPECT_EQ(&lab::distance_watch::of_teams_of(2), &lab::distance_watch::of_teams_of(2));
    EXPECT_NE(&lab::distance_watch::of_teams_of(2), &lab::distance_watch::of_teams_of(4));
}

}  // namespace
}  // namespace thread_distance_test
