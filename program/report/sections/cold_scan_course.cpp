// SPDX-License-Identifier: BSL-1.0
// How the processors are used while a GiB is scanned, and where their time goes.
#include "report/sections/cold_scan.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

/// Of the ways, those whose course tells a story: as published, as mended there, and freehold's.
const std::array<std::string, 5> shown_courses{published_scan,
                                               "libcurl, std::make_shared, constructor",
                                               one_buffer_scan, cached_scan_all_kept, cached_scan};

/// As the lab names the causes that a profile tells apart.
constexpr std::array<std::string_view, 8> causes{"page faults",
                                                 "zeroing by the kernel",
                                                 "zeroing in the program",
                                                 "copying from the kernel",
                                                 "copying in the program",
                                                 "the scan",
                                                 "receiving",
                                                 "the rest"};

/// Each part of the scan stands at its middle.
std::vector<plot_point> course_of(const cold_scan_figures& figures, const setting& where,
                                  const std::string& competitor, const std::string& test,
                                  double seconds) {
    const auto parts = figures.sizes(where, competitor, test);
    std::vector<plot_point> points;
    for (const auto& [n, used] : parts) {
        const double share = (static_cast<double>(n) - 0.5) / static_cast<double>(parts.size());
        points.push_back({.x = share * seconds, .y = used.value});
    }
    return points;
}

/// The first setting that has any of the courses.
const setting* setting_of_courses(const cold_scan_figures& figures) {
    const auto& all = figures.settings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const setting& where) {
        return std::any_of(shown_courses.begin(), shown_courses.end(), [&](const auto& name) {
            return figures.find(where, name, "cold, user over time").has_value();
        });
    });
    return found == all.end() ? nullptr : &*found;
}

/// Seconds are too many for rows: a row for each tenth of the scan, a column for each series.
report_table tenths_of(const report_plot& plot) {
    constexpr std::size_t tenths = 10;
    report_table table{.id = plot.id + "-table",
                       .caption = plot.title,
                       .note = "Means over each tenth of the scan.",
                       .row_header = "tenth"};
    for (std::size_t tenth = 0; tenth != tenths; ++tenth) {
        table.rows.push_back({std::to_string(tenth + 1), false, {}});
    }
    for (const auto& series : plot.series) {
        table.columns.push_back({series.name, series.facet, "%"});
        const auto& points = series.points;
        for (std::size_t tenth = 0; tenth != tenths; ++tenth) {
            const auto begin = tenth * points.size() / tenths;
            const auto end = (tenth + 1) * points.size() / tenths;
            double sum = 0;
            for (auto i = begin; i != end; ++i) sum += points[i].y;
            table.rows[tenth].cells.push_back(
                end == begin ? std::nullopt
                             : std::optional(figure_cell(sum / static_cast<double>(end - begin))));
        }
    }
    return table;
}

}  // namespace

std::vector<cold_scan_block> scan_course_blocks(const cold_scan_figures& figures) {
    const auto* where = setting_of_courses(figures);
    if (where == nullptr) return {};
    report_plot plot;
    plot.id = "cold-scan-course";
    plot.type = plot_type::lines;
    plot.stacked = true;
    plot.title = "Processors used while a GiB is scanned cold";
    plot.note = fmt::format(
        "With {}. 100 % is one processor, and the server uses what is left of them. Medians of "
        "each fortieth of the scan; a longer picture is a longer scan.",
        where->label);
    plot.x = {"time", "s/GiB", axis_scale::linear};
    plot.y = {"processors", "%", axis_scale::linear};
    for (const auto& name : shown_courses) {
        const auto time = figures.find(*where, name, "cold, wall");
        if (!time) continue;
        for (const std::string share : {"user", "system"}) {
            plot_series series{share, {}, {}, name};
            series.points = course_of(figures, *where, name,
                                      fmt::format("cold, {} over time", share), time->value);
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    if (plot.series.empty()) return {};
    plot.data = tenths_of(plot);
    return {std::move(plot)};
}

std::vector<cold_scan_block> scan_profile_blocks(const cold_scan_figures& figures) {
    report_plot plot;
    plot.id = "cold-scan-profile";
    plot.type = plot_type::bars;
    plot.stacked = true;
    plot.title = "Where the processor time of a cold scan goes";
    plot.note =
        "By perf, in a run of its own: what each sample was doing, times the processor time "
        "of the run. Page faults without the kernel's zeroing, and giving memory back; "
        "copying in the program is libcurl's buffer to the line; receiving is the kernel's "
        "part without its copy.";
    plot.x = {"processor time", "s/GiB", axis_scale::linear};
    plot.y = {"lines by", "", axis_scale::category};
    plot.reference = "floor";
    for (const auto& where : figures.settings()) {
        for (const auto cause : causes) {
            plot_series series{std::string(cause), {}, {}, where.label};
            for (const auto& who : figures.contenders()) {
                const auto time = figures.find(where, who.name, fmt::format("profile, {}", cause));
                if (time) series.points.push_back({.x = time->value, .category = who.head});
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    if (plot.series.empty()) return {};
    plot.data = data_of(plot);
    return {std::move(plot)};
}

std::vector<cold_scan_block> warm_get_blocks(const cold_scan_figures& figures) {
    contender_table table(
        {.id = "cold-scan-warm-get",
         .caption = "A line had from a warm cache and released, by threads with lines of their own",
         .note = "Time of each get on each thread. Floor: the arc alone, copied and released.",
         .row_header = "cache"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        std::vector<std::int64_t> sizes;
        for (const auto& who : figures.contenders()) {
            for (const auto& [threads, time] : figures.sizes(where, who.name, "warm get")) {
                if (std::find(sizes.begin(), sizes.end(), threads) == sizes.end()) {
                    sizes.push_back(threads);
                }
            }
        }
        std::sort(sizes.begin(), sizes.end());
        for (const auto threads : sizes) {
            const auto label = fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
            table.add_column({label, where.label, "ns"},
                             [&](const contender& who) -> std::optional<table_cell> {
                                 const auto times = figures.sizes(where, who.name, "warm get");
                                 const auto found = times.find(threads);
                                 if (found == times.end()) return std::nullopt;
                                 return estimate_cell(found->second);
                             });
        }
    }
    auto finished = table.finished();
    if (finished.rows.empty()) return {};
    for (auto& row : finished.rows) row.reference = row.head == "floor";
    return {std::move(finished)};
}

}  // namespace freehold
