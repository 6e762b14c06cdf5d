// SPDX-License-Identifier: BSL-1.0
// The headlines, what to take, the aims and what was left out; and the whole as JSON and as a page.
#include "program/report/result_fixture.hpp"
#include "report/html.hpp"
#include "report/model.hpp"
#include "report/sections/figures.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace overview_test {
namespace {

using namespace freehold;
using namespace freehold::test;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

results_builder handles(double copied, double made) {
    results_builder results;
    results.introduce(subject_of("plain_pair", "plain pair", "lower_bound"))
        .introduce(subject_of("freehold.make_shared", "freehold::make_shared", "freehold"))
        .introduce(subject_of("freehold.arc", "freehold::arc", "freehold"))
        .introduce(subject_of("std.make_shared", "std::make_shared", "standard"));
    const auto cell = [](const char* who, const char* test_case) {
        return results_builder::cell_of(who, test_case, "ns");
    };
    results.timed("operations", cell("plain_pair", "copy"), 1)
        .timed("operations", cell("std.make_shared", "copy"), 5)
        .timed("operations", cell("freehold.make_shared", "copy"), copied)
        .timed("operations", cell("freehold.arc", "copy"), 5)
        .timed("construction", cell("std.make_shared", "one"), 10)
        .timed("construction", cell("freehold.make_shared", "one"), made)
        .timed("construction", cell("freehold.arc", "one"), 2);
    return results;
}

TEST(overview, headlines_are_ratios_with_intervals) {
    const auto model = report_on(handles(5, 4));
    const auto found =
        std::find_if(model.summary.begin(), model.summary.end(), [](const auto& line) {
            return line.note.starts_with("freehold::make_shared against std::make_shared; 4.00 ns");
        });
    ASSERT_NE(found, model.summary.end());
    EXPECT_EQ(found->value, "0.400\u00d7");
    EXPECT_THAT(found->interval, HasSubstr(" to 0.4"));
    EXPECT_FALSE(found->unfavourable);
    EXPECT_LE(model.summary.size(), 10U);
}

TEST(overview, what_speaks_against_freehold_is_among_them_and_marked) {
    const auto model = report_on(handles(8, 4));
    const auto& last = model.summary.back();
    EXPECT_TRUE(last.unfavourable);
    EXPECT_EQ(last.value, "1.60\u00d7");
    const auto better = report_on(handles(5, 4));
    EXPECT_TRUE(std::none_of(better.summary.begin(), better.summary.end(),
                             [](const headline& line) { return line.unfavourable; }));
}

TEST(overview, what_to_take_is_what_takes_least_here) {
    const auto taken = [](const report_model& model) {
        const auto* table = find_table(model, "choices");
        return cell_at(*table, "Shared by threads, as std::shared_ptr", "handle", "")->text;
    };
    EXPECT_EQ(taken(report_on(handles(5, 4))), "freehold::make_shared");
    EXPECT_EQ(taken(report_on(handles(50, 4))), "std::make_shared");
}

TEST(overview, a_sharded_count_is_advised_where_it_pays) {
    const auto report = [](double sharded) {
        auto results = handles(5, 4);
        results.introduce(subject_of("freehold.arc.sharded", "freehold::arc, sharded", "freehold"));
        const auto by_threads = [&](const char* who, std::int64_t threads, double time) {
            auto cell = results_builder::cell_of(who, "one_object", "ns");
            cell.n = threads;
            results.timed("threads", cell, time);
        };
        by_threads("freehold.arc", 1, 1);
        by_threads("freehold.arc", 2, 67);
        by_threads("freehold.arc", 4, 1);
        by_threads("freehold.arc.sharded", 1, 3);
        by_threads("freehold.arc.sharded", 2, sharded);
        results.timed("construction", results_builder::cell_of("freehold.arc.sharded", "one", "ns"),
                      30);
        auto gathered = results_builder::cell_of("freehold.arc.sharded", "share_out", "\u00b5s");
        return report_on(results.timed("threads", gathered, 4.3));
    };
    const auto advice = [](const report_model& model) {
        const auto& notes = section_of(model, "sharing").notes;
        return notes.back();
    };
    const auto taken = [](const report_model& model) {
        const auto* table = find_table(model, "choices");
        return cell_at(*table, "Copied by many threads all the time", "handle", "")->text;
    };
    const auto pays = report(3);
    EXPECT_EQ(taken(pays), "freehold::arc, sharded");
    // 4300 ns, less 32 ns for each copy.
    EXPECT_THAT(advice(pays), HasSubstr("pays after 135 copies"));
    EXPECT_THAT(advice(pays), HasSubstr("live shortly"));
    const auto does_not = report(66.9);
    EXPECT_THAT(advice(does_not), HasSubstr("Do not take sharded_count here"));
    EXPECT_EQ(taken(report(68)), "freehold::arc");
    const auto unknown = report_on(handles(5, 4));
    EXPECT_THAT(section_of(unknown, "sharing").notes, Each(Not(HasSubstr("sharded"))));
}

TEST(overview, an_aim_is_reached_missed_or_unsure) {
    const auto verdict = [](double made) {
        const auto model = report_on(handles(5, made));
        for (const auto& table : model.aims) {
            if (table.id != "construction-aims") continue;
            for (const auto& row : table.rows)
                if (row.head == "make and release, one: freehold::make_shared")
                    return row.cells[3]->text;
        }
        return std::string("missing");
    };
    EXPECT_EQ(verdict(2), "yes");
    EXPECT_EQ(verdict(4), "no");
    EXPECT_EQ(verdict(3), "unsure");
}

TEST(overview, what_was_left_out_is_listed_with_what_adds_it) {
    auto results = handles(5, 4);
    auto absent = subject_of("loki_linked", "Loki linked", "other");
    absent.missing = "install libloki-dev";
    results.introduce(absent);
    results.file().suites["packets"].description = described("packets");
    const auto model = report_on(results);
    const auto has = [&](const char* problem, const char* remedy) {
        return std::any_of(model.left_out.begin(), model.left_out.end(), [&](const warning& each) {
            return each.problem == problem && each.remedy.find(remedy) != std::string::npos;
        });
    };
    EXPECT_TRUE(has("Loki linked", "install libloki-dev"));
    EXPECT_TRUE(has("suite packets", "freehold measure packets"));
}

TEST(page_json, has_a_cell_for_each_column_and_no_raw_samples) {
    const auto json = to_json(report_on(handles(5.123456789, 4)));
    for (const auto& section : json.at("sections"))
        for (const auto& block : section.at("blocks")) {
            if (block.at("kind") != "table") continue;
            for (const auto& row : block.at("rows"))
                EXPECT_EQ(row.at("cells").size(), block.at("columns").size());
        }
    EXPECT_EQ(json.dump().find("5.123456"), std::string::npos);
    EXPECT_NE(json.dump().find("5.123"), std::string::npos);
}

TEST(page_json, leaves_out_the_text_of_a_cell_that_the_page_writes_itself) {
    report_model model;
    report_table table;
    table.columns.resize(5);
    table.rows.push_back(
        {"row",
         false,
         {figure_cell(1.2341), figure_cell(12), exact_cell(12), table_cell{"none", {}, {}, {}, {}},
          table_cell{"1.13", 1.125, 1.0, {}, "lowest"}}});
    report_section section;
    section.blocks.emplace_back(table);
    model.sections.push_back(section);
    const auto json = to_json(model);
    const auto& row = json.at("sections").at(0).at("blocks").at(0).at("rows").at(0);
    const auto cells = nlohmann::json::parse(R"([1.234, [12.0, "12.0"], 12.0, "none",
                                             [1.125, "1.13", 1.0, null, "lowest"]])");
    EXPECT_EQ(row.at("cells"), cells);
}

TEST(page, text_from_a_file_cannot_leave_its_place) {
    const std::string evil = "</script><script>alert(1)</script><!--{{STYLE}}";
    auto results = handles(5, 4);
    results.file().environment.facts[0].value = evil;
    const auto html = html_page(to_json(report_on(results)));
    EXPECT_EQ(html.find(evil), std::string::npos);
    EXPECT_NE(html.find("\\u003c/script>"), std::string::npos);
    // What stands for a part of the frame is one nowhere else.
    EXPECT_NE(html.find("{{STYLE}}"), std::string::npos);
    nlohmann::json titled{{"title", "<b>&"}};
    EXPECT_NE(html_page(titled).find("<title>&lt;b&gt;&amp;</title>"), std::string::npos);
}

TEST(page, its_policy_admits_its_own_script_alone) {
    const auto nonce_of = [](const std::string& html) {
        const auto at = html.find("script-src 'nonce-") + 18;
        return html.substr(at, html.find('\'', at) - at);
    };
    const auto one = html_page(to_json(report_on(handles(5, 4))));
    const auto other = html_page(to_json(report_on(handles(5, 4))));
    EXPECT_GE(nonce_of(one).size(), 32U);
    EXPECT_NE(nonce_of(one), nonce_of(other));
    EXPECT_NE(one.find("<script type=\"module\" nonce=\"" + nonce_of(one)), std::string::npos);
}

}  // namespace
}  // namespace overview_test
