// SPDX-License-Identifier: BSL-1.0
#include "report/sections/published.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

const std::array<std::string, 5> code_operations{"ptr()", "ptr(p)", "ptr(ptr)", "op=", "~ptr()"};

std::optional<double> exact_figure(const setting& where, const contender& who,
                                   const std::string& test) {
    const auto* cell = find_measurement(where, "footprint", who, test);
    if (cell == nullptr) return std::nullopt;
    return estimate_of(*cell).value;
}

std::optional<table_cell> size_cell(const setting& where, const contender& who,
                                    const std::string& test) {
    const auto figure = exact_figure(where, who, test);
    if (!figure) return std::nullopt;
    return exact_cell(*figure);
}

table_cell code_cell(double instructions, double bytes, const std::string& note) {
    auto text = exact_text(instructions) + "/" + exact_text(bytes);
    if (!note.empty()) text += "/" + note;
    return {text, bytes, {}, {}, note};
}

std::optional<table_cell> code_size_cell(const setting& where, const contender& who,
                                         const std::string& operation) {
    const auto instructions = exact_figure(where, who, operation + " instructions");
    const auto bytes = exact_figure(where, who, operation + " bytes");
    if (!instructions || !bytes) return std::nullopt;
    const auto* cell = find_measurement(where, "footprint", who, operation + " bytes");
    const auto* other = find_measurement(where, "footprint", who, operation + " instructions");
    return code_cell(*instructions, *bytes, cell->note.value_or(other->note.value_or("")));
}

report_table sizes_table(const std::vector<setting>& settings,
                         const std::vector<contender>& contenders) {
    contender_table table(
        {.id = "footprint-sizes",
         .caption = "Size of a handle, bytes for an owned object beyond the object itself, and "
                    "machine code that one more pointee type adds",
         .note = "Beyond the object: what the strategy allocates, the allocator's rounding "
                 "included.",
         .row_header = "competitor"},
        contenders);
    for (const auto& where : settings) {
        for (const auto* test : {"handle", "beyond the object", "text per type"}) {
            table.add_column({test, where.label, "bytes"},
                             [&](const contender& who) { return size_cell(where, who, test); });
        }
    }
    for (const auto& compiler : published_compilers()) {
        table.add_column({"handle", compiler + ", 2000", "bytes"},
                         [&](const contender& who) -> std::optional<table_cell> {
                             const auto then = find_published(compiler, who.name, "handle");
                             if (!then) return std::nullopt;
                             return exact_cell(then->figure.value);
                         });
    }
    return table.finished();
}

report_table code_table(const std::vector<setting>& settings,
                        const std::vector<contender>& contenders) {
    contender_table table(
        {.id = "footprint-code",
         .caption = "Machine code of each operation: N instructions / M bytes / I or O",
         .note = "I: inlined whole. O: calls out of line. V: inlined up to a virtual call. " +
                 published_source(),
         .row_header = "competitor"},
        contenders);
    for (const auto& where : settings) {
        for (const auto& operation : code_operations) {
            table.add_column({operation, where.label, ""}, [&](const contender& who) {
                return code_size_cell(where, who, operation);
            });
        }
    }
    const bool measured = !table.finished().rows.empty();
    for (const auto& compiler : published_compilers()) {
        if (!measured) break;
        for (const auto& operation : code_operations) {
            table.add_column(
                {operation, compiler + ", 2000", ""},
                [&](const contender& who) -> std::optional<table_cell> {
                    const auto count =
                        find_published(compiler, who.name, operation + " instructions");
                    const auto bytes = find_published(compiler, who.name, operation + " bytes");
                    if (!count || !bytes) return std::nullopt;
                    return code_cell(count->figure.value, bytes->figure.value, bytes->note);
                });
        }
    }
    return table.finished();
}

std::optional<report_plot> beyond_plot(const std::vector<setting>& settings,
                                       const std::vector<contender>& contenders) {
    report_plot plot;
    plot.id = "footprint-plot";
    plot.type = plot_type::bars;
    plot.title = "Bytes for each owned object, beyond the object itself";
    plot.x = {"beyond the object", "bytes", axis_scale::linear};
    plot.y = {"competitor", "", axis_scale::category};
    for (const auto& where : settings) {
        plot_series series{where.label, {}, {}, {}};
        for (const auto& who : contenders) {
            if (const auto bytes = exact_figure(where, who, "beyond the object")) {
                series.points.push_back({.x = *bytes, .category = who.head});
            }
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    if (plot.series.empty()) return std::nullopt;
    plot.data = data_of(plot, exact_text);
    return plot;
}

std::string bytes_text(double bytes) {
    return bytes == 1 ? "1 byte" : exact_text(bytes) + " bytes";
}

/// Sizes are exact: what is equal is equal, and no interval is spoken of.
std::string least_text(const setting& where, const std::vector<contender>& contenders) {
    std::optional<double> least;
    std::optional<double> standard;
    std::vector<std::string> names;
    for (const auto& who : contenders) {
        const auto bytes = exact_figure(where, who, "beyond the object");
        if (!bytes || !who.shares()) continue;
        if (!least || *bytes < *least) {
            least = bytes;
            names.clear();
        }
        if (*bytes == *least) names.push_back(who.head);
        if (who.name == "std::shared_ptr") standard = bytes;
    }
    if (!least) return {};
    const auto others = names.size() - 1;
    const auto whose =
        others < 2 ? joined(names) : fmt::format("{} and {} others", names[0], others);
    auto text = fmt::format("{} ({}", whose, bytes_text(*least));
    if (standard && *standard > *least) {
        text += "; std::shared_ptr takes " + exact_text(*standard);
    }
    return text + ")";
}

/// Settings that say the same are not named.
std::string finding_of(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders) {
    std::vector<std::pair<std::string, std::vector<std::string>>> said;
    for (const auto& where : settings) {
        const auto text = least_text(where, contenders);
        if (text.empty()) continue;
        auto same = std::find_if(said.begin(), said.end(),
                                 [&](const auto& known) { return known.first == text; });
        if (same == said.end()) same = said.insert(same, {text, {}});
        same->second.push_back(where.label);
    }
    if (said.empty()) return "No handle's memory beyond its object was measured.";
    std::vector<std::string> least;
    for (const auto& [text, labels] : said) {
        least.push_back(said.size() == 1 ? text : text + " under " + joined(labels));
    }
    return "The least memory beyond a shared object itself is taken by " + joined(least) + ".";
}

}  // namespace

std::optional<report_section> footprint_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, "footprint");
    if (settings.empty()) return std::nullopt;
    const auto contenders = contenders_of(settings, "footprint");
    report_section section{"footprint", "Footprint", finding_of(settings, contenders), {}, {}};
    if (auto plot = beyond_plot(settings, contenders)) section.blocks.emplace_back(*plot);
    if (auto table = sizes_table(settings, contenders); !table.columns.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    if (auto table = code_table(settings, contenders); !table.columns.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    section.notes = measuring_notes(all, "footprint");
    return section;
}

}  // namespace freehold
