// SPDX-License-Identifier: BSL-1.0
// The policies of buffer caches as fronts: how often each setting of a policy hits, against the
// bytes that it keeps idle.
#include "report/sections/special_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr double kibibyte = 1024;
constexpr double wasteful_below = 75;  // % used
constexpr const char* own_policy = "greedy_dual_fit";
constexpr const char* optimum = "offline_optimum";

/// The figures of one setting of a policy, in the order of `front_figures`. Unknown figures are
/// empty.
struct front_point {
    std::string setting;  // in words
    std::array<std::optional<double>, 6> values;
};

enum figure_index : std::size_t { idle, unused, hits, used, calls, saved };

struct front_figure {
    const char* test_case;  // the case is WORKLOAD.test_case
    const char* label;
    const char* unit;
    double scale;
};
constexpr std::array<front_figure, 6> front_figures{{{"idle", "idle", "KiB", 1 / kibibyte},
                                                     {"unused", "unused", "KiB", 1 / kibibyte},
                                                     {"hit_rate", "hits", "%", 1},
                                                     {"used", "used", "%", 1},
                                                     {"allocator_calls", "calls", "/1000", 1},
                                                     {"time_saved", "time saved", "%", 1}}};

struct policy_front {
    subject_row who;
    std::vector<front_point> points;

    /// The highest `figure` for this amount of `counted`. The value between two settings is that of
    /// a cache that uses each of them for part of the time. Below the first setting, the cache is
    /// used only for part of the time. Settings with a smaller used share than `least_used`, and
    /// those with unknown figures, are ignored.
    [[nodiscard]] double at(double amount, figure_index figure, double least_used = 0,
                            figure_index counted = idle) const {
        std::vector<std::pair<double, double>> sorted;
        for (const auto& point : points) {
            const auto& all = point.values;
            if (all[counted] && all[figure] && all[used].value_or(0) >= least_used)
                sorted.emplace_back(*all[counted], *all[figure]);
        }
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        double reached_at = 0;
        double most = 0;
        for (const auto& [cost, yield] : sorted) {
            const double here = std::max(most, yield);
            if (cost > amount)
                return most + (here - most) * (amount - reached_at) / (cost - reached_at);
            reached_at = cost;
            most = here;
        }
        return most;
    }
};

struct workload_fronts {
    std::string key;
    std::string label;
    std::vector<policy_front> policies;

    [[nodiscard]] const policy_front* find(const std::string& policy) const {
        for (const auto& each : policies)
            if (each.who.key == policy) return &each;
        return nullptr;
    }
};

/// Workloads are the cases `WORKLOAD.hit_rate`, in the order of the description.
std::vector<workload_fronts> fronts_of(const page_context& context, const setting& where) {
    const auto& figures = context.figures.suite(context.suite);
    const std::string suffix = ".hit_rate";
    std::vector<workload_fronts> all;
    for (const auto& each : figures.description()->cases) {
        if (!each.key.ends_with(suffix)) continue;
        workload_fronts fronts;
        fronts.key = each.key.substr(0, each.key.size() - suffix.size());
        fronts.label = each.label.substr(0, each.label.find(':'));
        for (const auto& row : context.rows) {
            policy_front front{row, {}};
            for (const auto& [n, hit_rate] : figures.sizes(where, row, each.key)) {
                front_point point{figures.note(where, row, each.key, n), {}};
                for (std::size_t i = 0; i != front_figures.size(); ++i) {
                    const auto& [test_case, label, unit, scale] = front_figures[i];
                    const auto value =
                        figures.find(where, row, fmt::format("{}.{}", fronts.key, test_case), n);
                    if (value) point.values[i] = value->value * scale;
                }
                if (point.values[idle] && point.values[used]) front.points.push_back(point);
            }
            if (!front.points.empty()) fronts.policies.push_back(std::move(front));
        }
        if (!fronts.policies.empty()) all.push_back(std::move(fronts));
    }
    return all;
}

bool is_own(const policy_front& front) {
    return front.who.key.starts_with(own_policy);
}

/// The highest `figure` of freehold's policies, or of all other policies except the optimum.
std::optional<double> best(const workload_fronts& fronts, bool own, double amount,
                           figure_index figure, double least_used = 0,
                           figure_index counted = idle) {
    std::optional<double> most;
    for (const auto& front : fronts.policies) {
        if (is_own(front) != own || front.who.key == optimum) continue;
        most = std::max(most.value_or(0), front.at(amount, figure, least_used, counted));
    }
    return most;
}

void add_columns(report_table& table, const std::string& group) {
    for (const auto& each : front_figures) table.columns.push_back({each.label, group, each.unit});
}

void add_cells(table_row& row, const front_point* point) {
    for (std::size_t i = 0; i != front_figures.size(); ++i) {
        const bool known = point != nullptr && point->values[i].has_value();
        row.cells.push_back(known ? std::optional(figure_cell(*point->values[i])) : std::nullopt);
    }
}

report_plot front_plot(const std::vector<workload_fronts>& all) {
    report_plot plot;
    plot.id = "buffers-fronts";
    plot.type = plot_type::lines;
    plot.title = "Share of requests that the cache serves, by its idle bytes";
    plot.note =
        "Each point is one setting of a policy. Idle bytes are the mean over the workload. The "
        "upper left is best: more hits with fewer idle bytes. A point is hollow if callers "
        "requested less than three quarters of the bytes handed out. The optimum knows every "
        "request in advance; a policy that hands out larger buffers can have more hits. The axis "
        "of hits is stretched towards 100 %.";
    plot.x = {"idle", "KiB", axis_scale::logarithmic};
    plot.y = {"hits", "%", axis_scale::nines};
    plot.own_x = true;
    for (const auto& each : all) {
        for (const auto& front : each.policies) {
            plot_series series{front.who.head, {}, {}, each.label};
            for (const auto& point : front.points) {
                const double share = *point.values[used];
                series.points.push_back(
                    {.x = *point.values[idle],
                     .y = point.values[hits].value_or(0),
                     .note = fmt::format("{}{}used {} %", point.setting,
                                         point.setting.empty() ? "" : "; ", figure_text(share)),
                     .aside = share < wasteful_below});
            }
            plot.series.push_back(std::move(series));
        }
    }
    return plot;
}

/// The setting with the nearest number of idle bytes, by ratio.
const front_point* nearest(const policy_front& front, double amount) {
    const auto distance = [amount](const front_point& point) {
        return std::abs(std::log((*point.values[idle] + 1 / kibibyte) / (amount + 1 / kibibyte)));
    };
    return &*std::min_element(
        front.points.begin(), front.points.end(),
        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

/// Every policy beside the middle setting of freehold's own policy.
report_table same_idle_table(const std::vector<workload_fronts>& all, const page_context& context) {
    report_table table{.id = "buffers-policies",
                       .caption = "The policies with about the same idle bytes",
                       .note =
                           "For each policy, the setting with mean idle bytes nearest to "
                           "those of greedy_dual_fit's middle setting. Unused: idle bytes, "
                           "and bytes handed out beyond the requested ones. Hits: share of the "
                           "requests that the cache serves. Used: requested bytes as a share of "
                           "those handed out, over time. Calls: calls of the allocator. Time "
                           "saved: share of the allocator's time without a cache, by its "
                           "prices below.",
                       .row_header = "policy"};
    for (const auto& row : context.rows)
        table.rows.push_back({row.head, row.family == "lower_bound", {}});
    for (const auto& each : all) {
        const auto* own = each.find(own_policy);
        if (own == nullptr) continue;
        const double amount = *own->points[own->points.size() / 2].values[idle];
        add_columns(table, each.label);
        for (std::size_t i = 0; i != context.rows.size(); ++i) {
            const auto* front = each.find(context.rows[i].key);
            add_cells(table.rows[i], front == nullptr ? nullptr : nearest(*front, amount));
        }
    }
    remove_empty(table);
    return table;
}

/// Every setting of every policy: the settings that the plot shows, with all their figures.
report_table all_settings_table(const std::vector<workload_fronts>& all) {
    report_table table{.id = "buffers-fronts-data",
                       .caption = "Every setting of every policy",
                       .note =
                           "Unused: idle bytes, and bytes handed out beyond the requested ones. "
                           "Calls: calls of the allocator.",
                       .row_header = "policy: setting"};
    for (const auto& each : all) {
        const auto filled = table.columns.size();
        add_columns(table, each.label);
        for (const auto& front : each.policies) {
            for (const auto& point : front.points) {
                const auto head =
                    point.setting.empty() ? front.who.head : front.who.head + ": " + point.setting;
                auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                        [&](const table_row& known) { return known.head == head; });
                if (row == table.rows.end()) row = table.rows.insert(row, {head, false, {}});
                row->cells.resize(filled);
                add_cells(*row, &point);
            }
        }
    }
    for (auto& row : table.rows) row.cells.resize(table.columns.size());
    return table;
}

}  // namespace

special_result buffers_fronts(const page_context& context) {
    special_result result;
    // The figures of policies do not depend on the compiler, so one setting is enough.
    for (const auto& where : context.settings) {
        const auto all = fronts_of(context, where);
        if (all.empty()) continue;
        auto plot = front_plot(all);
        plot.data = all_settings_table(all);
        result.blocks.emplace_back(std::move(plot));
        if (auto table = same_idle_table(all, context); !table.rows.empty())
            result.blocks.emplace_back(std::move(table));
        constexpr double thrifty_used = 97;
        const auto own = best(all.front(), true, 12, hits);
        const auto other = best(all.front(), false, 12, hits, thrifty_used);
        if (own && other)
            result.sentence = fmt::format(
                "With at most 12 KiB idle, {} has {} % hits. The best other policy that "
                "uses {:.0f} % of the bytes has {} %.",
                own_policy, figure_text(*own), thrifty_used, figure_text(*other));
        break;
    }
    return result;
}

std::optional<estimate> front_aim(const page_context& context, const setting& where,
                                  const std::string& kind, const std::string& workload,
                                  double kibibytes) {
    for (const auto& fronts : fronts_of(context, where)) {
        const auto* own = fronts.find(own_policy);
        if (fronts.key != workload || own == nullptr) continue;
        if (kind == "misses") {
            const auto most = best(fronts, true, kibibytes, hits);
            return with_error(100 - most.value_or(0), 0);
        }
        std::optional<double> worst;
        for (const auto& point : own->points) {
            if (kind == "not_used") {
                worst = std::max(worst.value_or(0), 100 - *point.values[used]);
                continue;
            }
            // The time that the allocator still takes, as a ratio to the best other policy with as
            // many idle bytes or as many unused bytes. `time_left_as_thrifty` compares only with
            // settings that use as large a share.
            const auto counted = kind == "time_left_as_many_unused" ? unused : idle;
            const double least_used = kind == "time_left_as_thrifty" ? 97 : 0;
            if (!point.values[saved] || !point.values[counted]) continue;
            const auto other =
                best(fronts, false, *point.values[counted], saved, least_used, counted);
            if (!other || !(*other < 100)) continue;
            worst = std::max(worst.value_or(0), (100 - *point.values[saved]) / (100 - *other));
        }
        if (worst) return with_error(*worst, 0);
    }
    return std::nullopt;
}

}  // namespace freehold
