// SPDX-License-Identifier: BSL-1.0
// The article's program: its printed tables beside the same here, and what becomes of them in a
// million steps.
#include "report/sections/buffers.hpp"
#include "report/sections/published.hpp"
#include "report/sections/tables.hpp"

#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

struct printed_column {
    std::string test;
    std::string label;
    std::string unit;
};
const std::array<printed_column, 4> printed_columns{
    {{"article, buffers", "buffers", ""},
     {"article, bytes asked for", "asked for", "bytes"},
     {"article, bytes handed out", "handed out", "bytes"},
     {"article, used", "used", "%"}}};
const std::string used_test = "article, used";

/// Steps between two points of the course.
constexpr std::int64_t course_step = 10000;

/// As the article's program prints a number: six digits.
std::string printed_text(double value) {
    return fmt::format("{:.6g}", value);
}

table_cell printed_cell(const std::string& test, double value) {
    const auto text = test == used_test ? printed_text(value) : exact_text(value);
    return {text, value, {}, {}, {}};
}

using figure_source =
    std::function<std::optional<double>(const std::string& test, std::int64_t step)>;

figure_source measured_by(const buffers_figures& figures, const setting& where,
                          const std::string& policy) {
    return [&figures, &where, policy](const std::string& test,
                                      std::int64_t step) -> std::optional<double> {
        const auto all = figures.sizes(where, policy, test);
        const auto found = all.find(step);
        if (found == all.end()) return std::nullopt;
        return found->second.value;
    };
}

figure_source printed_of(const std::string& policy) {
    return [policy](const std::string& test, std::int64_t step) {
        return published_buffers().find(policy, test, step);
    };
}

/// Nothing where the policy's program was not run.
std::optional<report_table> printed_table(const buffers_figures& figures, const std::string& policy,
                                          report_table table) {
    std::vector<std::pair<std::string, figure_source>> sources{{"printed", printed_of(policy)}};
    for (const auto& where : figures.settings()) {
        const bool measured = !figures.sizes(where, policy, printed_columns[0].test).empty();
        if (measured) sources.emplace_back(where.label, measured_by(figures, where, policy));
    }
    if (sources.size() == 1) return std::nullopt;
    for (const auto& [label, find] : sources) {
        for (const auto& column : printed_columns) {
            table.columns.push_back({column.label, label, column.unit});
        }
    }
    for (const auto step : published_buffers().steps) {
        table_row row{exact_text(static_cast<double>(step)), false, {}};
        for (const auto& [label, find] : sources) {
            for (const auto& [test, column, unit] : printed_columns) {
                const auto value = find(test, step);
                row.cells.push_back(value ? std::optional(printed_cell(test, *value))
                                          : std::nullopt);
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The bytes in use that were asked for, over a million steps. Once for each file: it is the same
/// whatever the compiler.
report_plot course_plot(const buffers_figures& figures) {
    report_plot plot;
    plot.id = "buffers-course";
    plot.type = plot_type::lines;
    plot.title =
        "What callers asked for, of what the cache handed out to them, for a million steps";
    plot.note =
        "The article's program, every 10,000 steps. keep_largest is its flawed cache: what big "
        "buffers it has go to callers that need small ones. keep_first_below is its mended one.";
    plot.x = {"steps", "", axis_scale::linear};
    plot.y = {"used", "%", axis_scale::linear};
    std::set<const labelled_results*> files;
    for (const auto& where : figures.settings()) {
        if (files.contains(where.source)) continue;
        for (const auto& who : figures.contenders()) {
            plot_series series{who.head, {}, {}, where.label};
            for (const auto& [step, used] : figures.sizes(where, who.name, used_test)) {
                if (step % course_step != 0) continue;
                series.points.push_back({.x = static_cast<double>(step), .y = used.value});
            }
            if (series.points.size() < 2) continue;
            plot.series.push_back(std::move(series));
            files.insert(where.source);
        }
    }
    if (files.size() == 1) {
        for (auto& series : plot.series) series.facet.clear();
    }
    plot.data = data_of(plot);
    return plot;
}

}  // namespace

printed_agreement printed_agreement_of(const buffers_figures& figures, const setting& where) {
    printed_agreement found;
    for (const auto& policy : {flawed_policy, mended_policy}) {
        const auto printed = printed_of(policy);
        const auto measured = measured_by(figures, where, policy);
        for (const auto& column : printed_columns) {
            for (const auto step : published_buffers().steps) {
                const auto then = printed(column.test, step);
                const auto now = measured(column.test, step);
                if (!then || !now) continue;
                ++found.measured;
                const bool rounded = column.test == used_test;
                if (rounded ? printed_text(*then) == printed_text(*now) : *then == *now) {
                    ++found.same;
                }
            }
        }
    }
    return found;
}

buffers_blocks article_blocks(const buffers_figures& figures) {
    buffers_blocks blocks;
    auto course = course_plot(figures);
    if (!course.series.empty()) blocks.emplace_back(std::move(course));
    const auto note = published_buffers().source;
    for (auto& [policy, table] :
         {std::pair{flawed_policy,
                    report_table{.id = "buffers-article-flawed",
                    .caption = "The flawed cache, keep_largest: as printed, and here",
                    .note = note,
                    .row_header = "step"}},
          std::pair{mended_policy, report_table{.id = "buffers-article-mended",
                                   .caption = "The mended cache, keep_first_below with a cutoff of "
                                              "200 bytes: as printed, and here",
                                   .note = note,
                                   .row_header = "step"}}}) {
        if (auto made = printed_table(figures, policy, table)) {
            blocks.emplace_back(std::move(*made));
        }
    }
    return blocks;
}

}  // namespace freehold
