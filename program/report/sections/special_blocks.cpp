// SPDX-License-Identifier: BSL-1.0
// Tables beside the figures of an article, in which rows are not subjects.
#include "report/sections/special_blocks.hpp"

#include "report/sections/findings.hpp"
#include "report/sections/published.hpp"

#include <array>
#include <functional>
#include <map>
#include <utility>

#include <fmt/ranges.h>

namespace freehold {

namespace {

/// The figures that an article or a setting has for a subject's case.
struct told {
    std::string label;
    std::function<std::optional<estimate>(const std::string& subject, const std::string& test_case,
                                          std::int64_t n)>
        find;
};

told printed_in(const std::string& page, const std::string& label) {
    return {label,
            [&article = published(page)](const auto& subject, const auto& test_case,
                                         std::int64_t n) -> std::optional<estimate> {
                const auto found = article.find(article.compilers().front(), subject, test_case, n);
                return found ? std::optional(found->figure) : std::nullopt;
            }};
}

std::vector<told> measured_in(const page_context& context, const std::string& prefix) {
    std::vector<told> all;
    const auto& figures = context.figures.suite(context.suite);
    for (const auto& where : context.settings) {
        all.push_back(
            {prefix + where.label,
             [&figures, where](const auto& subject, const auto& test_case, std::int64_t n) {
                 const subject_row row{subject};
                 const auto exact = figures.find(where, row, test_case, n);
                 return exact || n != 0 ? exact : figures.find(where, row, test_case);
             }});
    }
    return all;
}

// The article of 2006: the output of its two caches at some steps.

struct printed_column {
    const char* test_case;
    const char* label;
    const char* unit;
};
constexpr std::array<printed_column, 4> printed_columns{
    {{"published.buffers", "buffers", ""},
     {"published.bytes_asked_for", "asked for", "bytes"},
     {"published.bytes_handed_out", "handed out", "bytes"},
     {"published.used", "used", "%"}}};
constexpr const char* chen = "chen_2006";

/// Writes a number as the article's program does, with six digits.
std::string printed_text(const printed_column& column, double value) {
    return std::string(column.unit) == "%" ? fmt::format("{:.6g}", value) : exact_text(value);
}

special_result article_of_2006(const page_context& context) {
    special_result result;
    std::size_t measured = 0;
    std::size_t same = 0;
    auto sources = measured_in(context, "");
    sources.insert(sources.begin(), printed_in(chen, "printed"));
    for (const auto& [policy, id, caption] :
         {std::tuple("keep_largest", "buffers-article-flawed",
                     "The flawed cache, keep_largest: printed and measured figures"),
          std::tuple("keep_first_below", "buffers-article-mended",
                     "The corrected cache, keep_first_below with a cutoff of 200 bytes: printed "
                     "and measured figures")}) {
        report_table table{
            .id = id, .caption = caption, .note = published(chen).source(), .row_header = "step"};
        for (const auto& each : sources)
            for (const auto& column : printed_columns)
                table.columns.push_back({column.label, each.label, column.unit});
        bool any = false;
        for (const auto step : published(chen).sizes()) {
            table_row row{exact_text(static_cast<double>(step)), false, {}};
            for (const auto& each : sources) {
                for (const auto& column : printed_columns) {
                    const auto value = each.find(policy, column.test_case, step);
                    if (!value) {
                        row.cells.emplace_back();
                        continue;
                    }
                    const auto text = printed_text(column, value->value);
                    if (&each != &sources.front()) {
                        const auto then = sources.front().find(policy, column.test_case, step);
                        any = true;
                        if (then) ++measured;
                        if (then && printed_text(column, then->value) == text) ++same;
                    }
                    row.cells.push_back(table_cell{text, value->value, {}, {}, {}});
                }
            }
            table.rows.push_back(std::move(row));
        }
        remove_empty(table);
        if (any) result.blocks.emplace_back(std::move(table));
    }
    if (measured != 0 && same == measured)
        result.sentence =
            fmt::format("All {} figures of the article are reproduced exactly.", measured);
    else if (measured != 0)
        result.sentence =
            fmt::format("{} of the article's {} figures are reproduced exactly.", same, measured);
    return result;
}

// The article on zeroing: half a gigabyte, with and without a constructor.

struct seed_case {
    const char* key;
    const char* head;
};
constexpr std::array<seed_case, 5> seed_cases{
    {{"article.small", "100 bytes each, only made"},
     {"article.large", "100 MB each, only made"},
     {"article.small.written", "100 bytes each, written"},
     {"article.large.written", "100 MB each, written"},
     {"article.large.written.all_threads", "100 MB each, written by every thread"}}};
constexpr const char* zeroing = "std.make_shared";
constexpr const char* cured = "std.make_shared.constructor";
constexpr const char* overwriting = "std.make_shared_for_overwrite";
constexpr const char* oxla = "oxla_shared_pointers";

/// The share of the time that a constructor saves. It is 0.4 if the constructor removes 40 % of the
/// time.
std::optional<estimate> saved(const told& by, const seed_case& what) {
    const auto without = by.find(zeroing, what.key, 0);
    const auto with = by.find(cured, what.key, 0);
    const auto left = without && with ? ratio(*with, *without) : std::nullopt;
    if (!left) return std::nullopt;
    return estimate{1 - left->value, {1 - left->bounds.high, 1 - left->bounds.low}};
}

special_result article_on_zeroing(const page_context& context) {
    auto all = measured_in(context, "now, ");
    all.insert(all.begin(), printed_in(oxla, "then"));
    report_plot plot;
    plot.id = "zeroing-seed-plot";
    plot.type = plot_type::dots;
    plot.title = "Time saved by a constructor that does not initialise the object, then and now";
    plot.note =
        "Shares of the time without a constructor. Below zero: the constructor took longer.";
    plot.x = {"time saved", "%", axis_scale::linear};
    plot.y = {"objects", "", axis_scale::category};
    report_table table{
        .id = "zeroing-seed",
        .caption = "Half a gigabyte by std::make_shared, then and now",
        .note = fmt::format(
            "Wall-clock seconds. Saved: the share of the time without a constructor that one "
            "saves by not initialising the object. Written by every thread: each thread makes "
            "and writes half a gigabyte. {}",
            published(oxla).source()),
        .row_header = "objects"};
    for (const auto& each : all)
        for (const auto& [label, unit] :
             {std::pair("no constructor", "s"), std::pair("constructor", "s"),
              std::pair("for_overwrite", "s"), std::pair("saved", "")})
            table.columns.push_back({label, each.label, unit});
    bool measured = false;
    for (const auto& what : seed_cases) {
        table_row row{what.head, false, {}};
        for (const auto& each : all) {
            for (const char* subject : {zeroing, cured, overwriting}) {
                const auto time = each.find(subject, what.key, 0);
                measured = measured || (time && &each != &all.front());
                row.cells.push_back(time ? std::optional(estimate_cell(*time)) : std::nullopt);
            }
            const auto share = saved(each, what);
            if (!share) {
                row.cells.emplace_back();
                continue;
            }
            row.cells.push_back(table_cell{fmt::format("{:.0f} %", share->value * 100),
                                           share->value,
                                           share->bounds.low,
                                           share->bounds.high,
                                           {}});
            auto series = std::find_if(plot.series.begin(), plot.series.end(),
                                       [&](const auto& s) { return s.name == each.label; });
            if (series == plot.series.end())
                series = plot.series.insert(series, plot_series{each.label, {}, {}, {}});
            series->points.push_back({.x = share->value * 100,
                                      .low = share->bounds.low * 100,
                                      .high = share->bounds.high * 100,
                                      .category = what.head});
        }
        table.rows.push_back(std::move(row));
    }
    if (!measured) return {};
    remove_empty(table);
    return {{std::move(plot), std::move(table)}, {}, {}};
}

// The article on six ways: whether its predicted order is correct.

struct verdict {
    std::string outcome;  // empty if there are fewer than two figures to compare
    std::string reason;
};

/// Compares the figures with their predicted order.
verdict verdict_on(const std::vector<ranked>& predicted) {
    if (predicted.size() < 2) return {};
    std::vector<std::string> reversed;
    std::vector<std::string> alike;
    for (std::size_t i = 0; i != predicted.size(); ++i) {
        for (std::size_t j = i + 1; j != predicted.size(); ++j) {
            const auto& sooner = predicted[i];
            const auto& later = predicted[j];
            if (overlap(sooner.figure, later.figure)) {
                if (j == i + 1) alike.push_back(fmt::format("{} from {}", sooner.name, later.name));
            } else if (later.figure.value < sooner.figure.value) {
                const auto times = ratio(sooner.figure, later.figure);
                reversed.push_back(fmt::format("{} takes {} times as long as {}", sooner.name,
                                               times ? figure_text(times->value) : "many",
                                               later.name));
            }
        }
    }
    if (!reversed.empty()) return {"does not hold", joined(reversed)};
    if (alike.empty()) return {"holds", ""};
    return {"is not contradicted", "the figures do not distinguish " + joined(alike)};
}

using sources = std::vector<std::pair<std::string, std::vector<ranked>>>;

/// "holds with a and b; does not hold with c, where ..."
std::string verdicts_text(const sources& all) {
    std::vector<std::pair<verdict, std::vector<std::string>>> groups;
    for (const auto& [place, predicted] : all) {
        const auto found = verdict_on(predicted);
        if (found.outcome.empty()) continue;
        auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.first.outcome == found.outcome && group.first.reason == found.reason;
        });
        if (same == groups.end()) same = groups.insert(same, {found, {}});
        same->second.push_back(place);
    }
    std::string text;
    for (const auto& [what, places] : groups) {
        if (!text.empty()) text += "; ";
        text += fmt::format("{} with {}", what.outcome, joined(places));
        if (!what.reason.empty()) text += ", where " + what.reason;
    }
    return text;
}

special_result six_ways_order(const page_context& context) {
    const auto& article = published("six_ways_2017");
    const auto& figures = context.figures.suite(context.suite);
    const auto name_of = [&](const std::string& key) {
        for (const auto& row : context.rows)
            if (row.key == key) return row.head;
        return key;
    };
    const auto now = [&](const std::string& test_case) {
        sources all;
        for (const auto& where : context.settings) {
            auto& own = all.emplace_back(where.label, std::vector<ranked>{}).second;
            for (const auto& way : article.predicted_order())
                if (const auto figure = figures.find(where, {way}, test_case))
                    own.push_back({name_of(way), *figure});
        }
        return verdicts_text(all);
    };
    sources then;
    for (const auto& compiler : article.compilers()) {
        auto& own = then.emplace_back(compiler, std::vector<ranked>{}).second;
        for (const auto& way : article.predicted_order())
            if (const auto figure = article.find(compiler, way, "six_ways"))
                own.push_back({name_of(way), figure->figure});
    }
    const auto plain = now("six_ways");
    const auto zeroed = now("six_ways.zeroed");
    if (plain.empty() && zeroed.empty()) return {};
    std::vector<std::string> names;
    for (const auto& way : article.predicted_order()) names.push_back(name_of(way));
    special_result result;
    result.notes.push_back(
        fmt::format("The article predicts this order, the fastest first: {}. In its own figures "
                    "the order {}.",
                    joined(names), verdicts_text(then)));
    for (const auto& [text, packets] : {std::pair(plain, "that are not initialised"),
                                        std::pair(zeroed, "that their constructor zeroes")})
        if (!text.empty())
            result.notes.push_back(
                fmt::format("Today, with packets {}, the order {}.", packets, text));

    const std::string way = "std.allocate_shared.pool";
    const auto& columns = article.compilers();
    const auto before = article.find(columns[columns.size() - 2], way, "six_ways");
    const auto after = article.find(columns.back(), way, "six_ways");
    if (before && after)
        result.notes.push_back(fmt::format(
            "In 2017, the library of {} zeroed the packet of {} although its constructor did not. "
            "This took {} times as long as after the article's correction.",
            columns[columns.size() - 2], name_of(way),
            figure_text(before->figure.value / after->figure.value)));
    return result;
}

}  // namespace

special_result draw_special(const std::string& name, const page_context& context) {
    static const std::map<std::string, special_result (*)(const page_context&)> all{
        {"article_of_2006", article_of_2006},
        {"article_on_zeroing", article_on_zeroing},
        {"six_ways_order", six_ways_order},
        {"buffers_fronts", buffers_fronts}};
    const auto found = all.find(name);
    if (found == all.end())
        throw result_error(fmt::format("suites.{}.description.page: there is no block \"{}\"",
                                       context.suite, name));
    return found->second(context);
}

}  // namespace freehold
