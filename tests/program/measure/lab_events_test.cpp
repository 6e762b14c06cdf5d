// SPDX-License-Identifier: BSL-1.0
#include "measure/lab_events.hpp"

#include "results/json_node.hpp"

#include <gtest/gtest.h>

namespace freehold::lab_events_test {
namespace {

TEST(LabEvents, EachKindIsRead) {
    EXPECT_EQ(std::get<plan_event>(parse_lab_event(R"({"event":"plan","runs":12})")).runs, 12);

    const auto sample = std::get<sample_event>(parse_lab_event(
        R"({"event":"sample","subject":"raw","case":"hold","n":8,"unit":"ns","value":1.5,)"
        R"("repetition":0,"note":"16 KiB at most"})"));
    EXPECT_EQ(sample.subject, "raw");
    EXPECT_EQ(sample.test_case, "hold");
    EXPECT_EQ(sample.n, 8);
    EXPECT_EQ(sample.unit, "ns");
    EXPECT_EQ(sample.value, 1.5);
    EXPECT_EQ(sample.note, "16 KiB at most");

    const auto exact = std::get<exact_event>(parse_lab_event(
        R"({"event":"exact","subject":"raw","case":"handle","unit":"bytes","value":8,)"
        R"("note":"I"})"));
    EXPECT_EQ(exact.n, std::nullopt);
    EXPECT_EQ(exact.value, 8);
    EXPECT_EQ(exact.note, "I");

    const auto skipped = std::get<skipped_event>(
        parse_lab_event(R"({"event":"skipped","subject":"a","case":"b","reason":"c"})"));
    EXPECT_EQ(skipped.reason, "c");
    EXPECT_EQ(skipped.runs, 0);
    EXPECT_EQ(std::get<skipped_event>(
                  parse_lab_event(R"({"event":"skipped","subject":"a","case":"b","reason":"c",)"
                                  R"("runs":3})"))
                  .runs,
              3);
    EXPECT_EQ(std::get<done_event>(parse_lab_event(R"({"event":"done"})")).counts, sample_counts{});
    const auto done =
        std::get<done_event>(parse_lab_event(R"({"event":"done","repeated":3,"disturbed":2})"));
    EXPECT_EQ(done.counts.repeated, 3);
    EXPECT_EQ(done.counts.disturbed, 2);
}

TEST(LabEvents, AnythingElseIsRefused) {
    for (const char* line :
         {"", "hello", "{}", "[]", "null", R"({"event":"party"})", R"({"event":3})",
          R"({"event":"plan"})", R"({"event":"plan","runs":"many"})",
          R"({"event":"done"} trailing)",
          R"({"event":"sample","subject":"a","case":"b","unit":"ns"})",
          R"({"event":"sample","subject":"a","case":"b","unit":"ns","value":null})",
          R"({"event":"skipped","subject":"a","case":"b"})"})
        EXPECT_THROW((void)parse_lab_event(line), json_error) << line;
}

}  // namespace
}  // namespace freehold::lab_events_test
