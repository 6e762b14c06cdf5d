// SPDX-License-Identifier: BSL-1.0
// The model as JSON, with the members that program/report/README.md lists. A number that JSON
// cannot express (no value, no bound) is omitted.
#include "report/model.hpp"
#include "report/sections/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace freehold {

namespace {

using nlohmann::json;

using rounding = double (*)(double);

/// Keeps this many digits.
double rounded_to(int digits, double value, rounding round) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double step = std::pow(10, std::floor(std::log10(std::abs(value))) + 1 - digits);
    // Whole numbers are counts, and are kept.
    if (step >= 1 && value == std::floor(value)) return value;
    return step >= 1 ? round(value) : round(value / step) / std::round(1 / step);
}

/// Keeps the digits that a page can show of a median.
double rounded(double value) {
    return rounded_to(4, value, std::round);
}

/// A whole number has no ".0".
json number_json(double shown) {
    constexpr double exact_below = 1e15;
    if (shown == std::floor(shown) && std::abs(shown) < exact_below)
        return static_cast<std::int64_t>(shown);
    return shown;
}
json rounded_json(double value) {
    return number_json(rounded(value));
}

json number_or_null(const std::optional<double>& number) {
    return number && std::isfinite(*number) ? rounded_json(*number) : json(nullptr);
}

/// The ends of an interval, rounded outwards. Ends that are the same number stay so.
std::array<json, 2> ends_json(const std::optional<double>& low, const std::optional<double>& high) {
    if (!low || !high || *low == *high || !std::isfinite(*low - *high))
        return {number_or_null(low), number_or_null(high)};
    return {number_json(rounded_to(3, *low, std::floor)),
            number_json(rounded_to(3, *high, std::ceil))};
}

void trim(json& list) {
    while (!list.empty() && list.back().is_null()) list.erase(list.size() - 1);
}

void add_text(json& to, const char* name, const std::string& text) {
    if (!text.empty()) to[name] = text;
}

/// Whether the page writes the rounded `value` as this text. The page's function `number` gives the
/// same text as exact_text, except that it rounds ties up.
bool page_writes(const std::string& text, double value) {
    constexpr double beside_a_tie = 1e-9;
    const double shown = rounded(value);
    return exact_text(shown) == text &&
           (shown == std::floor(shown) || (exact_text(shown * (1 - beside_a_tie)) == text &&
                                           exact_text(shown * (1 + beside_a_tie)) == text));
}

/// [value, text, low, high, mark], without missing members at the end. If only the value or the
/// text is left, the result is that member alone. The text is missing if the page writes the same
/// text from the value.
json cell_json(const std::optional<table_cell>& cell) {
    if (!cell) return nullptr;
    const bool has_value = cell->value && std::isfinite(*cell->value);
    if (!has_value && cell->mark.empty()) return cell->text;
    const bool told = has_value && page_writes(cell->text, *cell->value);
    const auto [low, high] = ends_json(cell->low, cell->high);
    json made{number_or_null(cell->value), told ? json(nullptr) : json(cell->text), low, high,
              cell->mark.empty() ? json(nullptr) : json(cell->mark)};
    trim(made);
    return made.size() == 1 ? made[0] : made;
}

json table_json(const report_table& table) {
    json made{{"kind", "table"},          {"id", table.id},
              {"caption", table.caption}, {"row_header", table.row_header},
              {"columns", json::array()}, {"rows", json::array()}};
    add_text(made, "note", table.note);
    if (table.grouped) made["grouped"] = true;
    for (const auto& column : table.columns) {
        json head{{"label", column.label}};
        add_text(head, "group", column.group);
        add_text(head, "unit", column.unit);
        if (column.is_text) head["text"] = true;
        made["columns"].push_back(std::move(head));
    }
    for (const auto& row : table.rows) {
        json line{{"head", row.head}, {"cells", json::array()}};
        if (row.reference) line["reference"] = true;
        if (!row.opens.empty()) line["opens"] = row.opens;
        for (const auto& cell : row.cells) line["cells"].push_back(cell_json(cell));
        made["rows"].push_back(std::move(line));
    }
    return made;
}

const char* scale_name(axis_scale scale) {
    switch (scale) {
        case axis_scale::linear:
            return "linear";
        case axis_scale::logarithmic:
            return "log";
        case axis_scale::nines:
            return "nines";
        case axis_scale::category:
            return "category";
    }
    return "linear";
}

json axis_json(const plot_axis& axis) {
    json made{{"label", axis.label}, {"scale", scale_name(axis.scale)}};
    add_text(made, "unit", axis.unit);
    return made;
}

/// Points are [x, y, low, high, note, aside], without missing members at the end. If there are
/// categories, y is the index of one.
json series_json(const plot_series& series, const std::vector<std::string>& categories) {
    json made{{"name", series.name}, {"points", json::array()}};
    for (const auto& point : series.points) {
        const auto category = std::find(categories.begin(), categories.end(), point.category);
        const auto [low, high] = ends_json(point.low, point.high);
        json dot{rounded_json(point.x),
                 categories.empty() ? rounded_json(point.y) : json(category - categories.begin()),
                 low,
                 high,
                 point.note.empty() ? json(nullptr) : json(point.note),
                 point.aside ? json(true) : json(nullptr)};
        trim(dot);
        made["points"].push_back(std::move(dot));
    }
    if (series.fit)
        made["fit"] = {{"intercept", rounded_json(series.fit->intercept)},
                       {"slope", rounded_json(series.fit->slope)}};
    return made;
}

std::vector<std::string> categories_of(const report_plot& plot) {
    std::vector<std::string> all;
    if (plot.y.scale != axis_scale::category) return all;
    for (const auto& series : plot.series)
        for (const auto& point : series.points)
            if (std::find(all.begin(), all.end(), point.category) == all.end())
                all.push_back(point.category);
    return all;
}

json plot_json(const report_plot& plot) {
    const char* type = plot.type == plot_type::lines  ? "lines"
                       : plot.type == plot_type::dots ? "dots"
                                                      : "bars";
    json made{{"kind", "plot"},         {"id", plot.id},          {"type", type},
              {"title", plot.title},    {"x", axis_json(plot.x)}, {"y", axis_json(plot.y)},
              {"series", json::array()}};
    if (!plot.data.rows.empty()) made["table"] = table_json(plot.data);
    const auto categories = categories_of(plot);
    if (!categories.empty()) made["categories"] = categories;
    add_text(made, "note", plot.note);
    add_text(made, "reference", plot.reference);
    if (plot.grouped) made["grouped"] = true;
    if (plot.stacked) made["stacked"] = true;
    if (plot.largest_first) made["largest_first"] = true;
    if (plot.own_x) made["own_x"] = true;
    for (const auto& level : plot.levels) {
        made["levels"].push_back({{"at", level.at}, {"label", level.label}});
    }
    json facets = json::array();
    bool any_facet = false;
    for (const auto& series : plot.series) {
        made["series"].push_back(series_json(series, categories));
        facets.push_back(series.facet);
        any_facet = any_facet || !series.facet.empty();
    }
    if (any_facet) made["facets"] = std::move(facets);
    return made;
}

json block_json(const report_table& table) {
    return table_json(table);
}
json block_json(const report_plot& plot) {
    return plot_json(plot);
}

json block_json(const report_code& code) {
    return {{"kind", "code"}, {"id", code.id}, {"caption", code.caption}, {"text", code.text}};
}

json block_json(const report_rings& rings) {
    json made{{"kind", "rings"},      {"id", rings.id},       {"title", rings.title},
              {"nodes", rings.nodes}, {"rings", rings.names}, {"edges", json::array()}};
    add_text(made, "note", rings.note);
    for (const auto& each : rings.edges) {
        json edge{{"from", each.from},   {"to", each.to},     {"ring", each.ring},
                  {"label", each.label}, {"text", each.text}, {"amount", each.amount}};
        if (each.weaken) edge["weaken"] = true;
        made["edges"].push_back(std::move(edge));
    }
    return made;
}

json section_json(const report_section& section) {
    json made{{"id", section.id},
              {"title", section.title},
              {"finding", section.finding},
              {"notes", section.notes},
              {"blocks", json::array()}};
    for (const auto& block : section.blocks) {
        std::visit([&](const auto& held) { made["blocks"].push_back(block_json(held)); }, block);
    }
    return made;
}

json lab_json(const lab_description& lab) {
    json made{{"name", lab.name},
              {"compiler", lab.compiler},
              {"flags", lab.flags},
              {"standard_library", lab.standard_library}};
    return made;
}

}  // namespace

json to_json(const report_model& model) {
    json made{
        {"title", model.title},     {"subtitle", model.subtitle},   {"created", model.created},
        {"summary", json::array()}, {"environment", json::array()}, {"warnings", json::array()},
        {"labs", json::array()},    {"subjects", json::array()},    {"sections", json::array()}};
    add_text(made, "made_by", model.made_by);
    for (const auto& line : model.summary) {
        json shown{{"label", line.label}, {"value", line.value}, {"note", line.note}};
        add_text(shown, "interval", line.interval);
        if (line.unfavourable) shown["unfavourable"] = true;
        made["summary"].push_back(std::move(shown));
    }
    for (const auto& known : model.environment) {
        made["environment"].push_back({{"name", known.name}, {"value", known.value}});
    }
    for (const auto& told : model.warnings) {
        made["warnings"].push_back({{"problem", told.problem}, {"remedy", told.remedy}});
    }
    for (const auto& lab : model.labs) made["labs"].push_back(lab_json(lab));
    for (const auto& each : model.subjects) {
        made["subjects"].push_back(
            {{"head", each.head}, {"family", each.family}, {"central", each.central}});
    }
    for (const auto& each : model.left_out)
        made["left_out"].push_back({{"problem", each.problem}, {"remedy", each.remedy}});
    for (const auto& section : model.sections) made["sections"].push_back(section_json(section));
    return made;
}

}  // namespace freehold
