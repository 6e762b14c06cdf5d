// SPDX-License-Identifier: BSL-1.0
// The front: how much each setting saves, and how much it keeps.
#include "advise/advice_cells.hpp"
#include "advise/advice_report.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr double kibibyte = 1024;
/// The plot leaves out settings that keep fewer bytes, or the others would have no room.
constexpr double least_plotted = 64;

using figure_of_setting = double (*)(const replay_figures&);
using figure_of_optimum = double (*)(const offline_optimum::point&);

plot_series optimum_series(const std::vector<offline_optimum::point>& curve,
                           figure_of_optimum figure) {
    plot_series series{"offline optimum", {}, {}, {}};
    for (const offline_optimum::point& each : curve) {
        plot_point point;
        point.x = each.mean_idle / kibibyte;
        point.y = 100 * figure(each);
        series.points.push_back(point);
    }
    return series;
}

report_table data_of(const report_plot& plot, const std::string& figure) {
    report_table table;
    table.id = plot.id + "-data";
    table.caption = plot.title;
    table.row_header = "policy";
    table.columns = {plain_column("idle, mean"), plain_column(figure)};
    for (const plot_series& series : plot.series) {
        for (const plot_point& point : series.points) {
            const std::string head =
                point.note.empty() ? series.name : series.name + ", " + point.note;
            table.rows.push_back(
                {head, false, {bytes_cell(kibibyte * point.x), share_cell(point.y / 100)}});
        }
    }
    return table;
}

report_plot front_plot(const advice& given, const std::string& id, const std::string& title,
                       const std::string& figure, figure_of_setting of_setting,
                       plot_series optimum) {
    report_plot plot;
    plot.id = id;
    plot.type = plot_type::lines;
    plot.title = title;
    plot.note =
        "Second half of the trace. Above and to the left is better. "
        "Settings that keep almost nothing are only in the table.";
    plot.x = {"idle in the mean", "KiB", axis_scale::logarithmic};
    plot.y = {figure, "%", axis_scale::nines};
    plot.series.push_back(std::move(optimum));
    for (const setting_outcome& each : given.outcomes) {
        const std::string name = name_of(each.setting);
        const replay_figures& figures = each.result.halves[1];
        if (figures.mean_idle() < least_plotted) continue;
        auto same = std::find_if(plot.series.begin(), plot.series.end(),
                                 [&](const plot_series& one) { return one.name == name; });
        if (same == plot.series.end()) {
            same = plot.series.insert(same, plot_series{name, {}, {}, {}});
        }
        plot_point point;
        point.x = figures.mean_idle() / kibibyte;
        point.y = 100 * of_setting(figures);
        point.note = each.setting.words;
        same->points.push_back(point);
    }
    for (plot_series& series : plot.series) {
        std::stable_sort(series.points.begin(), series.points.end(),
                         [](const plot_point& a, const plot_point& b) { return a.x < b.x; });
    }
    plot.data = data_of(plot, figure);
    return plot;
}

report_table settings_table(const advice& given) {
    report_table table;
    table.id = "settings";
    table.caption = "All settings on the second half of the trace";
    table.row_header = "policy";
    table.columns = figure_columns();
    for (std::size_t i = 0; i != given.outcomes.size(); ++i) {
        const setting_outcome& each = given.outcomes[i];
        table.rows.push_back({each.setting.policy + ", " + each.setting.words, i == given.chosen,
                              figure_cells(each.result.halves[1])});
    }
    table.note =
        "Used: the requested bytes, as a share of the bytes handed out. "
        "Calls: calls of the allocator, to allocate or to free a buffer.";
    return table;
}

std::string finding_of(const advice& given) {
    const replay_figures& chosen = given.choice().result.halves[1];
    const std::string here = fmt::format(
        "With {} idle, {} saves {} of the allocator's time, and the offline optimum {}",
        bytes_text(chosen.mean_idle()), given.choice().setting.policy,
        share_text(chosen.time_saved()), share_text(given.optimum_as_chosen.time_saved));
    if (given.better_reimplemented) {
        return fmt::format("{}; {} is better.", here,
                           given.outcomes[*given.better_reimplemented].setting.policy);
    }
    return here + "; no competitor saves as much and keeps no more.";
}

}  // namespace

report_section front_section(const advice& given) {
    report_section section;
    section.id = "front";
    section.title = "Time saved by each setting, and its idle bytes";
    section.finding = finding_of(given);
    section.blocks.emplace_back(front_plot(
        given, "front-time", "Allocator's time saved over idle bytes", "time saved",
        [](const replay_figures& of) { return of.time_saved(); },
        optimum_series(given.most_time,
                       [](const offline_optimum::point& of) { return of.time_saved; })));
    section.blocks.emplace_back(front_plot(
        given, "front-hits", "Requests served from the cache over idle bytes", "hit rate",
        [](const replay_figures& of) { return of.hit_rate(); },
        optimum_series(given.most_hits,
                       [](const offline_optimum::point& of) { return of.hit_rate; })));
    section.blocks.emplace_back(settings_table(given));
    return section;
}

}  // namespace freehold
