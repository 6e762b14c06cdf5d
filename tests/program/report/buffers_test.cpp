// SPDX-License-Identifier: BSL-1.0
// The section on buffer caches: the article's figures, the fronts of policies, times and aims.
#include "report/sections/buffers.hpp"

#include "program/report/result_fixture.hpp"
#include "report/sections/published.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace freehold;
using namespace freehold::test;

measurement cell(const std::string& who, const std::string& test, const std::string& unit,
                 std::int64_t n) {
    return results_builder::cell_of(who, test, unit, "threaded", "g++", n);
}

const report_section& buffers_in(const report_model& model) {
    return *std::find_if(model.sections.begin(), model.sections.end(),
                         [](const auto& section) { return section.id == "buffers"; });
}

/// All that the article printed, as a run of its program gives it, but for one figure.
results_builder article(double last_used = 96.73202614379085) {
    results_builder results;
    const auto& page = published_buffers();
    for (const auto& [key, value] : page.figures) {
        const auto& [who, test, step] = key;
        const bool is_last = who == "keep_first_below" && test == "article, used" && step == 37900;
        results.exact("buffers", cell(who, test, "bytes", step), is_last ? last_used : value);
    }
    return results;
}

struct point {
    const char* setting;
    double idle;  // KiB
    double hits;
    double used;
    double saved;
    double unused = 0;  // KiB; 0: not measured
};

void add_front(results_builder& results, const std::string& who, const std::string& workload,
               const std::vector<point>& points) {
    std::int64_t n = 0;
    for (const auto& each : points) {
        ++n;
        const auto add = [&](const char* test, double value) {
            auto made = cell(who, workload + test, "%", n);
            made.note = each.setting;
            results.exact("buffers", std::move(made), value);
        };
        add(": hit rate", each.hits);
        add(": used", each.used);
        add(": idle", each.idle * 1024);
        add(": allocator calls", 1000 - 10 * each.hits);
        add(": time saved", each.saved);
        if (each.unused > 0) add(": unused", each.unused * 1024);
    }
}

results_builder fronts() {
    results_builder results;
    add_front(
        results, "greedy_dual_fit", "article",
        {{"8 KiB", 8, 90, 99.5, 80}, {"16 KiB", 16, 96, 99.2, 90}, {"64 KiB", 60, 99, 99.4, 96}});
    add_front(results, "keep_first_below", "article", {{"one", 0.25, 33, 66.7, 5}});
    add_front(results, "Netty", "article",
              {{"8 KiB", 7, 80, 98, 60}, {"16 KiB", 15, 92, 90, 88}, {"64 KiB", 70, 98, 90, 95}});
    add_front(results, "offline optimum", "article", {{"16 KiB", 16, 97, 100, 92}});
    return results;
}

TEST(buffers_published, has_every_line_that_the_article_printed) {
    const auto& page = published_buffers();
    EXPECT_EQ(page.steps.size(), 14u);
    EXPECT_EQ(page.figures.size(), 2u * 14 * 4);
    EXPECT_EQ(page.find("keep_largest", "article, bytes handed out", 37900), 1911900);
    EXPECT_EQ(page.find("keep_first_below", "article, bytes handed out", 37900), 30600);
    EXPECT_EQ(page.find("keep_largest", "article, used", 37300), 0.891011);
    EXPECT_EQ(page.find("keep_largest", "article, used", 600), std::nullopt);
    for (const auto& [key, value] : page.figures) {
        const auto& [who, test, step] = key;
        if (test != "article, used") continue;
        const double asked = *page.find(who, "article, bytes asked for", step);
        const double handed_out = *page.find(who, "article, bytes handed out", step);
        EXPECT_NEAR(value, 100 * asked / handed_out, 1e-4) << who << ' ' << step;
    }
}

TEST(buffers_section, the_articles_figures_stand_beside_todays) {
    const auto model = report_on(article());
    const auto* table = find_table(model, "buffers-article-mended");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->rows.size(), 14u);
    for (const std::string group : {"printed", "g++"}) {
        EXPECT_EQ(cell_at(*table, "37,900", "handed out", group)->text, "30,600");
        EXPECT_EQ(cell_at(*table, "37,900", "used", group)->text, "96.732");
    }
    EXPECT_EQ(buffers_in(model).finding, "The article's 112 figures come out to the digit.");
}

TEST(buffers_section, a_figure_that_does_not_come_out_is_counted) {
    const auto model = report_on(article(96.7331));
    EXPECT_EQ(buffers_in(model).finding, "111 of the article's 112 figures come out.");
    const auto* table = find_table(model, "buffers-article-mended");
    EXPECT_EQ(cell_at(*table, "37,900", "used", "g++")->text, "96.7331");
}

TEST(buffers_section, the_course_has_a_point_every_10000_steps) {
    results_builder results;
    for (const std::int64_t step : {0, 100, 10000, 20000}) {
        results.exact("buffers", cell("keep_largest", "article, used", "%", step), 50);
    }
    const auto model = report_on(results);
    const auto* plot = find_plot(model, "buffers-course");
    ASSERT_NE(plot, nullptr);
    ASSERT_EQ(plot->series.size(), 1u);
    EXPECT_EQ(plot->series[0].facet, "");
    std::vector<double> steps;
    for (const auto& point : plot->series[0].points) steps.push_back(point.x);
    EXPECT_EQ(steps, (std::vector<double>{0, 10000, 20000}));
}

TEST(buffers_section, a_front_has_all_figures_of_each_setting) {
    const auto model = report_on(fronts());
    const auto* plot = find_plot(model, "buffers-fronts");
    ASSERT_NE(plot, nullptr);
    EXPECT_TRUE(plot->own_x);
    EXPECT_EQ(plot->series.size(), 4u);
    for (const auto& series : plot->series) EXPECT_EQ(series.facet, "article");
    EXPECT_EQ(plot->series[1].name, "greedy_dual_fit");
    EXPECT_NEAR(plot->series[1].points.at(1).x, 16, 1e-9);
    EXPECT_NEAR(plot->series[1].points.at(1).y, 96, 1e-9);
    EXPECT_EQ(plot->series[1].points.at(1).note, "16 KiB; used 99.2 %");
    EXPECT_FALSE(plot->series[1].points.at(1).aside);
    EXPECT_TRUE(plot->series[2].points.at(0).aside);  // the article's, with two thirds used
    const auto settings = plot->data;
    EXPECT_EQ(settings.rows.size(), 8u);
    EXPECT_NEAR(*cell_at(settings, "Netty: 8 KiB", "calls", "article")->value, 200, 1e-9);
    EXPECT_NEAR(*cell_at(settings, "Netty: 8 KiB", "time saved", "article")->value, 60, 1e-9);
    const auto page = to_json(model).dump();
    EXPECT_NE(page.find("\"scale\":\"nines\""), std::string::npos);
    EXPECT_NE(page.find("\"own_x\":true"), std::string::npos);
    EXPECT_NE(page.find("\"note\":\"16 KiB; used 99.2 %\""), std::string::npos);
}

TEST(buffers_section, policies_are_compared_where_their_idle_bytes_are_nearest) {
    const auto model = report_on(fronts());
    const auto* table = find_table(model, "buffers-policies");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "greedy_dual_fit", "idle", "article")->value, 16, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "Netty", "idle", "article")->value, 15, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "Netty", "hits", "article")->value, 92, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "keep_first_below", "hits", "article")->value, 33, 1e-9);
    EXPECT_TRUE(table->rows.front().reference);
    EXPECT_EQ(table->rows.front().head, "offline optimum");
}

TEST(buffers_section, between_two_settings_a_cache_uses_each_for_a_part_of_the_time) {
    const policy_front front{{},
                             {{"b", 300, 90, 40, 0, 0, true},
                              {"a", 100, 50, 80, 0, 0, true},
                              {"worse", 400, 60, 40, 0, 0, true}}};
    EXPECT_NEAR(front.at(0, &front_point::hit_rate), 0, 1e-12);
    EXPECT_NEAR(front.at(50, &front_point::hit_rate), 25, 1e-12);
    EXPECT_NEAR(front.at(100, &front_point::hit_rate), 50, 1e-12);
    EXPECT_NEAR(front.at(200, &front_point::hit_rate), 70, 1e-12);
    EXPECT_NEAR(front.at(350, &front_point::hit_rate), 90, 1e-12);
    EXPECT_NEAR(front.at(900, &front_point::hit_rate), 90, 1e-12);
    // Only the second has so much used.
    EXPECT_NEAR(front.at(50, &front_point::hit_rate, 60), 25, 1e-12);
    EXPECT_NEAR(front.at(900, &front_point::hit_rate, 60), 50, 1e-12);
}

TEST(buffers_section, aims_hold_the_policy_against_the_best_other_at_the_same_idle_bytes) {
    const auto model = report_on(fronts());
    const auto* aims = find_table(model, "buffers-aims");
    ASSERT_NE(aims, nullptr);
    const auto measured = [&](const std::string& what) {
        return *cell_at(*aims, what, "measured", "g++")->value;
    };
    const auto reached = [&](const std::string& what) {
        return cell_at(*aims, what, "reached", "g++")->text;
    };
    EXPECT_NEAR(measured("article, not used"), 0.8, 1e-9);
    EXPECT_EQ(reached("article, not used"), "yes");
    EXPECT_NEAR(measured("article, misses with 12 KiB idle"), 7, 1e-9);
    EXPECT_EQ(reached("article, misses with 12 KiB idle"), "no");
    // At 16 KiB the other leaves between 12 and 5 of 100, a 55th of the way; ours leaves 10.
    const std::string left = "article, time left: best other";
    EXPECT_NEAR(measured(left), 10 / (12 - 7.0 / 55), 1e-9);
    EXPECT_EQ(reached(left), "yes");
    // Of the others only Netty has 97 % used, with 7 KiB.
    EXPECT_NEAR(measured("article, time left: other as thrifty"), 20 / 40.0, 1e-9);
    EXPECT_EQ(buffers_in(model).finding,
              "With 12 KiB idle greedy_dual_fit hits 93.0 %, others as thrifty 80.0 %; aims "
              "reached: 3 of 5 with g++.");
}

// With one idle buffer keep_largest saves most, but hands out 185 KiB that nobody asked for.
TEST(buffers_section, aims_count_as_unused_what_is_handed_out_and_was_not_asked_for) {
    results_builder results;
    add_front(results, "greedy_dual_fit", "article", {{"16 KiB", 16, 96, 99, 90, 17}});
    add_front(results, "keep_largest", "article", {{"1 entry", 15, 99, 5, 98, 200}});
    add_front(results, "Netty", "article", {{"16 KiB", 16, 90, 90, 80, 20}});
    const auto model = report_on(results);
    const auto* aims = find_table(model, "buffers-aims");
    ASSERT_NE(aims, nullptr);
    const auto measured = [&](const std::string& what) {
        return *cell_at(*aims, what, "measured", "g++")->value;
    };
    EXPECT_NEAR(measured("article, time left: best other"), 10 / 2.0, 1e-9);
    EXPECT_NEAR(measured("article, time left: other, as many unused"), 10 / (100 - 80 * 17 / 20.0),
                1e-9);
    const auto* table = find_table(model, "buffers-policies");
    EXPECT_NEAR(*cell_at(*table, "keep_largest", "unused", "article")->value, 200, 1e-9);
}

TEST(buffers_section, times_stand_with_their_ratio_to_the_cache) {
    results_builder results;
    for (const std::int64_t size : {64, 1 << 20}) {
        results.timed("buffers", cell("freehold::buffer_cache", "get and put", "ns", size), 4)
            .timed("buffers",
                   cell("freehold::buffer_cache, not counted", "get and put", "ns", size), 3.2)
            .timed("buffers", cell("floor", "get and put", "ns", size), 1);
    }
    results.timed("buffers", cell("glibc", "get and put", "ns", 1 << 20), 60000)
        .timed("buffers", cell("freehold::buffer_cache", "returned across threads", "ns", 64), 30)
        .timed("buffers", cell("glibc", "allocator price", "ns", 1 << 20), 63000);
    const auto model = report_on(results);
    const auto* times = find_table(model, "buffers-times-table");
    ASSERT_NE(times, nullptr);
    EXPECT_NEAR(*cell_at(*times, "glibc", "1 MiB", "g++")->value, 60000, 1e-6);
    EXPECT_FALSE(cell_at(*times, "glibc", "64 B", "g++"));
    const auto* ratios = find_table(model, "buffers-times-ratios");
    ASSERT_NE(ratios, nullptr);
    EXPECT_NEAR(*cell_at(*ratios, "glibc", "1 MiB", "g++")->value, 15000, 1e-6);
    EXPECT_NEAR(*cell_at(*ratios, "floor", "64 B", "g++")->value, 0.25, 1e-9);
    const auto* prices = find_table(model, "buffers-prices");
    ASSERT_NE(prices, nullptr);
    EXPECT_NEAR(*cell_at(*prices, "1 MiB", "price", "g++")->value, 63000, 1e-6);
    const auto* aims = find_table(model, "buffers-aims");
    ASSERT_NE(aims, nullptr);
    const auto reached = [&](const std::string& what) {
        return cell_at(*aims, what, "reached", "g++")->text;
    };
    EXPECT_EQ(reached("get and put, any size"), "yes");
    EXPECT_NEAR(*cell_at(*aims, "get and put: not counted", "measured", "g++")->value, 1.25, 1e-9);
    EXPECT_EQ(reached("get and put: not counted"), "no");
    EXPECT_EQ(reached("returned across threads"), "no");
    EXPECT_EQ(aims->rows.size(), 3u);  // no policy was played
}

TEST(buffers_section, is_left_out_where_it_was_not_measured) {
    results_builder results;
    results.timed("operations", results_builder::cell_of("raw", "move", "ns"), 1);
    for (const auto& section : report_on(results).sections) EXPECT_NE(section.id, "buffers");
}

}  // namespace
