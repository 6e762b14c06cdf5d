// SPDX-License-Identifier: BSL-1.0
// The seed's own program, then and now: half a gigabyte by std::make_shared, with and without a
// constructor that leaves the object as it is.
#include "report/sections/published.hpp"
#include "report/sections/tables.hpp"
#include "report/sections/zeroing.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

struct seed_test {
    std::string name;
    std::string head;
};
const std::array<seed_test, 5> seed_tests{
    {{"seed, small", "100 bytes each, only made"},
     {"seed, large", "100 MB each, only made"},
     {"seed, small, written", "100 bytes each, written"},
     {"seed, large, written", "100 MB each, written"},
     {"seed, large, written, all threads", "100 MB each, written by every thread"}}};
const std::string overwriting = "std::make_shared_for_overwrite";

std::optional<estimate> point(std::optional<double> value) {
    if (!value) return std::nullopt;
    return estimate{*value, {*value, *value}};
}

/// The share of its time that a constructor saves: 0.4 where it makes 40 % of it go.
std::optional<estimate> saved(const std::optional<estimate>& without,
                              const std::optional<estimate>& with) {
    if (!without || !with) return std::nullopt;
    const auto left = ratio(*with, *without);
    if (!left) return std::nullopt;
    return estimate{1 - left->value, {1 - left->bounds.high, 1 - left->bounds.low}};
}

/// What one page or setting has of a test.
using figure_source =
    std::function<std::optional<estimate>(const std::string& competitor, const std::string& test)>;

struct told {
    std::string label;
    figure_source find;
};

std::vector<told> all_told(const zeroing_figures& figures) {
    std::vector<told> all{{"then", [](const std::string& competitor, const std::string& test) {
                               return point(published_zeroing().find(competitor, test));
                           }}};
    for (const auto& where : figures.settings()) {
        all.push_back({"now, " + where.label,
                       [&figures, where](const std::string& competitor, const std::string& test) {
                           return figures.find(where, competitor, test);
                       }});
    }
    return all;
}

std::optional<table_cell> share_cell(const std::optional<estimate>& share) {
    if (!share) return std::nullopt;
    return table_cell{fmt::format("{:.0f} %", share->value * 100),
                      share->value,
                      share->bounds.low,
                      share->bounds.high,
                      {}};
}

std::optional<table_cell> time_cell(const std::optional<estimate>& time) {
    return time ? std::optional(estimate_cell(*time)) : std::nullopt;
}

report_table times_table(const std::vector<told>& all) {
    report_table table{
        .id = "zeroing-seed",
        .caption = "Half a gigabyte by std::make_shared, then and now",
        .note = fmt::format(
            "Wall-clock seconds; saved: of the time without a constructor, by one that leaves the "
            "object as it is. By every thread, each makes and writes as much. {}",
            published_zeroing().source),
        .row_header = "objects"};
    for (const auto& each : all) {
        table.columns.push_back({"no constructor", each.label, "s"});
        table.columns.push_back({"constructor", each.label, "s"});
        if (&each != &all.front()) table.columns.push_back({"for_overwrite", each.label, "s"});
        table.columns.push_back({"saved", each.label, ""});
    }
    for (const auto& test : seed_tests) {
        table_row row{test.head, false, {}};
        for (const auto& each : all) {
            const auto without = each.find(zeroing_line, test.name);
            const auto with = each.find(cured_line, test.name);
            row.cells.push_back(time_cell(without));
            row.cells.push_back(time_cell(with));
            if (&each != &all.front()) {
                row.cells.push_back(time_cell(each.find(overwriting, test.name)));
            }
            row.cells.push_back(share_cell(saved(without, with)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

report_plot saved_plot(const std::vector<told>& all) {
    report_plot plot;
    plot.id = "zeroing-seed-plot";
    plot.type = plot_type::dots;
    plot.title = "What a constructor that leaves the object as it is saves, then and now";
    plot.note = "Of the time without a constructor. Below zero: it took longer with one.";
    plot.x = {"time saved", "%", axis_scale::linear};
    plot.y = {"objects", "", axis_scale::category};
    for (const auto& each : all) {
        plot_series series{each.label, {}, {}, {}};
        for (const auto& test : seed_tests) {
            const auto share =
                saved(each.find(zeroing_line, test.name), each.find(cured_line, test.name));
            if (!share) continue;
            series.points.push_back({.x = share->value * 100,
                                     .low = share->bounds.low * 100,
                                     .high = share->bounds.high * 100,
                                     .category = test.head});
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    plot.data = data_of(plot);
    return plot;
}

}  // namespace

std::vector<zeroing_block> zeroing_seed_blocks(const zeroing_figures& figures) {
    const bool measured =
        std::any_of(seed_tests.begin(), seed_tests.end(),
                    [&](const seed_test& test) { return figures.has(test.name); });
    if (!measured) return {};
    const auto all = all_told(figures);
    return {saved_plot(all), times_table(all)};
}

}  // namespace freehold
