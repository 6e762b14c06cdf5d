// SPDX-License-Identifier: BSL-1.0
// The section on packets: the six ways beside the article's, line rates, zeroing and the aims.
#include "program/report/result_fixture.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace freehold;
using namespace freehold::test;

measurement cell(const std::string& who, const std::string& test, const std::string& lab = "g++") {
    return results_builder::cell_of(who, test, "ns", "threaded", lab);
}

/// The predicted order holds with g++; with clang++ two have changed places.
results_builder six_ways() {
    results_builder results({"g++", "clang++"});
    for (const std::string lab : {"g++", "clang++"}) {
        const bool as_predicted = lab == "g++";
        results.timed("packets", cell("std::shared_ptr(new)", "six ways", lab), 40)
            .timed("packets", cell("std::make_shared", "six ways", lab), as_predicted ? 32 : 20)
            .timed("packets", cell("new and delete", "six ways", lab), as_predicted ? 30 : 25)
            .timed("packets", cell("std::shared_ptr(pool, deleter)", "six ways", lab), 10)
            .timed("packets", cell("std::allocate_shared(pool)", "six ways", lab), 2)
            .timed("packets", cell("std::allocate_shared(pool)", "six ways, zeroed", lab), 24)
            .timed("packets", cell("freehold::pool", "six ways", lab), 0.5);
    }
    return results;
}

const report_section& packets_in(const report_model& model) {
    return *std::find_if(model.sections.begin(), model.sections.end(),
                         [](const auto& section) { return section.id == "packets"; });
}

bool noted(const report_model& model, const std::string& part) {
    const auto& notes = packets_in(model).notes;
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
        return note.find(part) != std::string::npos;
    });
}

TEST(packets_section, ways_are_ratios_to_make_shared_then_and_now) {
    const auto model = report_on(six_ways());
    const auto* table = find_table(model, "packets-six-ways");
    ASSERT_NE(table, nullptr);
    const std::string way = "std::allocate_shared(pool)";
    EXPECT_NEAR(*cell_at(*table, way, "gcc 4.8.5", "2017")->value, 279.0 / 1148, 1e-12);
    EXPECT_NEAR(*cell_at(*table, way, "VS2017", "2017")->value, 403.0 / 723, 1e-12);
    EXPECT_NEAR(*cell_at(*table, way, "VS2017 mended", "2017")->value, 206.0 / 736, 1e-12);
    EXPECT_NEAR(*cell_at(*table, way, "left as it is", "g++")->value, 2.0 / 32, 1e-9);
    EXPECT_NEAR(*cell_at(*table, way, "left as it is", "clang++")->value, 0.1, 1e-9);
    // The article's pool alone stands beside ours alone.
    EXPECT_NEAR(*cell_at(*table, "freehold::pool", "gcc 4.8.5", "2017")->value, 7.0 / 1148, 1e-12);
    // Nothing made zeroed packets by make_shared that it could be a multiple of.
    EXPECT_FALSE(cell_at(*table, way, "zeroed", "g++"));
    EXPECT_EQ(std::count_if(table->rows.begin(), table->rows.end(),
                            [](auto& row) { return row.reference; }),
              1);
    const auto* times = find_table(model, "packets-six-ways-times");
    EXPECT_EQ(cell_at(*times, way, "zeroed", "g++")->value, 24);
    EXPECT_EQ(cell_at(*times, way, "left as it is", "g++")->mark, "lowest");
    EXPECT_EQ(cell_at(*times, "freehold::pool", "left as it is", "g++")->mark, "");
    const auto* plot = find_plot(model, "packets-six-ways-plot");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(plot->series.size(), 5U);  // three columns of the article, two compilers
    EXPECT_EQ(plot->series.back().name, "now, clang++");
    EXPECT_EQ(plot->series.front().points.size(), 6U);
}

TEST(packets_section, the_six_ways_have_every_figure_that_the_article_printed) {
    struct printed_row {
        std::string way;
        std::array<std::string, 3> figures;
    };
    // Copied from the article, so that neither the file nor the table can lose one.
    const std::array<printed_row, 6> printed{
        {{"std::make_shared", {"1,148", "723", "736"}},
         {"std::shared_ptr(new)", {"1,164", "799", "802"}},
         {"std::shared_ptr(pool, deleter)", {"407", "212", "215"}},
         {"std::allocate_shared(pool)", {"279", "403", "206"}},
         {"new and delete", {"1,090", "660", "679"}},
         {"freehold::pool", {"7", "65", "65"}}}};
    const std::array<std::string, 3> compilers{"gcc 4.8.5", "VS2017", "VS2017 mended"};
    const auto model = report_on(six_ways());
    const auto* table = find_table(model, "packets-six-ways");
    ASSERT_NE(table, nullptr);
    for (const auto& [way, figures] : printed) {
        for (std::size_t i = 0; i != compilers.size(); ++i) {
            const auto cell = cell_at(*table, way, compilers[i], "2017, printed without a unit");
            ASSERT_TRUE(cell) << way << ", " << compilers[i];
            EXPECT_EQ(cell->text, figures[i]) << way << ", " << compilers[i];
            // Each stands beside its ratio.
            EXPECT_TRUE(cell_at(*table, way, compilers[i], "2017")) << way;
        }
    }
}

TEST(packets_section, says_whether_the_predicted_order_holds) {
    const auto model = report_on(six_ways());
    EXPECT_TRUE(noted(model,
                      "In its own figures the order holds with gcc 4.8.5 and VS2017 mended; does "
                      "not hold with VS2017, where std::allocate_shared(pool) takes 1.90 times as "
                      "long as std::shared_ptr(pool, deleter)."));
    EXPECT_TRUE(noted(model,
                      "Today, with packets left as they are, the order holds with g++; does not "
                      "hold with clang++, where new and delete takes 1.25 times as long as "
                      "std::make_shared."));
    // One way alone has no order.
    EXPECT_FALSE(noted(model, "zeroed by their constructor"));
    EXPECT_TRUE(noted(model, "takes std::allocate_shared(pool) from 2.00 to 24.0 ns with g++"));
}

TEST(packets_section, an_order_that_intervals_blur_is_not_asserted) {
    results_builder results;
    results.timed("packets", cell("std::make_shared", "six ways"), 30)
        .timed("packets", cell("new and delete", "six ways"), 30.1);
    EXPECT_TRUE(noted(report_on(results),
                      "the order holds as far as can be told with g++, where nothing tells new and "
                      "delete from std::make_shared."));
}

results_builder crossing() {
    results_builder results;
    results.timed("packets", cell("floor", "across, 64 bytes"), 3)
        .timed("packets", cell("freehold::pool", "across, 64 bytes"), 5)
        .timed("packets", cell("rte_mempool, ring", "across, 64 bytes"), 8)
        .timed("packets", cell("rte_mempool, stack", "across, 64 bytes"), 6.75)
        .timed("packets", cell("glibc", "across, 64 bytes"), 700)
        .timed("packets", cell("freehold::pool", "across, whole packet"), 40)
        .timed("packets", cell("std::allocate_shared over glibc", "shared across, 64 bytes"), 500);
    return results;
}

TEST(packets_section, rates_stand_beside_what_lines_bring) {
    const auto model = report_on(crossing());
    const auto* plot = find_plot(model, "packets-across");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(plot->x.scale, axis_scale::logarithmic);
    EXPECT_TRUE(plot->largest_first);
    ASSERT_EQ(plot->levels.size(), 4U);
    EXPECT_EQ(plot->levels[0].label, "10G");
    EXPECT_NEAR(plot->levels[0].at, 14.88, 0.005);
    EXPECT_NEAR(plot->levels[1].at, 37.20, 0.005);
    EXPECT_NEAR(plot->levels[2].at, 59.52, 0.005);
    EXPECT_NEAR(plot->levels[3].at, 148.81, 0.005);
    ASSERT_EQ(plot->series.size(), 2U);
    EXPECT_EQ(plot->series[0].name, "64 bytes");
    EXPECT_EQ(plot->series[0].facet, "g++");
    const auto& ours = plot->series[0].points.at(1);
    EXPECT_EQ(ours.category, "freehold::pool");
    EXPECT_NEAR(ours.x, 200, 1e-9);
    EXPECT_LT(*ours.low, 200);  // of the higher time
    EXPECT_GT(*ours.high, 200);
    EXPECT_EQ(plot->data.note,
              "Lines: 10G at 14.9, 25G at 37.2, 40G at 59.5 and 100G at 149 million/s.");
    // A handle that all have in common is not repeated beside each row.
    const auto* shared = find_plot(model, "packets-shared");
    ASSERT_NE(shared, nullptr);
    EXPECT_EQ(shared->series[0].points[0].category, "over glibc");
    EXPECT_EQ(find_plot(model, "packets-several"), nullptr);
}

TEST(packets_section, a_line_is_kept_up_with_by_the_whole_interval) {
    const auto model = report_on(crossing());
    const auto* table = find_table(model, "packets-across-times");
    ASSERT_NE(table, nullptr);
    const auto line = [&](const std::string& who) {
        return cell_at(*table, who, "line", "g++")->text;
    };
    EXPECT_EQ(line("freehold::pool"), "100G");
    EXPECT_EQ(line("rte_mempool, ring"), "40G");
    EXPECT_EQ(line("rte_mempool, stack"), "40G");  // 6.72 ns would be enough
    EXPECT_EQ(line("glibc"), "none");
    EXPECT_NEAR(*cell_at(*table, "glibc", "million/s", "g++")->value, 1000.0 / 700, 1e-9);
    EXPECT_EQ(cell_at(*table, "freehold::pool", "64 bytes", "g++")->mark, "lowest");
    EXPECT_EQ(cell_at(*table, "floor", "64 bytes", "g++")->mark, "");
}

TEST(packets_section, aims_are_ratios_to_the_best_of_a_peer) {
    auto results = crossing();
    results.timed("packets",
                  cell("std::allocate_shared over freehold::pool", "shared across, 64 bytes"), 10);
    const auto model = report_on(results);
    const auto* aims = find_table(model, "packets-aims");
    ASSERT_NE(aims, nullptr);
    const auto measured = [&](const std::string& what) {
        return cell_at(*aims, what, "measured", "g++");
    };
    const auto reached = [&](const std::string& what) {
        return cell_at(*aims, what, "reached", "g++");
    };
    EXPECT_NEAR(*measured("plain, 64 bytes: rte_mempool")->value, 5 / 6.75, 1e-9);
    EXPECT_EQ(reached("plain, 64 bytes: rte_mempool")->text, "no");
    EXPECT_EQ(reached("100G, plain")->text, "yes");
    EXPECT_EQ(cell_at(*aims, "100G, plain", "at most", "aim")->text, "6.72 ns");
    EXPECT_EQ(cell_at(*aims, "10G, allocate_shared", "at most", "aim")->text, "67.2 ns");
    // What peer is missing is said; of what freehold itself was not measured in, nothing.
    EXPECT_EQ(measured("allocate_shared, 64 bytes: snmalloc")->text, "no snmalloc");
    EXPECT_FALSE(reached("allocate_shared, 64 bytes: snmalloc"));
    EXPECT_EQ(aims->rows.size(), 11U);
    for (const auto& row : aims->rows) EXPECT_FALSE(row.head.starts_with("arc")) << row.head;
    EXPECT_EQ(packets_in(model).finding,
              "Millions of packets a second from freehold's pool, 200 plain; aims reached: 2 of 4 "
              "with g++.");
}

TEST(packets_section, zeroing_says_what_does_it) {
    results_builder results;
    auto probe = results_builder::cell_of("std::make_shared", "zeroing probe", "bytes");
    probe.note = "nothing";
    results.exact("packets", probe, 0);
    probe.test = "zeroing probe, zeroed, libc++";
    probe.note = "memset";
    results.exact("packets", probe, 2048);
    probe.test = "zeroing probe, no constructor";
    probe.note = "rep stos";
    results.exact("packets", probe, 2048);
    const auto model = report_on(results);
    const auto* table = find_table(model, "packets-zeroing");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "std::make_shared", "left as it is", "g++")->text, "0");
    EXPECT_EQ(cell_at(*table, "std::make_shared", "zeroed", "g++, libc++")->text, "2,048, memset");
    EXPECT_EQ(cell_at(*table, "std::make_shared", "no constructor", "g++")->text,
              "2,048, rep stos");
    EXPECT_EQ(find_table(model, "packets-same-thread"), nullptr);
    EXPECT_EQ(find_table(model, "packets-aims"), nullptr);
    EXPECT_EQ(packets_in(model).finding, "Nothing that freehold's pool serves was measured.");
}

TEST(packets_section, patterns_within_a_thread_are_columns) {
    results_builder results;
    results.timed("packets", cell("floor", "same thread, one"), 1)
        .timed("packets", cell("freehold::pool", "same thread, one"), 1.05)
        .timed("packets", cell("freehold::pool", "same thread, fifo"), 3);
    const auto model = report_on(results);
    const auto* table = find_table(model, "packets-same-thread");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cell_at(*table, "freehold::pool", "fifo", "g++")->value, 3);
    EXPECT_EQ(cell_at(*table, "freehold::pool", "one", "g++")->mark, "lowest");
    EXPECT_FALSE(cell_at(*table, "floor", "fifo", "g++"));
    EXPECT_TRUE(table->rows.at(0).reference);
    EXPECT_FALSE(table->rows.at(1).reference);
    EXPECT_EQ(
        cell_at(*find_table(model, "packets-aims"), "same thread, one: floor", "reached", "g++")
            ->text,
        "yes");
}

TEST(packets_section, an_absent_competitor_is_named_once) {
    auto results = crossing();
    auto& skipped = results.file().suites["packets"].skipped;
    for (const std::string test : {"one", "burst", "bulk", "fifo"}) {
        skipped.push_back({"g++", "tcmalloc", "same thread, " + test, "it is not installed"});
    }
    skipped.push_back({"g++", "TBB", "same thread, bulk", "it broke off"});
    skipped.push_back({"g++", "TBB", "several, 64 bytes", "it broke off"});
    const auto model = report_on(results);
    EXPECT_TRUE(noted(model, "Skipped with g++: tcmalloc, 4 tests: it is not installed."));
    EXPECT_TRUE(
        noted(model, "Skipped with g++: TBB, same thread, bulk; several, 64 bytes: it broke off."));
}

TEST(packets_section, json_has_levels_and_their_order) {
    const auto json = to_json(report_on(crossing()));
    for (const auto& section : json.at("sections")) {
        if (section.at("id") != "packets") continue;
        const auto& plot = section.at("blocks").at(0);
        EXPECT_EQ(plot.at("id"), "packets-across");
        EXPECT_EQ(plot.at("largest_first"), true);
        EXPECT_EQ(plot.at("levels").size(), 4U);
        EXPECT_EQ(plot.at("levels").at(3).at("label"), "100G");
        EXPECT_TRUE(plot.at("levels").at(3).at("at").is_number());
        return;
    }
    FAIL() << "no section on packets";
}

}  // namespace
