// SPDX-License-Identifier: BSL-1.0
// The model as JSON, member for member what program/report/README.md says. A number that JSON
// cannot write (no value, no bound) is left out.
#include "report/model.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace freehold {

namespace {

using nlohmann::json;

void add_number(json& to, const char* name, const std::optional<double>& number) {
    if (number && std::isfinite(*number)) to[name] = *number;
}

void add_text(json& to, const char* name, const std::string& text) {
    if (!text.empty()) to[name] = text;
}

json cell_json(const std::optional<table_cell>& cell) {
    if (!cell) return nullptr;
    json made{{"text", cell->text}};
    add_number(made, "value", cell->value);
    add_number(made, "low", cell->low);
    add_number(made, "high", cell->high);
    add_text(made, "mark", cell->mark);
    return made;
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
        made["columns"].push_back(std::move(head));
    }
    for (const auto& row : table.rows) {
        json line{{"head", row.head}, {"cells", json::array()}};
        if (row.reference) line["reference"] = true;
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

json series_json(const plot_series& series, bool by_category) {
    json made{{"name", series.name}, {"points", json::array()}};
    for (const auto& point : series.points) {
        json dot{{"x", point.x}};
        dot["y"] = by_category ? json(point.category) : json(point.y);
        add_number(dot, "low", point.low);
        add_number(dot, "high", point.high);
        add_text(dot, "note", point.note);
        if (point.aside) dot["aside"] = true;
        made["points"].push_back(std::move(dot));
    }
    if (series.fit) {
        made["fit"] = {{"intercept", series.fit->intercept}, {"slope", series.fit->slope}};
    }
    return made;
}

json plot_json(const report_plot& plot) {
    const char* type = plot.type == plot_type::lines  ? "lines"
                       : plot.type == plot_type::dots ? "dots"
                                                      : "bars";
    json made{{"kind", "plot"},
              {"id", plot.id},
              {"type", type},
              {"title", plot.title},
              {"x", axis_json(plot.x)},
              {"y", axis_json(plot.y)},
              {"series", json::array()},
              {"table", table_json(plot.data)}};
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
    const bool by_category = plot.y.scale == axis_scale::category;
    for (const auto& series : plot.series) {
        made["series"].push_back(series_json(series, by_category));
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
              {"standard_library", lab.standard_library},
              {"peers", json::array()}};
    for (const auto& other : lab.peers) {
        made["peers"].push_back({{"name", other.name}, {"version", other.version}});
    }
    return made;
}

}  // namespace

json to_json(const report_model& model) {
    json made{
        {"title", model.title},     {"subtitle", model.subtitle},   {"created", model.created},
        {"summary", json::array()}, {"environment", json::array()}, {"warnings", json::array()},
        {"labs", json::array()},    {"competitors", json::array()}, {"sections", json::array()}};
    add_text(made, "made_by", model.made_by);
    for (const auto& line : model.summary) {
        made["summary"].push_back(
            {{"label", line.label}, {"value", line.value}, {"note", line.note}});
    }
    for (const auto& known : model.environment) {
        made["environment"].push_back({{"name", known.name}, {"value", known.value}});
    }
    for (const auto& told : model.warnings) {
        made["warnings"].push_back({{"problem", told.problem}, {"remedy", told.remedy}});
    }
    for (const auto& lab : model.labs) made["labs"].push_back(lab_json(lab));
    for (const auto& each : model.competitors) {
        made["competitors"].push_back(
            {{"head", each.head}, {"family", each.family}, {"central", each.central}});
    }
    for (const auto& section : model.sections) made["sections"].push_back(section_json(section));
    return made;
}

}  // namespace freehold
