// SPDX-License-Identifier: BSL-1.0
// What the program asks for: its sizes and lifetimes.
#include "advise/advice_cells.hpp"
#include "advise/advice_report.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr double millisecond = 1e6;  // ns

std::string milliseconds_text(double milliseconds) {
    return time_text(millisecond * milliseconds);
}

double share(double part, double all) {
    return all > 0 ? part / all : 0;
}

/// The sizes from one power of two up to the next.
struct size_range {
    std::uint64_t from = 0;
    double requests = 0;
    double bytes = 0;
    double cost = 0;
    double frees = 0;
    double remote_frees = 0;
    double lifetimes = 0;
};

std::vector<size_range> ranges_of(const advice& given) {
    const allocation_costs costs(given.costs.allocator);
    std::vector<size_range> ranges;
    for (std::size_t index = 0; index != given.program.sizes.size(); ++index) {
        const process_profile::of_sizes& sizes = given.program.sizes[index];
        if (sizes.requests == 0 && sizes.frees == 0) continue;
        const std::uint64_t from = std::bit_floor(size_class::smallest(index));
        if (ranges.empty() || ranges.back().from != from) {
            ranges.emplace_back();
            ranges.back().from = from;
        }
        size_range& range = ranges.back();
        const auto requests = static_cast<double>(sizes.requests);
        range.requests += requests;
        range.bytes += static_cast<double>(sizes.bytes);
        range.cost += requests * costs.of_class(index);
        range.frees += static_cast<double>(sizes.frees);
        range.remote_frees += static_cast<double>(sizes.remote_frees);
        range.lifetimes += sizes.lifetimes;
    }
    return ranges;
}

std::string range_text(std::uint64_t from) {
    return from == 0 ? "0 B" : bytes_text(from) + " and more";
}

report_table sizes_table(const advice& given, const std::vector<size_range>& ranges, double cost) {
    report_table table;
    table.id = "sizes";
    table.caption = "Requests by size, each row up to the next";
    table.row_header = "size";
    table.columns = {plain_column("requests"), plain_column("share"), plain_column("bytes"),
                     plain_column("cost each"), plain_column("share of cost")};
    if (given.losses.has_threads) table.columns.push_back(plain_column("freed elsewhere"));
    if (given.knows_time()) table.columns.push_back(plain_column("mean lifetime"));
    const auto all = static_cast<double>(given.program.requests);
    for (const size_range& each : ranges) {
        table_row row;
        row.head = range_text(each.from);
        row.cells = {count_cell(each.requests), share_cell(share(each.requests, all)),
                     bytes_cell(each.bytes), time_cell(share(each.cost, each.requests)),
                     share_cell(share(each.cost, cost))};
        if (given.losses.has_threads) {
            row.cells.emplace_back(share_cell(share(each.remote_frees, each.frees)));
        }
        if (given.knows_time()) {
            row.cells.emplace_back(time_cell(share(each.lifetimes, each.frees)));
        }
        table.rows.push_back(std::move(row));
    }
    table.note = "Cost: the allocator's time for a buffer of that size on this machine.";
    return table;
}

report_plot shares_plot(const std::string& id, const std::string& title, const plot_axis& x,
                        std::vector<plot_series> series, std::string (*head)(double)) {
    report_plot plot;
    plot.id = id;
    plot.type = plot_type::lines;
    plot.title = title;
    plot.x = x;
    plot.y = {"share", "%", axis_scale::linear};
    plot.series = std::move(series);
    plot.data.id = id + "-data";
    plot.data.caption = title;
    plot.data.row_header = x.label;
    for (const plot_series& each : plot.series) plot.data.columns.push_back({each.name, {}, "%"});
    for (std::size_t i = 0; i != plot.series.front().points.size(); ++i) {
        table_row row;
        row.head = head(plot.series.front().points[i].x);
        for (const plot_series& each : plot.series) {
            row.cells.emplace_back(share_cell(each.points[i].y / 100));
        }
        plot.data.rows.push_back(std::move(row));
    }
    return plot;
}

plot_point point_at(double x, double part) {
    plot_point point;
    point.x = x;
    point.y = 100 * part;
    return point;
}

}  // namespace

report_section sizes_section(const advice& given) {
    const std::vector<size_range> ranges = ranges_of(given);
    double cost = 0;
    for (const size_range& each : ranges) cost += each.cost;
    const auto all = static_cast<double>(given.program.requests);
    const auto bytes = static_cast<double>(given.program.bytes);

    plot_series requests{"requests", {}, {}, {}};
    plot_series asked{"bytes", {}, {}, {}};
    plot_series costs{"cost", {}, {}, {}};
    for (const size_range& each : ranges) {
        const auto from = static_cast<double>(std::max<std::uint64_t>(each.from, 1));
        requests.points.push_back(point_at(from, share(each.requests, all)));
        asked.points.push_back(point_at(from, share(each.bytes, bytes)));
        costs.points.push_back(point_at(from, share(each.cost, cost)));
    }
    report_section section;
    section.id = "sizes";
    section.title = "The requested sizes";
    section.finding = fmt::format(
        "Half of the requests are for less than {}, and 99 % for less than {}.",
        bytes_text(given.program.quantile(0.5, 0)), bytes_text(given.program.quantile(0.99, 0)));
    section.blocks.emplace_back(
        shares_plot("histogram", "Shares by size", {"size", "B", axis_scale::logarithmic},
                    {std::move(requests), std::move(asked), std::move(costs)},
                    [](double size) { return bytes_text(size); }));
    section.blocks.emplace_back(sizes_table(given, ranges, cost));
    return section;
}

report_section lifetimes_section(const advice& given) {
    const process_profile& program = given.program;
    const auto frees = static_cast<double>(program.frees);
    const auto text = [&](double lasted) {
        return given.knows_time() ? time_text(lasted) : count_text(lasted) + " events";
    };
    plot_series lifetimes{"frees", {}, {}, {}};
    report_table table;
    table.id = "lifetimes-table";
    table.caption = "Buffers by lifetime";
    table.row_header = "shorter than";
    table.columns = {plain_column("freed"), plain_column("share"), plain_column("so far")};
    double so_far = 0;
    double half = 0;
    for (std::size_t i = 0; i != program.lifetimes.size(); ++i) {
        const auto freed = static_cast<double>(program.lifetimes[i]);
        if (freed == 0 && (so_far == 0 || so_far == frees)) continue;
        const double end = std::exp2(static_cast<double>(i));
        so_far += freed;
        if (half == 0 && 2 * so_far >= frees) half = end;
        lifetimes.points.push_back(
            point_at(given.knows_time() ? end / millisecond : end, share(freed, frees)));
        table.rows.push_back({text(end),
                              false,
                              {count_cell(freed), share_cell(share(freed, frees)),
                               share_cell(share(so_far, frees))}});
    }
    report_section section;
    section.id = "lifetimes";
    section.title = "How long buffers live";
    if (frees == 0) {
        section.finding = "No buffer was freed while the program was recorded.";
        return section;
    }
    section.finding =
        fmt::format("Half of the buffers live for less than {}; {} are never freed.", text(half),
                    count_text(static_cast<double>(program.requests) - frees));
    std::string (*lifetime_text)(double) = count_text;
    if (given.knows_time()) lifetime_text = milliseconds_text;
    section.blocks.emplace_back(
        shares_plot("lifetimes", "Buffers by lifetime",
                    {"lifetime", given.knows_time() ? "ms" : "events", axis_scale::logarithmic},
                    {std::move(lifetimes)}, lifetime_text));
    section.blocks.emplace_back(std::move(table));
    return section;
}

}  // namespace freehold
