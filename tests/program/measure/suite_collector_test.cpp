// SPDX-License-Identifier: BSL-1.0
#include "measure/suite_collector.hpp"

#include "results/json_node.hpp"

#include <gtest/gtest.h>

namespace freehold::suite_collector_test {
namespace {

sample_event sample(const char* subject, double value, const char* unit = "ns") {
    return {{subject, "hold", 8, unit, value, "I"}};
}

exact_event exact(double value) {
    return {{"raw", "handle", std::nullopt, "bytes", value, "I"}};
}

using samples = std::vector<std::vector<double>>;

TEST(SuiteCollector, EachProcessIsOneInnerArray) {
    suite_collector collector;
    for (const double process : {10.0, 20.0}) {
        collector.begin_process("g++", "threaded");
        collector.add(sample("raw", process));
        collector.add(sample("dumb", process + 5));
        collector.add(sample("raw", process + 1));
        collector.end_process();
    }
    const auto& all = collector.collected().measurements;
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].subject, "raw");
    EXPECT_EQ(all[0].n, 8);
    EXPECT_EQ(all[0].note, "I");
    EXPECT_EQ(all[0].samples, (samples{{10, 11}, {20, 21}}));
    EXPECT_EQ(all[1].samples, (samples{{15}, {25}}));
}

TEST(SuiteCollector, LabsAndKindsOfProcessAreCellsOfTheirOwn) {
    suite_collector collector;
    for (const char* lab : {"g++", "clang++"})
        for (const char* process : {"threaded", "single"}) {
            collector.begin_process(lab, process);
            collector.add(sample("raw", 1));
            collector.end_process();
        }
    EXPECT_EQ(collector.collected().measurements.size(), 4U);
}

TEST(SuiteCollector, CountsOfSamplesAreAddedUpOverTheProcessesThatEnded) {
    suite_collector collector;
    for (const bool ends : {true, false, true}) {
        collector.begin_process("g++", "threaded");
        collector.add(sample("raw", 1));
        collector.add(done_event{{3, 1}});
        if (ends) collector.end_process();
    }
    EXPECT_EQ(collector.collected().counts.repeated, 6);
    EXPECT_EQ(collector.collected().counts.disturbed, 2);
}

TEST(SuiteCollector, CellsWhoseProcessesAgreeAreNarrow) {
    suite_collector collector;
    const auto run = [&](const char* process, double agrees, double varies) {
        collector.begin_process("g++", process);
        collector.add(sample("raw", agrees));
        collector.add(sample("dumb", varies));
        collector.add(exact(8));
        collector.end_process();
    };
    run("threaded", 100, 100);
    run("threaded", 101, 100);
    EXPECT_TRUE(collector.narrow_cells("g++", "threaded").empty());
    run("threaded", 99, 102);
    run("single", 100, 100);
    const auto narrow = collector.narrow_cells("g++", "threaded");
    ASSERT_EQ(narrow.size(), 1U);
    EXPECT_EQ(narrow[0]->subject, "raw");
    EXPECT_TRUE(collector.narrow_cells("g++", "single").empty());
    EXPECT_TRUE(collector.narrow_cells("clang++", "threaded").empty());
}

TEST(SuiteCollector, AProcessThatIsNotDoneLeavesNothingBehind) {
    suite_collector collector;
    collector.begin_process("g++", "threaded");
    collector.add(sample("raw", 1));
    collector.end_process();
    collector.begin_process("g++", "threaded");
    collector.add(sample("raw", 2));
    collector.add(sample("dumb", 2));
    collector.begin_process("g++", "threaded");
    collector.end_process();
    ASSERT_EQ(collector.collected().measurements.size(), 1U);
    EXPECT_EQ(collector.collected().measurements[0].samples, (samples{{1}}));
}

TEST(SuiteCollector, AnExactFigureIsKeptOnceAndMustNotChange) {
    suite_collector collector;
    for (int i = 0; i < 2; ++i) {
        collector.begin_process("g++", "threaded");
        collector.add(exact(8));
        collector.end_process();
    }
    ASSERT_EQ(collector.collected().measurements.size(), 1U);
    EXPECT_EQ(collector.collected().measurements[0].samples, (samples{{8}}));
    EXPECT_TRUE(collector.collected().measurements[0].exact);

    collector.begin_process("g++", "threaded");
    collector.add(exact(16));
    EXPECT_THROW(collector.end_process(), json_error);
}

TEST(SuiteCollector, ContradictionsAreRefused) {
    suite_collector collector;
    collector.begin_process("g++", "threaded");
    collector.add(sample("raw", 1));
    EXPECT_THROW(collector.add(sample("raw", 1, "ms")), json_error);
    collector.add(exact(8));
    EXPECT_THROW(collector.add(exact(8)), json_error);
}

TEST(SuiteCollector, WhatIsSkippedInEveryRoundIsListedOnce) {
    suite_collector collector;
    for (const char* process : {"threaded", "single"}) {
        collector.begin_process("g++", process);
        collector.add(skipped_event{"Loki linked", "hold", "not there"});
        collector.end_process();
    }
    const std::vector<skipped> expected = {{"g++", "Loki linked", "hold", "not there"}};
    EXPECT_EQ(collector.collected().skipped, expected);
}

}  // namespace
}  // namespace freehold::suite_collector_test
