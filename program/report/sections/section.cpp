// SPDX-License-Identifier: BSL-1.0
#include "report/sections/section.hpp"

#include "report/sections/derived.hpp"
#include "report/sections/findings.hpp"
#include "report/sections/published.hpp"
#include "report/sections/special_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace freehold {

namespace {

/// Smaller differences between compilers get no row.
constexpr double worth_telling = 0.10;
/// A figure below this share of the reference's figure was optimised away.
constexpr double deleted_below = 0.5;

using variables = std::map<std::string, std::string>;

/// Replaces {name} by the variable's value.
std::string expanded(std::string text, const variables& values) {
    for (const auto& [name, value] : values) {
        const auto place = "{" + name + "}";
        for (auto at = text.find(place); at != std::string::npos; at = text.find(place, at))
            text.replace(at, place.size(), value);
    }
    return text;
}

/// "64 B", "16 KiB", "1 MiB"
std::string bytes_text(std::int64_t bytes) {
    constexpr std::int64_t kibi = 1024;
    if (bytes >= kibi * kibi && bytes % (kibi * kibi) == 0)
        return fmt::format("{} MiB", bytes / (kibi * kibi));
    return bytes >= kibi && bytes % kibi == 0 ? fmt::format("{} KiB", bytes / kibi)
                                              : fmt::format("{} B", bytes);
}

const std::string& suite_of(const figure_spec& spec, const page_context& context) {
    return spec.suite.empty() ? context.suite : spec.suite;
}

const suite_case* case_of(const figure_spec& spec, const page_context& context) {
    const auto* description = context.figures.suite(suite_of(spec, context)).description();
    return description == nullptr ? nullptr : description->find_case(spec.test_case);
}

std::string label_of(const figure_spec& spec, const page_context& context) {
    if (!spec.label.empty()) return spec.label;
    const auto* known = case_of(spec, context);
    return known == nullptr ? spec.test_case : known->label;
}

std::string unit_of(const figure_spec& spec, const page_context& context) {
    if (spec.unit != "?") return spec.unit;
    if (!spec.times.empty() || !spec.over.empty() || spec.show == "code") return "";
    const auto* known = case_of(spec, context);
    return known == nullptr ? "" : known->unit;
}

variables variables_of(const figure_spec& spec, const page_context& context, const setting* where,
                       std::optional<std::int64_t> n, const std::string& compiler = {}) {
    variables values{{"case", label_of(spec, context)},
                     {"compiler", compiler},
                     {"setting", where == nullptr ? std::string() : where->label}};
    if (n) {
        values["n"] = std::to_string(*n);
        values["bytes"] = bytes_text(*n);
        values["s"] = *n == 1 ? "" : "s";
    }
    values["group"] = expanded(spec.group, values);
    return values;
}

estimate scaled(const estimate& figure, double by) {
    return {figure.value * by, {figure.bounds.low * by, figure.bounds.high * by}};
}

/// A thousand divided by the figure. It converts nanoseconds each to millions a second.
std::optional<estimate> rate_of(const estimate& figure) {
    if (!(figure.value > 0)) return std::nullopt;
    const auto rate = [](double each) {
        return each > 0 ? 1000 / each : std::numeric_limits<double>::infinity();
    };
    return estimate{rate(figure.value), {rate(figure.bounds.high), rate(figure.bounds.low)}};
}

std::optional<estimate> published_value(const figure_spec& spec, const std::string& compiler,
                                        const subject_row& row) {
    const auto& page = published(spec.published);
    const auto own = page.find(compiler, row.key, spec.test_case);
    if (!own) return std::nullopt;
    if (spec.times.empty()) return own->figure;
    if (row.key == spec.times) return estimate{1, {1, 1}};
    const auto reference = page.find(compiler, spec.times, spec.test_case);
    return reference ? ratio(own->figure, reference->figure) : std::nullopt;
}

table_cell code_cell(double instructions, double bytes, const std::string& note) {
    auto text = exact_text(instructions) + "/" + exact_text(bytes);
    if (!note.empty()) text += "/" + note;
    return {text, bytes, {}, {}, note};
}

/// Whether an article's figure belongs in this row. It belongs in the row with the kind of process
/// in which the article measured.
bool is_as_published(const figure_spec& spec, const page_context& context, const subject_row& row) {
    if (spec.process.empty()) return row.process == "threaded";
    if (row.process == spec.process) return true;
    return std::none_of(context.rows.begin(), context.rows.end(), [&](const subject_row& other) {
        return other.key == row.key && other.process == spec.process;
    });
}

std::optional<table_cell> published_cell(const figure_spec& spec, const page_context& context,
                                         const std::string& compiler, const subject_row& row) {
    if (!is_as_published(spec, context, row)) return std::nullopt;
    const auto& page = published(spec.published);
    if (spec.show == "code") {
        const auto bytes = page.find(compiler, row.key, spec.with);
        const auto count = page.find(compiler, row.key, spec.test_case);
        if (!bytes || !count) return std::nullopt;
        return code_cell(count->figure.value, bytes->figure.value, bytes->note);
    }
    const auto value = published_value(spec, compiler, row);
    if (!value) return std::nullopt;
    if (spec.show == "note")
        return table_cell{
            page.find(compiler, row.key, spec.test_case)->note, value->value, {}, {}, {}};
    return spec.show == "exact" ? exact_cell(value->value) : estimate_cell(*value);
}

std::optional<table_cell> level_cell(const estimate& figure,
                                     const std::vector<level_spec>& levels) {
    const level_spec* reached = nullptr;
    for (const auto& each : levels)
        if (figure.bounds.low >= each.at) reached = &each;
    return table_cell{reached == nullptr ? "none" : reached->label,
                      reached == nullptr ? 0 : reached->at,
                      {},
                      {},
                      {}};
}

/// Behind a figure that depends on where the code lies.
constexpr const char* placement_sign = " \u21c4";

std::optional<table_cell> measured_cell(const figure_spec& spec, const table_spec& table,
                                        const page_context& context, const setting& where,
                                        const subject_row& row, std::optional<std::int64_t> n) {
    auto& figures = context.figures.suite(suite_of(spec, context));
    const auto value = evaluate(spec, context, where, row, n);
    if (!value) return std::nullopt;
    if (!spec.deleted.empty()) {
        const auto share = figures.times(where, row, spec.test_case, spec.deleted);
        if (row.key != spec.deleted && share && share->bounds.high < deleted_below)
            return table_cell{"deleted", {}, {}, {}, {}};
    }
    if (spec.show == "code") {
        const auto bytes = figures.find(where, row, spec.with, n);
        if (!bytes) return std::nullopt;
        auto note = figures.note(where, row, spec.with, n);
        if (note.empty()) note = figures.note(where, row, spec.test_case, n);
        return code_cell(value->value, bytes->value, note);
    }
    if (spec.show == "level") return level_cell(*value, table.levels);
    if (spec.show == "percent") {
        auto cell = estimate_cell(*value);
        cell.text = fmt::format("{:.0f} %", value->value * 100);
        return cell;
    }
    if (spec.show == "exact" || spec.show == "noted") {
        auto cell = exact_cell(value->value);
        const auto note = figures.note(where, row, spec.test_case, n);
        if (spec.show == "noted" && !note.empty() && note != "nothing") cell.text += ", " + note;
        return cell;
    }
    auto cell = spec.show == "error" ? error_cell(*value) : estimate_cell(*value);
    if (spec.show == "error" && figures.depends_on_placement(where, row, spec.test_case, n))
        cell.text += placement_sign;
    if (!spec.times.empty() && row.key == spec.times) {
        // The others are multiples of this figure, so its cell shows the figure itself.
        const auto* known = case_of(spec, context);
        const auto own = figures.find(where, row, spec.test_case, n);
        cell.text = fmt::format("{} {}", figure_text(own->value), known ? known->unit : "");
        cell.low = cell.high = std::nullopt;
    }
    return cell;
}

bool is_ranked(const subject_row& row, const page_context& context) {
    const auto& left_out = context.not_ranked;
    return std::none_of(left_out.begin(), left_out.end(), [&](const std::string& each) {
        return each == row.key || each == row.family;
    });
}

estimate estimate_in(const table_cell& cell) {
    return {*cell.value, {cell.low.value_or(*cell.value), cell.high.value_or(*cell.value)}};
}

/// Marks the lowest cell of the last column among the ranked rows, and the cells with intervals
/// that overlap its interval.
void mark_lowest(report_table& table, const page_context& context) {
    std::vector<table_cell*> cells;
    for (std::size_t i = 0; i != context.rows.size(); ++i) {
        auto& cell = table.rows[i].cells.back();
        if (cell && cell->value && is_ranked(context.rows[i], context)) cells.push_back(&*cell);
    }
    const auto lowest = std::min_element(cells.begin(), cells.end(),
                                         [](auto* a, auto* b) { return *a->value < *b->value; });
    if (lowest == cells.end()) return;
    const auto least = estimate_in(**lowest);
    for (auto* cell : cells)
        if (overlap(estimate_in(*cell), least)) cell->mark = "lowest";
}

class table_builder {
public:
    table_builder(const table_spec& spec, const page_context& context)
        : spec_(spec), context_(context) {
        table_.id = spec.id;
        table_.caption = spec.caption;
        table_.note = spec.note;
        if (!spec.source.empty()) {
            if (!table_.note.empty()) table_.note += " ";
            table_.note += published(spec.source).source();
        }
        table_.row_header = spec.header;
        for (const auto& row : context.rows)
            table_.rows.push_back(
                {row.head, row.family == "lower_bound" || row.key == spec.reference, {}});
    }

    /// Neighbouring measured columns are grouped by setting, those of an article by compiler.
    report_table build() {
        const auto& columns = spec_.columns;
        for (std::size_t begin = 0; begin != columns.size();) {
            auto end = begin + 1;
            if (!columns[begin].published.empty()) {
                add_published(columns[begin]);
            } else {
                while (end != columns.size() && columns[end].published.empty()) ++end;
                for (const auto& where : context_.settings)
                    for (auto i = begin; i != end; ++i) add_measured(columns[i], where);
            }
            begin = end;
        }
        const bool measured = has_measured_;
        if (!measured) table_.rows.clear();  // an article alone gives no comparison
        explain_placements();
        remove_empty(table_);
        return std::move(table_);
    }

private:
    void explain_placements() {
        const auto has_sign = [](const auto& cell) {
            return cell && cell->text.ends_with(placement_sign);
        };
        if (std::none_of(table_.rows.begin(), table_.rows.end(), [&](const table_row& row) {
                return std::any_of(row.cells.begin(), row.cells.end(), has_sign);
            }))
            return;
        if (!table_.note.empty()) table_.note += " ";
        table_.note +=
            "\u21c4: where the linker places the code changes the time by more than a tenth. The "
            "interval includes that.";
    }

    void add_published(const figure_spec& column) {
        for (const auto& compiler : published(column.published).compilers()) {
            const auto values = variables_of(column, context_, nullptr, {}, compiler);
            table_.columns.push_back({expanded(label_of(column, context_), values),
                                      expanded(column.group, values),
                                      column.unit == "?" ? "" : column.unit});
            for (std::size_t i = 0; i != context_.rows.size(); ++i)
                table_.rows[i].cells.push_back(
                    published_cell(column, context_, compiler, context_.rows[i]));
        }
    }

    void add_measured(const figure_spec& column, const setting& where) {
        std::vector<std::optional<std::int64_t>> sizes{std::nullopt};
        if (!column.each.empty()) {
            sizes.clear();
            const auto& figures = context_.figures.suite(suite_of(column, context_));
            for (const auto n : figures.all_sizes(column.test_case)) sizes.emplace_back(n);
        }
        for (const auto& n : sizes) {
            const auto values = variables_of(column, context_, &where, n);
            const auto label = n ? column.each : label_of(column, context_);
            table_.columns.push_back({expanded(label, values), expanded(column.group, values),
                                      unit_of(column, context_)});
            for (std::size_t i = 0; i != context_.rows.size(); ++i) {
                auto cell = measured_cell(column, spec_, context_, where, context_.rows[i], n);
                has_measured_ = has_measured_ || cell.has_value();
                table_.rows[i].cells.push_back(std::move(cell));
            }
            if (column.lowest) mark_lowest(table_, context_);
        }
    }

    const table_spec& spec_;
    const page_context& context_;
    report_table table_;
    bool has_measured_ = false;
};

/// The rows of the context that a block shows, in the order of the block.
std::vector<subject_row> rows_shown(const rows_spec& spec, const std::vector<subject_row>& all) {
    std::vector<subject_row> rows;
    for (const auto& row : all) {
        if (spec.threaded_only && row.process != "threaded") continue;
        const auto& only = spec.only;
        if (!only.empty() && std::find(only.begin(), only.end(), row.key) == only.end()) continue;
        if (!spec.published.empty() &&
            (row.process != "threaded" ||
             !published(spec.published).has(row.key, spec.published_case)))
            continue;
        rows.push_back(row);
    }
    const auto place = [&](const subject_row& row) {
        return std::find(spec.order.begin(), spec.order.end(), row.key) - spec.order.begin();
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const subject_row& a, const subject_row& b) {
        return place(a) < place(b);
    });
    return rows;
}

page_context with_rows(const rows_spec& spec, const page_context& context) {
    auto own = context;
    own.rows = rows_shown(spec, context.rows);
    return own;
}

class plot_builder {
public:
    plot_builder(const plot_spec& spec, const page_context& context)
        : spec_(spec), context_(context), plot_(spec.frame) {}

    report_plot build() {
        for (const auto& figure : spec_.figures) {
            if (!figure.published.empty()) {
                for (const auto& compiler : published(figure.published).compilers())
                    add_published(figure, compiler);
                continue;
            }
            for (const auto& where : context_.settings) add_measured(figure, where);
        }
        return std::move(plot_);
    }

private:
    [[nodiscard]] bool uses(const char* variable) const {
        const auto place = fmt::format("{{{}}}", variable);
        return (spec_.facet + spec_.series).find(place) != std::string::npos;
    }

    plot_series& series(const variables& values) {
        const auto name = expanded(spec_.series, values);
        const auto facet = expanded(spec_.facet, values);
        for (auto& each : plot_.series)
            if (each.name == name && each.facet == facet) return each;
        return plot_.series.emplace_back(plot_series{name, {}, {}, facet});
    }

    void add_published(const figure_spec& figure, const std::string& compiler) {
        for (const auto& row : context_.rows) {
            const auto value = published_value(figure, compiler, row);
            if (!value || !(value->value > 0)) continue;
            auto values = variables_of(figure, context_, nullptr, {}, compiler);
            values["group"] = expanded(figure.group, values);
            add_point(series_of_article(figure, values), row, *value);
        }
    }

    plot_series& series_of_article(const figure_spec& figure, const variables& values) {
        const auto name = expanded(figure.label, values);
        for (auto& each : plot_.series)
            if (each.name == name) return each;
        return plot_.series.emplace_back(plot_series{name, {}, {}, {}});
    }

    void add_measured(const figure_spec& figure, const setting& where) {
        const auto& figures = context_.figures.suite(suite_of(figure, context_));
        const bool lines = plot_.type == plot_type::lines;
        const bool sized = uses("n") || uses("bytes");
        for (const auto& row : context_.rows) {
            const auto& sizes = figures.sizes(where, row, figure.test_case);
            if (sizes.empty()) continue;
            if (!lines && !sized) {
                const auto value = evaluate(figure, context_, where, row);
                if (value) add_point(named(figure, where, row, {}), row, *value);
                continue;
            }
            const auto span = spec_.span.empty() ? std::optional<estimate>()
                                                 : figures.find(where, row, spec_.span);
            if (!spec_.span.empty() && !span) continue;
            for (const auto& [n, figure_at_n] : sizes) {
                if (n % spec_.every != 0) continue;
                const auto value = evaluate(figure, context_, where, row, n);
                if (!value) continue;
                if (!lines) {
                    add_point(named(figure, where, row, n), row, *value);
                    continue;
                }
                // In lines over time, each part is drawn at its middle.
                const double x = span ? (static_cast<double>(n) - 0.5) /
                                            static_cast<double>(sizes.size()) * span->value
                                      : static_cast<double>(n);
                named(figure, where, row, n)
                    .points.push_back({.x = x,
                                       .y = value->value,
                                       .low = value->bounds.low,
                                       .high = value->bounds.high});
            }
            if (lines && figure.show == "error" && plot_.x.scale == axis_scale::linear &&
                plot_.y.scale == axis_scale::linear && !plot_.stacked) {
                if (const auto fit = fitted(figures, where, row, figure.test_case))
                    named(figure, where, row, {}).fit = fit;
            }
        }
    }

    /// Has a value only if the page fits a line to the case, and its times are on a line.
    static std::optional<plot_line> fitted(const suite_figures& figures, const setting& where,
                                           const subject_row& row, const std::string& test_case) {
        if (figures.sizes(where, row, test_case + ".slope").empty()) return std::nullopt;
        const auto costs = costs_of(figures, where, row, test_case);
        return costs ? costs->line : std::nullopt;
    }

    plot_series& named(const figure_spec& figure, const setting& where, const subject_row& row,
                       std::optional<std::int64_t> n) {
        auto values = variables_of(figure, context_, &where, n);
        values["subject"] = row.head;
        return series(values);
    }

    void add_point(plot_series& to, const subject_row& row, const estimate& value) const {
        const bool logarithmic = plot_.x.scale == axis_scale::logarithmic;
        if (logarithmic && !(value.value > 0)) return;
        plot_point point{.x = value.value, .category = row.head};
        const bool drawable = std::isfinite(value.bounds.high) &&
                              value.bounds.low < value.bounds.high &&
                              (!logarithmic || value.bounds.low > 0);
        if (drawable && !plot_.stacked) {
            point.low = value.bounds.low;
            point.high = value.bounds.high;
        }
        to.points.push_back(std::move(point));
    }

    const plot_spec& spec_;
    const page_context& context_;
    report_plot plot_;
};

std::vector<ranked_setting> ranked_settings(const std::string& test_case,
                                            const page_context& context) {
    std::vector<ranked_setting> settings;
    const auto& figures = context.figures.suite(context.suite);
    for (const auto& where : context.settings) {
        ranked_setting entries{where.label, {}};
        for (const auto& row : context.rows) {
            if (row.process != "threaded" && row.head.ends_with("(one thread)")) continue;
            const auto figure = figures.find(where, row, test_case);
            if (figure && is_ranked(row, context)) entries.entries.push_back({row.head, *figure});
        }
        settings.push_back(std::move(entries));
    }
    return settings;
}

std::string reading_of(const reading_spec& spec, const page_context& context,
                       const std::vector<std::string>& more) {
    if (!spec.test_case.empty()) {
        std::string baseline;
        for (const auto& row : context.rows)
            if (row.key == spec.baseline && baseline.empty()) baseline = row.head;
        return lowest_finding({spec.opening, spec.unit, baseline, spec.nothing, spec.exact},
                              ranked_settings(spec.test_case, context));
    }
    auto parts = more;
    for (const auto& sentence : spec.sentences)
        if (auto text = filled_in(sentence, context); !text.empty()) parts.push_back(text);
    return parts.empty() ? spec.nothing : fmt::format("{}", fmt::join(parts, " "));
}

/// The cells of other compilers that differ from the first compiler's. Cells that are not
/// distinguishable get no row.
std::optional<report_table> differences_table(const page_context& context,
                                              const std::vector<setting>& others) {
    const auto& figures = context.figures.suite(context.suite);
    report_table table{.id = context.suite + "-compilers",
                       .caption = "Where another compiler's figure differs by 10 % or more",
                       .note =
                           "Medians with intervals that do not overlap. `freehold report "
                           "--all` shows every other figure.",
                       .row_header = "subject, case"};
    table.columns = {{"first", "", ""}, {"other", "", ""}, {"times", "", ""}};
    for (const auto& other : others) {
        const setting* first = nullptr;
        for (const auto& shown : context.settings)
            if (shown.source == other.source) first = &shown;
        if (first == nullptr) continue;
        for (const auto& row : context.rows) {
            for (const auto& each : figures.description()->cases) {
                for (const auto& [n, theirs] : figures.sizes(other, row, each.key)) {
                    const auto ours = figures.find(*first, row, each.key, n);
                    const auto times = ours ? ratio(theirs, *ours) : std::nullopt;
                    if (!times || each.unit == "%" || overlap(*ours, theirs) ||
                        std::abs(times->value - 1) < worth_telling)
                        continue;
                    auto head = fmt::format("{}, {}", row.head, each.label);
                    if (!each.parameter.empty()) head += fmt::format(", {}", n);
                    const auto cell = [&](const estimate& figure, const setting& where) {
                        auto made = estimate_cell(figure);
                        made.text = fmt::format("{} {} {}", where.label, made.text, each.unit);
                        return made;
                    };
                    table.rows.push_back(
                        {head,
                         false,
                         {cell(*ours, *first), cell(theirs, other), estimate_cell(*times)}});
                }
            }
        }
    }
    if (table.rows.empty()) return std::nullopt;
    constexpr std::size_t at_most = 40;
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return std::abs(std::log(*a.cells[2]->value)) > std::abs(std::log(*b.cells[2]->value));
    });
    if (table.rows.size() > at_most) {
        table.note = fmt::format("The {} largest of {}. ", at_most, table.rows.size()) + table.note;
        table.rows.resize(at_most);
    }
    return table;
}

page_spec page_of(const suite_figures& figures) {
    const auto& description = *figures.description();
    const auto document = nlohmann::json::parse(description.text);
    const json_node node(document, fmt::format("suites.{}.description", description.key));
    const auto found = node.find("page");
    if (!found) return {};
    try {
        auto page = page_from(*found);
        std::set<std::string> derived;
        for (const auto& each : page.derived)
            for (auto& name : derived_cases(each)) derived.insert(std::move(name));
        for (const auto& name : cases_of(page)) {
            if (description.find_case(name) == nullptr && !derived.contains(name))
                found->refuse(fmt::format("\"{}\" is not a case of the suite", name));
        }
        return page;
    } catch (const json_error& error) {
        throw result_error(error.what());
    }
}

}  // namespace

suite_figures& all_figures::suite(const std::string& name) {
    return suites_.try_emplace(name, settings_, name).first->second;
}

void remove_empty(report_table& table) {
    std::erase_if(table.rows, [](const table_row& row) {
        return std::none_of(row.cells.begin(), row.cells.end(),
                            [](const auto& cell) { return cell.has_value(); });
    });
    for (std::size_t column = table.columns.size(); column-- != 0;) {
        const auto has_cell = [column](const table_row& row) {
            return row.cells[column].has_value();
        };
        if (std::any_of(table.rows.begin(), table.rows.end(), has_cell)) continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.columns.erase(table.columns.begin() + at);
        for (auto& row : table.rows) row.cells.erase(row.cells.begin() + at);
    }
}

std::optional<estimate> evaluate(const figure_spec& spec, const page_context& context,
                                 const setting& where, const subject_row& row,
                                 std::optional<std::int64_t> n) {
    const auto& figures = context.figures.suite(suite_of(spec, context));
    auto value = figures.find(where, row, spec.test_case, n);
    if (!value) return std::nullopt;
    if (!spec.times.empty()) value = figures.times(where, row, spec.test_case, spec.times, n);
    if (!spec.over.empty()) {
        const auto other = figures.find(where, row, spec.over, n);
        value = other ? ratio(*value, *other) : std::nullopt;
    }
    if (!spec.less.empty()) {
        const auto other = figures.find_reference(where, row, spec.less, spec.test_case, n);
        if (!other || row.key == spec.less) return std::nullopt;
        value = difference(*value, *other);
    }
    if (value && spec.rate) value = rate_of(*value);
    if (value && spec.scale != 1) value = scaled(*value, spec.scale);
    return value;
}

report_table draw_table(const table_spec& spec, const page_context& context) {
    const auto own = with_rows(spec.rows, context);
    return table_builder(spec, own).build();
}

report_plot draw_plot(const plot_spec& spec, const page_context& context) {
    const auto own = with_rows(spec.rows, context);
    return plot_builder(spec, own).build();
}

std::string filled_in(const std::string& sentence, const page_context& context) {
    const auto& figures = context.figures.suite(context.suite);
    std::string text;
    for (std::size_t at = 0; at != sentence.size();) {
        const auto open = sentence.find('{', at);
        if (open == std::string::npos) return text + sentence.substr(at);
        const auto close = sentence.find('}', open);
        text += sentence.substr(at, open - at);
        std::istringstream words(sentence.substr(open + 1, close - open - 1));
        std::string kind, test_case, subject, other;
        words >> kind >> test_case >> subject >> other;
        std::vector<double> values;
        for (const auto& where : context.settings) {
            const auto own = figures.find(where, {subject}, test_case);
            if (!own) continue;
            if (kind == "value") values.push_back(own->value);
            if (kind == "rate" && own->value > 0) values.push_back(1000 / own->value);
            const auto reference = figures.find(where, {other}, test_case);
            if (kind == "ratio" && reference && reference->value > 0)
                values.push_back(own->value / reference->value);
        }
        if (values.empty()) return {};
        text += range_text(values);
        at = close + 1;
    }
    return text;
}

std::optional<report_section> suite_section(all_figures& all, const std::string& suite,
                                            bool every_compiler) {
    auto& figures = all.suite(suite);
    if (figures.settings().empty()) return std::nullopt;
    const auto page = page_of(figures);
    for (const auto& each : page.derived) derive(figures, each);

    page_context context{all, suite, {}, figures.rows(), page.not_ranked};
    std::vector<setting> others;
    for (const auto& where : figures.settings()) {
        const bool first =
            std::none_of(context.settings.begin(), context.settings.end(),
                         [&](const setting& known) { return known.source == where.source; });
        (first || every_compiler ? context.settings : others).push_back(where);
    }

    report_section section;
    section.id = suite;
    section.title = page.title.empty() ? figures.description()->title : page.title;
    std::vector<std::string> sentences;
    std::vector<std::string> special_notes;
    for (const auto& block : page.blocks) {
        if (const auto* table = std::get_if<table_spec>(&block)) {
            auto per_table = context;
            for (std::size_t i = 0; i != context.settings.size(); ++i) {
                if (table->each_setting) per_table.settings = {context.settings[i]};
                auto made = draw_table(*table, per_table);
                if (table->each_setting && i != 0) made.id += fmt::format("-{}", i + 1);
                if (!made.rows.empty()) section.blocks.emplace_back(std::move(made));
                if (!table->each_setting) break;
            }
        } else if (const auto* plot = std::get_if<plot_spec>(&block)) {
            auto made = draw_plot(*plot, context);
            if (!made.series.empty()) section.blocks.emplace_back(std::move(made));
        } else {
            auto made = draw_special(std::get<special_spec>(block).name, context);
            std::move(made.blocks.begin(), made.blocks.end(), std::back_inserter(section.blocks));
            std::move(made.notes.begin(), made.notes.end(), std::back_inserter(special_notes));
            if (!made.sentence.empty()) sentences.push_back(std::move(made.sentence));
        }
    }
    if (auto table = differences_table(context, others)) section.blocks.emplace_back(*table);
    section.finding = reading_of(page.reading, context, sentences);
    for (const auto& note : page.notes)
        if (auto text = filled_in(note, context); !text.empty()) section.notes.push_back(text);
    for (auto& note : special_notes) section.notes.push_back(std::move(note));
    for (const auto& each : page.derived)
        for (auto& note : notes_on_lines(figures, each)) section.notes.push_back(std::move(note));
    for (auto& note : measuring_notes(all.settings(), suite))
        section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
