// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_page.hpp"

#include "report/amounts.hpp"
#include "report/sections/figures.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::size_t most_drawn = 10;  // rings in the picture, and series in the plot

std::optional<table_cell> counted_cell(std::uint64_t number) {
    if (number == 0) return std::nullopt;
    return exact_cell(static_cast<double>(number));
}

std::optional<table_cell> bytes_cell(std::uint64_t bytes) {
    return table_cell{bytes_text(bytes), static_cast<double>(bytes), {}, {}, {}};
}

std::string place_of(const held_by& step) {
    return step.line == 0 || step.file.empty()
               ? ""
               : fmt::format("{}:{}", std::filesystem::path(step.file).filename().string(),
                             step.line);
}

/// The types of the largest rings, and how these lead from one to the other.
report_rings picture_of(const owners_report& report) {
    report_rings result;
    result.id = "rings-picture";
    result.title = "Types whose objects keep one another alive";
    result.note =
        "An arrow leads from the type that owns to the type that is owned. It is the wider the "
        "more "
        "memory the ring keeps. A dashed arrow is the one to make weak.";
    const auto node_of = [&result](const std::string& type) {
        const auto found = std::find(result.nodes.begin(), result.nodes.end(), type);
        if (found == result.nodes.end()) result.nodes.push_back(type);
        return static_cast<std::size_t>(std::find(result.nodes.begin(), result.nodes.end(), type) -
                                        result.nodes.begin());
    };
    for (std::size_t i = 0; i != std::min(most_drawn, report.rings.size()); ++i) {
        const owner_ring& ring = report.rings[i];
        result.names.push_back(fmt::format("{}. {} × {}, {}", i + 1, count_text(ring.instances),
                                           text_of(ring), bytes_text(ring.retained)));
        for (std::size_t k = 0; k != ring.path.size(); ++k) {
            const held_by& step = ring.path[k];
            const std::size_t from = node_of(step.type);
            const std::size_t to = node_of(ring.path[(k + 1) % ring.path.size()].type);
            result.edges.push_back(
                {from, to, i, step.member, fmt::format("{} {}", text_of(step), place_of(step)),
                 static_cast<double>(ring.retained), ring.weaken && ring.weaken->step == k});
        }
    }
    return result;
}

/// The way around a ring, and what to do about it.
std::string lines_of(const owner_ring& ring) {
    std::string result;
    for (const held_by& step : ring.path) {
        const std::string place = place_of(step);
        result += fmt::format("{}{}{}\n", result.empty() ? "" : "-> ", text_of(step),
                              place.empty() ? "" : fmt::format("  ({})", place));
    }
    result += fmt::format("-> {}\n", ring.path.front().type);
    if (ring.weaken)
        result += fmt::format("Make {} weak: {}.\n", text_of(ring.path[ring.weaken->step]),
                              ring.weaken->why);
    return result;
}

/// How the objects of a type are held: the shortest way to one of them, or the largest ring of
/// which one is a part.
std::string lines_of(const owned_type& type, const std::vector<owner_ring>& rings) {
    std::string result;
    for (const std::string& each : type.path)
        result += fmt::format("{}{}\n", result.empty() ? "" : "-> ", each);
    if (type.reachable == type.alive) return result;
    for (const owner_ring& ring : rings)
        if (std::any_of(ring.path.begin(), ring.path.end(),
                        [&type](const held_by& step) { return step.type == type.type; }))
            return result + lines_of(ring);
    return result + "Only objects that are leaked or lost hold those that leaked.\n";
}

report_section rings_section(const owners_report& report) {
    report_section section;
    section.id = "rings";
    section.title = "Objects that keep one another alive";
    if (report.rings.empty()) {
        section.finding = "No objects were found that are kept alive only by one another.";
        return section;
    }
    std::uint64_t instances = 0;
    std::uint64_t retained = 0;
    for (const owner_ring& each : report.rings) {
        instances += each.instances;
        retained += each.retained;
    }
    section.finding = fmt::format("{} of {} keep {}.", number_of(instances, "ring"),
                                  number_of(report.rings.size(), "shape"), bytes_text(retained));
    section.blocks.emplace_back(picture_of(report));
    report_table table;
    table.id = "rings-table";
    table.caption =
        "Rings by shape, which open the way around; kept: with what only they keep alive";
    table.row_header = "ring";
    table.columns = {
        {"rings", "", ""}, {"bytes", "", ""}, {"kept", "", ""}, {"make weak", "", "", true}};
    for (std::size_t i = 0; i != std::min(most_rows_of_page, report.rings.size()); ++i) {
        const owner_ring& ring = report.rings[i];
        std::optional<table_cell> advice;
        if (ring.weaken)
            advice = table_cell{fmt::format("{}: {}", ring.weaken->is_sure ? "surely" : "probably",
                                            text_of(ring.path[ring.weaken->step])),
                                {},
                                {},
                                {},
                                {}};
        table.rows.push_back({fmt::format("{}. {}", i + 1, text_of(ring)),
                              false,
                              {counted_cell(ring.instances), bytes_cell(ring.bytes),
                               bytes_cell(ring.retained), advice},
                              lines_of(ring)});
    }
    section.blocks.emplace_back(std::move(table));
    return section;
}

report_section types_section(const owners_report& report) {
    report_section section;
    section.id = "types";
    section.title = "Objects by type";
    report_table table;
    table.id = "types-table";
    table.caption =
        "All types, those with most leaked bytes first; a type opens the way to one of its "
        "objects";
    table.row_header = "type";
    table.columns = {{"alive", "", ""}, {"bytes", "", ""},     {"owners", "", ""},
                     {"weak", "", ""},  {"reachable", "", ""}, {"leaked", "", ""},
                     {"lost", "", ""}};
    for (std::size_t i = 0; i != std::min(most_rows_of_page, report.types.size()); ++i) {
        const owned_type& each = report.types[i];
        table.rows.push_back(
            {each.type,
             false,
             {counted_cell(each.alive), bytes_cell(each.bytes), counted_cell(each.owners),
              counted_cell(each.weak), counted_cell(each.reachable), counted_cell(each.leaked),
              counted_cell(each.lost)},
             lines_of(each, report.rings)});
    }
    section.finding =
        fmt::format("{} are owned by shared handles.", number_of(report.types.size(), "type"));
    section.blocks.emplace_back(std::move(table));
    if (report.types.size() > most_rows_of_page)
        section.notes.push_back(fmt::format("{} more types are in the file of `--json`.",
                                            report.types.size() - most_rows_of_page));
    return section;
}

report_section growth_section(const owners_report& report) {
    report_section section;
    section.id = "growth";
    section.title = "Growth";
    const std::vector<type_growth> growth = growth_in(report.looks);
    const auto rising = static_cast<std::size_t>(std::count_if(
        growth.begin(), growth.end(), [](const type_growth& each) { return each.only_rises(); }));
    section.finding = fmt::format("The number of {} only rises.", number_of(rising, "type"));
    report_plot plot;
    plot.id = "growth-plot";
    plot.type = plot_type::lines;
    plot.title = "Objects alive at each look";
    plot.x = {"time", "s", axis_scale::linear};
    plot.y = {"objects alive", "", axis_scale::linear};
    for (std::size_t i = 0; i != std::min(most_drawn, growth.size()); ++i) {
        plot_series series;
        series.name = growth[i].type;
        for (std::size_t k = 0; k != report.looks.size(); ++k)
            series.points.push_back(
                {report.looks[k].seconds, static_cast<double>(growth[i].alive[k])});
        plot.series.push_back(std::move(series));
    }
    if (!plot.series.empty()) section.blocks.emplace_back(std::move(plot));
    return section;
}

report_section who_section(const object_holders& who) {
    report_section section;
    section.id = "who";
    section.title = "Holders";
    section.finding = fmt::format("{} have these holders.", number_of(who.objects, "object"));
    report_table table;
    table.id = "who-table";
    table.caption = "Who holds the objects";
    table.row_header = "holder";
    table.columns = {{"owners", "", ""}, {"weak", "", ""}};
    for (std::size_t i = 0; i != std::min(most_rows_of_page, who.holders.size()); ++i)
        table.rows.push_back(
            {who.holders[i].what,
             false,
             {counted_cell(who.holders[i].owners), counted_cell(who.holders[i].weak)}});
    section.blocks.emplace_back(std::move(table));
    std::string path;
    for (const std::string& each : who.path) path += (path.empty() ? "" : "-> ") + each + "\n";
    if (!path.empty())
        section.blocks.emplace_back(
            report_code{"who-path", "The shortest way to one of them", path});
    return section;
}

}  // namespace

report_model owners_page(const owners_report& report, const std::string& created) {
    report_model model;
    model.title = fmt::format("Who keeps what alive in {}", report.program);
    model.subtitle = report.is_at_end ? "looked at after main and static destructors"
                                      : "looked at while it ran, or in a core";
    model.created = created;
    model.made_by = "freehold owners";
    const owned_type total = total_of(report);
    model.summary = {
        {"objects are owned", count_text(total.alive), "by shared handles"},
        {"leaked", count_text(total.leaked),
         "all of their owners are in objects that are leaked or lost"},
        {"lost", count_text(total.lost), "their counts have more owners than there are handles"}};
    model.environment = {{"program", report.program}, {"memory", bytes_text(report.memory_bytes)}};
    if (report.stopped_seconds > 0)
        model.environment.push_back({"stopped", time_text(report.stopped_seconds * 1e9)});
    model.sections.push_back(rings_section(report));
    if (!report.looks.empty()) model.sections.push_back(growth_section(report));
    if (report.who) model.sections.push_back(who_section(*report.who));
    model.sections.push_back(types_section(report));
    if (!report.incomplete.empty()) {
        report_section section;
        section.id = "incomplete";
        section.title = "What could not be seen";
        section.notes = report.incomplete;
        model.sections.push_back(std::move(section));
    }
    return model;
}

}  // namespace freehold
