// SPDX-License-Identifier: BSL-1.0
// The fronts as a plot with all figures of every setting, and as a table at about the same idle
// bytes.
#include "report/sections/buffers.hpp"
#include "report/sections/competitors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr double wasteful_below = 75;  // % used

void add_columns(report_table& table, const std::string& group) {
    for (const auto& [label, unit] :
         {std::pair("idle", "KiB"), std::pair("unused", "KiB"), std::pair("hits", "%"),
          std::pair("used", "%"), std::pair("calls", "/1000"), std::pair("time saved", "%")}) {
        table.columns.push_back({label, group, unit});
    }
}

void add_cells(table_row& row, const front_point* point) {
    if (point == nullptr) {
        row.cells.resize(row.cells.size() + 6);
        return;
    }
    row.cells.emplace_back(figure_cell(point->idle / kibibyte));
    row.cells.push_back(point->knows_unused ? std::optional(figure_cell(point->unused / kibibyte))
                                            : std::nullopt);
    for (const double value : {point->hit_rate, point->used, point->calls}) {
        row.cells.emplace_back(figure_cell(value));
    }
    row.cells.push_back(point->is_priced ? std::optional(figure_cell(point->saved)) : std::nullopt);
}

/// A row for each setting of each policy, whichever workloads it was played in.
report_table all_settings(const std::vector<workload_fronts>& fronts, const report_plot& plot) {
    report_table table{.id = plot.id + "-data",
                       .caption = plot.title,
                       .note =
                           "Unused: idle, or handed out beyond what was asked for. Calls: "
                           "those that reached the allocator.",
                       .row_header = "policy: setting"};
    const auto row_of = [&](const std::string& head) -> table_row& {
        const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                        [&](const table_row& row) { return row.head == head; });
        if (found != table.rows.end()) return *found;
        return table.rows.emplace_back(table_row{head, false, {}});
    };
    for (const auto& each : fronts) {
        const auto filled = table.columns.size();
        add_columns(table, each.label);
        for (const auto& front : each.policies) {
            for (const auto& point : front.points) {
                const auto head = point.setting.empty()
                                      ? front.who.head
                                      : fmt::format("{}: {}", front.who.head, point.setting);
                auto& row = row_of(head);
                row.cells.resize(filled);
                add_cells(row, &point);
            }
        }
    }
    for (auto& row : table.rows) row.cells.resize(table.columns.size());
    return table;
}

report_plot front_plot(const std::vector<workload_fronts>& fronts) {
    report_plot plot;
    plot.id = "buffers-fronts";
    plot.type = plot_type::lines;
    plot.title = "Requests served from the cache, by the bytes that it keeps idle for them";
    plot.note =
        "One point for each setting of a policy; idle bytes are the mean over the workload. The "
        "upper left is best: more hits for fewer idle bytes. Hollow: less than three quarters of "
        "the bytes that it handed out were asked for. The optimum knows every request beforehand; "
        "who hands out larger buffers than it does can hit more. The axis of hits has more room "
        "the nearer it comes to 100 %.";
    plot.x = {"idle", "KiB", axis_scale::logarithmic};
    plot.y = {"hits", "%", axis_scale::nines};
    plot.own_x = true;
    for (const auto& each : fronts) {
        for (const auto& front : each.policies) {
            plot_series series{front.who.head, {}, {}, each.label};
            for (const auto& point : front.points) {
                series.points.push_back({.x = point.idle / kibibyte,
                                         .y = point.hit_rate,
                                         .note = fmt::format("{}{}used {} %", point.setting,
                                                             point.setting.empty() ? "" : "; ",
                                                             figure_text(point.used)),
                                         .aside = point.used < wasteful_below});
            }
            plot.series.push_back(std::move(series));
        }
    }
    plot.data = all_settings(fronts, plot);
    return plot;
}

/// Freehold's setting that the others are held against: the middle one.
const front_point* reference_in(const workload_fronts& fronts) {
    const auto* own = fronts.find(own_policy);
    return own == nullptr ? nullptr : &own->points[own->points.size() / 2];
}

/// The setting whose idle bytes are nearest, as a ratio.
const front_point* nearest(const policy_front& front, double idle) {
    const auto distance = [idle](const front_point& point) {
        return std::abs(std::log((point.idle + 1) / (idle + 1)));
    };
    return &*std::min_element(
        front.points.begin(), front.points.end(),
        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

report_table same_idle_table(const std::vector<workload_fronts>& fronts) {
    report_table table{
        .id = "buffers-policies",
        .caption = "What each policy does with about the same idle bytes",
        .note =
            "Of each policy the setting whose mean idle bytes are nearest to those of "
            "greedy_dual_fit's middle one. Unused: those, and what was handed out beyond what was "
            "asked for. Hits: of the requests. Used: bytes asked for of those "
            "handed out, over time. Calls: requests that reached the allocator. Time saved: of "
            "what the allocator would take without a cache, by its prices below.",
        .row_header = "policy"};
    std::vector<const workload_fronts*> shown;
    for (const auto& each : fronts) {
        if (reference_in(each) == nullptr) continue;
        shown.push_back(&each);
        add_columns(table, each.label);
    }
    std::vector<contender> policies;
    for (const auto* each : shown) {
        for (const auto& front : each->policies) {
            const auto same = [&](const contender& who) { return who.name == front.who.name; };
            if (std::none_of(policies.begin(), policies.end(), same)) policies.push_back(front.who);
        }
    }
    std::stable_sort(policies.begin(), policies.end(), [](const contender& a, const contender& b) {
        return order_of(a.name) < order_of(b.name);
    });
    for (const auto& who : policies) {
        table_row row{who.head, family_of(who.name) == family::floor, {}};
        for (const auto* each : shown) {
            const auto* front = each->find(who.name);
            add_cells(row, front == nullptr ? nullptr : nearest(*front, reference_in(*each)->idle));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

buffers_blocks front_blocks(const std::vector<workload_fronts>& fronts) {
    if (fronts.empty()) return {};
    buffers_blocks blocks{front_plot(fronts)};
    auto table = same_idle_table(fronts);
    if (!table.rows.empty()) blocks.emplace_back(std::move(table));
    return blocks;
}

}  // namespace freehold
