// SPDX-License-Identifier: BSL-1.0
// What a GiB costs, cold and warm: as bars of user and system time, and in full.
#include "report/sections/cold_scan.hpp"
#include "report/sections/competitors.hpp"
#include "report/sections/tables.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

struct cost_column {
    const char* test;
    const char* label;
    const char* unit;
    bool lowest = false;  // whether the lowest is worth marking
};
constexpr std::array<cost_column, 8> cost_columns{{{"cold, wall", "cold", "s/GiB", true},
                                                   {"cold, processor", "CPU", "s/GiB", true},
                                                   {"cold, user", "user", "s/GiB"},
                                                   {"cold, system", "system", "s/GiB"},
                                                   {"cold, faults", "faults", "/GiB"},
                                                   {"cold, memory", "memory", "MiB"},
                                                   {"warm, wall", "warm", "s/GiB", true},
                                                   {"warm, processor", "warm CPU", "s/GiB"}}};

constexpr double mebibyte = 1 << 20;

estimate in_mebibytes(const estimate& bytes) {
    return {bytes.value / mebibyte, {bytes.bounds.low / mebibyte, bytes.bounds.high / mebibyte}};
}

report_plot processor_plot(const cold_scan_figures& figures) {
    report_plot plot;
    plot.id = "cold-scan-processor";
    plot.type = plot_type::bars;
    plot.stacked = true;
    plot.title = "Processor time to scan a GiB cold";
    plot.note =
        "Of the program that scans, without the server's. The system finds the shares of "
        "user and system out by sampling.";
    plot.x = {"processor time", "s/GiB", axis_scale::linear};
    plot.y = {"lines by", "", axis_scale::category};
    plot.reference = "floor";
    for (const auto& where : figures.settings()) {
        for (const std::string share : {"user", "system"}) {
            plot_series series{share, {}, {}, where.label};
            for (const auto& who : figures.contenders()) {
                const auto time = figures.find(where, who.name, "cold, " + share);
                if (time) series.points.push_back({.x = time->value, .category = who.head});
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    plot.data = data_of(plot);
    return plot;
}

}  // namespace

std::vector<cold_scan_block> scan_cost_blocks(const cold_scan_figures& figures) {
    if (!figures.has("cold, wall")) return {};
    contender_table table(
        {.id = "cold-scan-costs",
         .caption = "What a GiB costs, cold and then warm",
         .note = "Medians; the interval is in the tooltip. Cold and warm are by the wall clock. "
                 "Faults that are huge count as one. Memory is the most that the process had more "
                 "than before it made its lines, looked at every 4 ms: lines, "
                 "connections and threads. Warm: the same scan again, "
                 "where every line was kept.",
         .row_header = "lines by"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto& column : cost_columns) {
            const std::string unit = column.unit;
            table.add_column(
                {column.label, where.label, unit},
                [&](const contender& who) -> std::optional<table_cell> {
                    auto figure = figures.find(where, who.name, column.test);
                    if (!figure) return std::nullopt;
                    return estimate_cell(unit == "MiB" ? in_mebibytes(*figure) : *figure);
                });
            if (column.lowest) {
                table.mark_lowest(
                    [](const contender& who) { return family_of(who.name) != family::floor; });
            }
        }
    }
    auto finished = table.finished();
    for (auto& row : finished.rows) row.reference = family_of(row.head) == family::floor;
    return {processor_plot(figures), std::move(finished)};
}

}  // namespace freehold
