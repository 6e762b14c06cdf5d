// SPDX-License-Identifier: BSL-1.0
#include "measure/schedule.hpp"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace freehold {
namespace {

constexpr std::array<std::string_view, 10> suites = {
    "operations", "containers", "footprint", "construction", "threads",
    "packets",    "zeroing",    "cold_scan", "buffers",      "cycles"};
constexpr std::array<measure_mode, 3> modes = {measure_mode::quick, measure_mode::standard,
                                               measure_mode::full};

double sum_of_limits(measure_mode mode) {
    double sum = 0;
    for (const auto suite : suites) sum += schedule_for(suite, mode).limit_seconds;
    return sum;
}

TEST(Schedule, TheLimitsAddUpToAboutWhatTheModePromises) {
    EXPECT_LT(sum_of_limits(measure_mode::quick), 6.6 * 60);
    EXPECT_LT(sum_of_limits(measure_mode::standard), 18.3 * 60);
    EXPECT_LT(sum_of_limits(measure_mode::full), 114 * 60);
}

TEST(Schedule, EveryRowCanBeRun) {
    for (const auto mode : modes)
        for (const std::string_view suite :
             {"operations", "containers", "footprint", "construction", "threads", "packets",
              "zeroing", "cold_scan", "buffers", "cycles", "new"}) {
            const suite_schedule row = schedule_for(suite, mode);
            EXPECT_GE(row.rounds, 1);
            EXPECT_GE(row.repetitions, 1);
            EXPECT_GT(row.min_time, 0);
            EXPECT_GT(row.typical_seconds, 0);
            EXPECT_LT(2 * row.typical_seconds, row.limit_seconds) << suite << ": two labs";
        }
}

TEST(Schedule, WhatIsTimedIsMeasuredInSeveralProcesses) {
    for (const auto mode : modes)
        for (const std::string_view suite : {"operations", "containers", "construction", "threads",
                                             "packets", "zeroing", "buffers", "cycles", "new"})
            EXPECT_GE(schedule_for(suite, mode).rounds, 2);
}

TEST(Schedule, TheArticlesProgramRunsInFullAsOftenAsItDid) {
    EXPECT_EQ(schedule_for("construction", measure_mode::full).seed_iterations, 100'000'000);
    EXPECT_FALSE(schedule_for("construction", measure_mode::standard).seed_iterations);
    EXPECT_FALSE(schedule_for("operations", measure_mode::full).seed_iterations);
}

TEST(Schedule, LinesAreFilledWithAGibibyteInFull) {
    EXPECT_EQ(schedule_for("zeroing", measure_mode::full).data_mebibytes, 1024);
    EXPECT_LT(*schedule_for("zeroing", measure_mode::quick).data_mebibytes, 1024);
    EXPECT_FALSE(schedule_for("packets", measure_mode::full).data_mebibytes);
}

TEST(Schedule, ModesAreCalledAsTheUserCallsThem) {
    EXPECT_EQ(mode_name(measure_mode::quick), "quick");
    EXPECT_EQ(mode_name(measure_mode::standard), "default");
    EXPECT_EQ(mode_name(measure_mode::full), "full");
}

}  // namespace
}  // namespace freehold
