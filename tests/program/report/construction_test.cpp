// SPDX-License-Identifier: BSL-1.0
// The section on constructing and dropping owners, the article's program included.
#include "program/report/result_fixture.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using namespace freehold;
using namespace freehold::test;

measurement seed(const std::string& who, const std::string& flags, const std::string& lab = "g++",
                 const std::string& process = "threaded") {
    return results_builder::cell_of(who, "seed " + flags + " libstdc++", "ns", process, lab);
}

bool noted(const report_model& model, const std::string& part) {
    const auto& notes = model.sections.back().notes;
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
        return note.find(part) != std::string::npos;
    });
}

/// clang++ deletes the pair where nothing keeps it, g++ does not.
results_builder article() {
    results_builder results({"g++", "clang++"});
    for (const auto* lab : {"g++", "clang++"}) {
        const double left = std::string(lab) == "clang++" ? 0.2 : 9;
        results.timed("construction", seed("new and delete", "-O0", lab), 12)
            .timed("construction", seed("new and delete", "-O3", lab), left)
            .timed("construction", seed("new and delete, kept", "-O0", lab), 12)
            .timed("construction", seed("new and delete, kept", "-O3", lab), 10)
            .timed("construction", seed("std::make_unique", "-O0", lab), 30)
            .timed("construction", seed("std::make_unique", "-O3", lab), left)
            .timed("construction", seed("freehold::make_arc", "-O3", lab), 1)
            .timed("construction", seed("std::make_shared", "-O0", lab), 88)
            .timed("construction", seed("std::make_shared", "-O3", lab), 11);
    }
    return results;
}

TEST(construction_section, the_articles_ratios_are_to_the_pair_that_was_kept) {
    const auto model = report_on(article());
    const auto* table = find_table(model, "construction-article");
    ASSERT_NE(table, nullptr);
    EXPECT_NEAR(*cell_at(*table, "std::make_shared", "libstdc++", "clang++ -O3")->value, 1.1, 1e-9);
    EXPECT_NEAR(*cell_at(*table, "std::make_shared", "libstdc++", "g++ -O0")->value, 88.0 / 12,
                1e-9);
    EXPECT_EQ(cell_at(*table, "std::make_shared", "optimised", "2016")->text, "about 1.1");
    EXPECT_FALSE(cell_at(*table, "freehold::make_arc", "optimised", "2016"));
    const auto* slowdown = find_table(model, "construction-not-optimised");
    ASSERT_NE(slowdown, nullptr);
    EXPECT_NEAR(*cell_at(*slowdown, "std::make_shared", "libstdc++", "g++")->value, 8, 1e-9);
    EXPECT_EQ(cell_at(*slowdown, "std::make_shared", "both compilers", "2016")->text, "almost 10");
}

TEST(construction_section, what_the_compiler_deleted_is_said_and_not_judged) {
    const auto model = report_on(article());
    EXPECT_TRUE(noted(model,
                      "clang++ -O3 with libstdc++ deleted the allocation of new and delete "
                      "and std::make_unique altogether"));
    EXPECT_FALSE(noted(model, "g++ -O3 with libstdc++ deleted the allocation of freehold"));
    const auto* article = find_table(model, "construction-article");
    EXPECT_EQ(cell_at(*article, "std::make_unique", "libstdc++", "clang++ -O3")->text, "deleted");
    EXPECT_EQ(cell_at(*article, "std::make_unique", "libstdc++", "g++ -O3")->text, "0.900");
    EXPECT_EQ(cell_at(*article, "freehold::make_arc", "libstdc++", "g++ -O3")->text, "0.100");
    const auto* slowdown = find_table(model, "construction-not-optimised");
    EXPECT_FALSE(cell_at(*slowdown, "std::make_unique", "libstdc++", "clang++"));
    EXPECT_TRUE(cell_at(*slowdown, "std::make_unique", "libstdc++", "g++"));
}

TEST(construction_section, the_article_had_one_thread) {
    auto results = article();
    results.timed("construction", seed("std::make_shared", "-O3", "g++", "single"), 10)
        .timed("construction", seed("new and delete, kept", "-O3", "g++", "single"), 8);
    const auto model = report_on(results);
    const auto* table = find_table(model, "construction-article");
    const std::string alone = "std::make_shared (one thread)";
    EXPECT_NEAR(*cell_at(*table, alone, "libstdc++", "g++ -O3")->value, 1.25, 1e-9);
    EXPECT_EQ(cell_at(*table, alone, "optimised", "2016")->text, "about 1.1");
    EXPECT_FALSE(cell_at(*table, "std::make_shared", "optimised", "2016"));
}

TEST(construction_section, without_the_kept_pair_the_other_is_the_measure) {
    results_builder results;
    results.timed("construction", seed("new and delete", "-O3"), 10)
        .timed("construction", seed("std::make_shared", "-O3"), 12);
    const auto model = report_on(results);
    EXPECT_NEAR(*cell_at(*find_table(model, "construction-article"), "std::make_shared",
                         "libstdc++", "g++ -O3")
                     ->value,
                1.2, 1e-9);
    EXPECT_EQ(find_table(model, "construction-times"), nullptr);
}

TEST(construction_section, bars_are_multiples_of_the_standards) {
    results_builder results;
    const auto cell = [](const std::string& who, const std::string& test, const std::string& unit) {
        return results_builder::cell_of(who, test, unit);
    };
    results.timed("construction", cell("std::make_shared", "one", "ns"), 10)
        .timed("construction", cell("freehold::arc", "one", "ns"), 1)
        .timed("construction", cell("std::make_shared", "refill", "s"), 0.02)
        .timed("construction", cell("freehold::arc", "refill", "s"), 0.01);
    const auto model = report_on(results);
    EXPECT_EQ(model.sections.back().finding,
              "A shared owner is made and dropped soonest with freehold::arc (1.00 ns); "
              "std::make_shared takes 10.0 times as long.");
    const auto* plot = find_plot(model, "construction-plot");
    ASSERT_NE(plot, nullptr);
    EXPECT_EQ(plot->type, plot_type::bars);
    ASSERT_EQ(plot->series.size(), 2U);
    EXPECT_EQ(plot->series[1].facet, "fill it again");
    EXPECT_NEAR(plot->series[1].points.front().x, 0.5, 1e-9);
    EXPECT_EQ(find_table(model, "construction-article"), nullptr);
}

}  // namespace
