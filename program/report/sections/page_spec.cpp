// SPDX-License-Identifier: BSL-1.0
#include "report/sections/page_spec.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/ranges.h>

namespace freehold {

namespace {

/// The members of one object. A member that is never read is an error, so that a misspelt name is
/// found.
class members {
public:
    explicit members(const json_node& node) : node_(node) {}

    std::string text(const std::string& name, const std::string& otherwise = {}) {
        const auto found = ask(name);
        return found ? found->string() : otherwise;
    }
    std::string required(const std::string& name) {
        ask(name);
        return node_.member(name).string();
    }
    double number(const std::string& name, double otherwise) {
        const auto found = ask(name);
        return found ? found->number() : otherwise;
    }
    bool flag(const std::string& name) {
        const auto found = ask(name);
        return found && found->boolean();
    }
    std::vector<std::string> texts(const std::string& name) {
        std::vector<std::string> all;
        for (const auto& each : elements(name)) all.push_back(each.string());
        return all;
    }
    std::vector<json_node> elements(const std::string& name) {
        const auto found = ask(name);
        return found ? found->elements() : std::vector<json_node>{};
    }
    std::optional<json_node> ask(const std::string& name) {
        asked_.insert(name);
        return node_.find(name);
    }
    std::string one_of(const std::string& name, std::initializer_list<const char*> allowed) {
        const auto found = ask(name);
        if (!found) return *allowed.begin();
        auto value = found->string();
        if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
            found->refuse(fmt::format("\"{}\" is not one of {}", value, fmt::join(allowed, ", ")));
        return value;
    }
    void finish() const {
        for (const auto& [name, value] : node_.members())
            if (!asked_.contains(name)) value.refuse("is not a known member");
    }

private:
    json_node node_;
    std::set<std::string> asked_;
};

figure_spec figure_from(const json_node& node) {
    members in(node);
    figure_spec made;
    made.suite = in.text("suite");
    made.published = in.text("published");
    made.test_case = in.text("case");
    if (made.test_case.empty()) node.refuse("the member \"case\" is missing");
    made.label = in.text("label");
    made.group = in.text("group", made.published.empty() ? "{setting}" : "");
    made.unit = in.text("unit", "?");
    made.times = in.text("times");
    made.over = in.text("over");
    made.less = in.text("less");
    made.with = in.text("with");
    made.scale = in.number("scale", 1);
    made.rate = in.flag("rate");
    made.each = in.text("each");
    made.show = in.one_of(
        "show", {"error", "estimate", "exact", "noted", "code", "level", "percent", "note"});
    made.lowest = in.flag("lowest");
    made.deleted = in.text("deleted");
    made.process = in.text("process");
    in.finish();
    return made;
}

rows_spec rows_from(members& in) {
    rows_spec made;
    if (const auto node = in.ask("rows")) {
        members rows(*node);
        made.threaded_only = rows.flag("threaded");
        made.only = rows.texts("only");
        made.order = rows.texts("order");
        made.published = rows.text("published");
        made.published_case = rows.text("case");
        rows.finish();
    }
    return made;
}

std::vector<level_spec> levels_from(members& in) {
    std::vector<level_spec> levels;
    for (const auto& each : in.elements("levels"))
        levels.push_back({each.member("at").number(), each.member("label").string()});
    return levels;
}

table_spec table_from(const json_node& node) {
    members in(node);
    table_spec made;
    made.id = in.required("table");
    made.caption = in.required("caption");
    made.note = in.text("note");
    made.header = in.text("header", "subject");
    for (const auto& each : in.elements("columns")) made.columns.push_back(figure_from(each));
    made.rows = rows_from(in);
    made.levels = levels_from(in);
    made.reference = in.text("reference");
    made.each_setting = in.flag("each_setting");
    made.source = in.text("source");
    in.finish();
    return made;
}

plot_axis axis_from(members& in, const std::string& name, plot_axis otherwise) {
    const auto node = in.ask(name);
    if (!node) return otherwise;
    members axis(*node);
    plot_axis made;
    made.label = axis.required("label");
    made.unit = axis.text("unit");
    const auto scale = axis.one_of("scale", {"linear", "log", "nines"});
    if (scale == "log") made.scale = axis_scale::logarithmic;
    if (scale == "nines") made.scale = axis_scale::nines;
    axis.finish();
    return made;
}

plot_spec plot_from(const json_node& node) {
    members in(node);
    plot_spec made;
    auto& frame = made.frame;
    frame.id = in.required("plot");
    const auto type = in.one_of("type", {"dots", "bars", "lines"});
    frame.type = type == "lines"  ? plot_type::lines
                 : type == "bars" ? plot_type::bars
                                  : plot_type::dots;
    const bool by_category = frame.type != plot_type::lines;
    frame.title = in.required("title");
    frame.note = in.text("note");
    frame.x = axis_from(in, "x", {});
    frame.y = axis_from(in, "y", {by_category ? "subject" : "", "", axis_scale::linear});
    if (by_category) frame.y.scale = axis_scale::category;
    frame.reference = in.text("reference");
    frame.stacked = in.flag("stacked");
    frame.largest_first = in.flag("largest_first");
    frame.own_x = in.flag("own_x");
    for (const auto& [at, label] : levels_from(in)) frame.levels.push_back({at, label});
    for (const auto& each : in.elements("figures")) made.figures.push_back(figure_from(each));
    made.rows = rows_from(in);
    made.facet = in.text("facet");
    made.series = in.text("series", by_category ? "{setting}" : "{subject}");
    made.span = in.text("span");
    made.every = static_cast<std::int64_t>(in.number("every", 1));
    in.finish();
    return made;
}

block_spec block_from(const json_node& node) {
    if (node.find("table")) return table_from(node);
    if (node.find("plot")) return plot_from(node);
    if (const auto special = node.find("special")) return special_spec{special->string()};
    node.refuse("is neither \"table\" nor \"plot\" nor \"special\"");
}

reading_spec reading_from(const json_node& node) {
    members in(node);
    reading_spec made;
    made.test_case = in.text("case");
    made.opening = in.text("opening");
    made.unit = in.text("unit", "ns");
    made.baseline = in.text("baseline");
    made.nothing = in.required("nothing");
    made.exact = in.flag("exact");
    made.sentences = in.texts("sentences");
    in.finish();
    return made;
}

derived_spec derived_from(const json_node& node) {
    members in(node);
    derived_spec made{.kind = in.one_of("kind", {"fit", "shares"}),
                      .test_case = in.required("case"),
                      .at = {},
                      .bound = in.text("bound"),
                      .zeroed = in.text("zeroed")};
    for (const auto& each : in.elements("at")) made.at.push_back(each.integer());
    in.finish();
    return made;
}

void collect(std::set<std::string>& cases, const std::vector<figure_spec>& figures) {
    for (const auto& each : figures) {
        if (!each.suite.empty() || !each.published.empty()) continue;
        cases.insert(each.test_case);
        if (!each.over.empty()) cases.insert(each.over);
        if (!each.with.empty()) cases.insert(each.with);
    }
}

}  // namespace

page_spec page_from(const json_node& node) {
    members in(node);
    page_spec made;
    made.title = in.text("title");
    if (const auto reading = in.ask("reading")) made.reading = reading_from(*reading);
    made.notes = in.texts("notes");
    made.not_ranked = in.texts("not_ranked");
    for (const auto& each : in.elements("derived")) made.derived.push_back(derived_from(each));
    for (const auto& each : in.elements("blocks")) made.blocks.push_back(block_from(each));
    in.finish();
    return made;
}

std::vector<std::string> cases_of(const page_spec& page) {
    std::set<std::string> cases;
    for (const auto& block : page.blocks) {
        if (const auto* table = std::get_if<table_spec>(&block)) collect(cases, table->columns);
        if (const auto* plot = std::get_if<plot_spec>(&block)) {
            collect(cases, plot->figures);
            if (!plot->span.empty()) cases.insert(plot->span);
        }
    }
    if (!page.reading.test_case.empty()) cases.insert(page.reading.test_case);
    for (const auto& each : page.derived) cases.insert(each.test_case);
    return {cases.begin(), cases.end()};
}

}  // namespace freehold
