// SPDX-License-Identifier: BSL-1.0
#include "program/report/result_fixture.hpp"

#include <gtest/gtest.h>

namespace {

using namespace freehold;
using namespace freehold::test;

measurement cell(const std::string& who, const std::string& test,
                 std::optional<std::int64_t> threads = std::nullopt) {
    return results_builder::cell_of(who, test, "ns", "threaded", "g++", threads);
}

results_builder measured() {
    results_builder results;
    results.timed("threads", cell("std::make_shared", "one object", 1), 12)
        .timed("threads", cell("std::make_shared", "one object", 2), 60)
        .timed("threads", cell("freehold::arc, biased", "one object", 2), 55)
        .timed("threads", cell("freehold::arc, biased", "owner"), 1.4)
        .timed("threads", cell("freehold::arc, biased", "non-owner"), 11)
        .timed("threads", cell("std::make_shared", "hand-over"), 40)
        .timed("threads", cell("raw", "hand-over"), 1)
        .timed("threads", cell("freehold::arc, biased", "hand-over"), 10);
    return results;
}

TEST(threads_section, one_column_for_each_number_of_threads) {
    const auto model = report_on(measured());
    const auto* table = find_table(model, "threads-times");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "std::make_shared", "1 thread", "g++: one object")->value, 12);
    EXPECT_EQ(cell_at(*table, "std::make_shared", "2 threads", "g++: one object")->value, 60);
    EXPECT_FALSE(cell_at(*table, "freehold::arc, biased", "1 thread", "g++: one object"));
    EXPECT_EQ(cell_at(*table, "freehold::arc, biased", "non-owner", "g++")->value, 11);
}

TEST(threads_section, plots_scaling_as_lines_and_sharing_as_dots) {
    const auto model = report_on(measured());
    const auto* scaling = find_plot(model, "threads-one-object");
    ASSERT_NE(scaling, nullptr);
    EXPECT_EQ(scaling->type, plot_type::lines);
    EXPECT_EQ(scaling->series.at(1).name, "std::make_shared");
    EXPECT_EQ(scaling->series.at(1).points.at(1).x, 2);
    EXPECT_EQ(find_plot(model, "threads-an-object-each"), nullptr);
    const auto* sharing = find_plot(model, "threads-sharing");
    ASSERT_NE(sharing, nullptr);
    EXPECT_EQ(sharing->series.front().facet, "owner");
}

TEST(threads_section, the_queue_alone_wins_nothing) {
    const auto model = report_on(measured());
    EXPECT_EQ(model.sections.back().finding,
              "An object is handed to another thread and dropped there soonest with "
              "freehold::arc, biased (10.0 ns); std::make_shared takes 4.00 times as long.");
    EXPECT_EQ(cell_at(*find_table(model, "threads-times"), "raw", "hand-over", "g++")->mark, "");
}

}  // namespace
