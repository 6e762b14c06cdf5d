// SPDX-License-Identifier: BSL-1.0
// When samples are taken, and taken again, if another thread uses the core.
#include "runner/quiet_cores.hpp"

#include "suites/common/stack_places.hpp"
#include "suites/common/thread_processors.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace quiet_cores_test {
namespace {

constexpr double alone = 3.5;
constexpr double beside_another = 1.8;

// The cores are shared at the questions from the first to before the last of these. The first
// question comes before a sample is taken, and finds the core quiet.
std::size_t questions = 0;
std::size_t shared_from = 0;
std::size_t shared_to = 0;
double additions_by_question() noexcept {
    const std::size_t question = questions++;
    return question >= shared_from && question < shared_to ? beside_another : alone;
}

class QuietCores : public testing::Test {
protected:
    /// The result of a sample whose attempts take 50, 40, 60, 60, ... seconds.
    double seconds_if_shared(std::size_t from, std::size_t to, bool elsewhere = false) {
        questions = 0;
        shared_from = from;
        shared_to = to;
        taken_ = 0;
        return cores_.seconds([&] {
            ++taken_;
            return lab::measured_time{taken_ == 1 ? 50.0 : taken_ == 2 ? 40.0 : 60.0, elsewhere};
        });
    }

    lab::quiet_cores cores_{additions_by_question};
    int taken_ = 0;
};

TEST_F(QuietCores, TakeASampleOnce) {
    EXPECT_EQ(seconds_if_shared(0, 0), 50);
    EXPECT_EQ(taken_, 1);
    EXPECT_EQ(cores_.counts().repeated, 0U);
    EXPECT_EQ(cores_.counts().disturbed, 0U);
}

TEST_F(QuietCores, TakeASampleAgainIfTheCoreIsSharedAfterwards) {
    EXPECT_EQ(seconds_if_shared(1, 2), 40);
    EXPECT_EQ(taken_, 2);
    EXPECT_EQ(cores_.counts().repeated, 1U);
    EXPECT_EQ(cores_.counts().disturbed, 0U);
}

TEST_F(QuietCores, TakeASampleAgainIfAnyCoreIsSharedAndItWasTakenElsewhere) {
    const std::size_t processors = lab::usable_processors().size();
    const std::size_t last = processors > 8 ? 1 : processors;
    EXPECT_EQ(seconds_if_shared(last, last + 1, true), 40);
    EXPECT_EQ(cores_.counts().repeated, 1U);
}

TEST_F(QuietCores, WaitBeforeTheyTakeASample) {
    const std::size_t last = 1 + 10 * lab::usable_processors().size();
    EXPECT_EQ(seconds_if_shared(1, last), 40);
    EXPECT_EQ(taken_, 2);
    EXPECT_GT(questions, last);
    EXPECT_EQ(cores_.counts().disturbed, 0U);
}

TEST_F(QuietCores, GiveTheShortestTimeIfNoAttemptIsQuiet) {
    EXPECT_EQ(seconds_if_shared(1, ~std::size_t{0}), 40);
    EXPECT_EQ(taken_, 2);
    EXPECT_EQ(cores_.counts().repeated, 0U);
    EXPECT_EQ(cores_.counts().disturbed, 1U);
}

TEST(AdditionsPerCycle, AreMoreThanOneOnAnyCoreOfToday) {
    double most = 0;
    for (int i = 0; i < 20; ++i) most = std::max(most, lab::additions_per_cycle());
    EXPECT_GT(most, 1);
    EXPECT_LT(most, 16);
}

TEST(StackPlaces, CoverAnEqualShareOfACacheLine) {
    std::set<std::uintptr_t> places;
    for (std::size_t place = 0; place < lab::stack_places; ++place) {
        lab::at_stack_place(place, [&] {
            places.insert(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 64);
        });
    }
    EXPECT_EQ(places.size(), lab::stack_places);
}

}  // namespace
}  // namespace quiet_cores_test
