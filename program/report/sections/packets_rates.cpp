// SPDX-License-Identifier: BSL-1.0
// What packets cost across threads, as the packets a second that this allows, beside what lines
// bring.
#include "report/sections/competitors.hpp"
#include "report/sections/packets.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr std::array<double, 4> lines{10, 25, 40, 100};  // gigabits a second

/// Preamble and the gap between frames: 20 bytes on the wire before a frame comes the next.
constexpr double between_frames = 20;
constexpr double smallest_frame = 64;
constexpr double whole_packet = 2048;

double packets_a_second(double gigabits, double frame) {
    return gigabits * 1000 / (8 * (frame + between_frames));  // in millions
}

struct crossing {
    std::string test;
    std::string label;
};

/// One plot and one table: tests that say the same of different competitors.
struct crossings {
    std::string id;
    std::string title;
    std::vector<crossing> tests;
    std::string headers;  // the test that line rates are judged by
    std::string note = {};
};

constexpr const char* over = " Over: shared by std::allocate_shared from that pool or allocator.";

const std::vector<crossings>& all_crossings() {
    static const std::vector<crossings> all{
        {"packets-across",
         "Plain packets from one thread to another",
         {{"across, untouched", "untouched"},
          {"across, 64 bytes", "64 bytes"},
          {"across, whole packet", "whole"}},
         "across, 64 bytes"},
        {"packets-shared",
         "Packets by shared handles, each copied once on the way",
         {{"shared across, untouched", "untouched"},
          {"shared across, 64 bytes", "64 bytes"},
          {"shared across, whole packet", "whole"}},
         "shared across, 64 bytes",
         over},
        {"packets-several",
         "Plain packets among several producers and consumers",
         {{"several, untouched", "untouched"},
          {"several, 64 bytes", "64 bytes"},
          {"several, whole packet", "whole"}},
         "several, 64 bytes"},
        {"packets-shared-several",
         "Shared handles among several producers and consumers",
         {{"shared several, untouched", "untouched"},
          {"shared several, 64 bytes", "64 bytes"},
          {"shared several, whole packet", "whole"}},
         "shared several, 64 bytes",
         over}};
    return all;
}

std::string line_name(double gigabits) {
    return fmt::format("{}G", gigabits);
}

/// Millions a second from nanoseconds each.
estimate rate_of(const estimate& time) {
    const auto rate = [](double each) {
        return each > 0 ? 1000 / each : std::numeric_limits<double>::infinity();
    };
    return {rate(time.value), {rate(time.bounds.high), rate(time.bounds.low)}};
}

/// The fastest line that the whole interval keeps up with; zero if none.
double line_held(const estimate& time) {
    double held = 0;
    for (const double gigabits : lines) {
        if (time.bounds.high * line_rate(gigabits) <= 1000) held = gigabits;
    }
    return held;
}

/// "over NAME", without the handle that all but ours and the floors have in common.
std::string short_head(const contender& who) {
    constexpr std::string_view handle = "std::allocate_shared ";
    const bool is_over = who.head.starts_with("std::allocate_shared over ");
    return is_over ? who.head.substr(handle.size()) : who.head;
}

report_plot rates_plot(const crossings& way, const packets_figures& figures) {
    report_plot plot;
    plot.id = way.id;
    plot.type = plot_type::dots;
    plot.title = way.title;
    plot.note = fmt::format(
        "Lines: packets a second at line rate, frames of {} bytes. Of whole packets, {:.0f} KiB "
        "written and read, a line of 100G brings {} million.{}",
        smallest_frame, whole_packet / 1024,
        figure_text(packets_a_second(lines.back(), whole_packet)), way.note);
    plot.x = {"packets", "million/s", axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    plot.largest_first = true;
    for (const double gigabits : lines) {
        plot.levels.push_back({line_rate(gigabits), line_name(gigabits)});
    }
    for (const auto& where : figures.settings()) {
        for (const auto& [test, label] : way.tests) {
            plot_series series{label, {}, {}, where.label};
            for (const auto& who : figures.contenders()) {
                const auto time = figures.find(where, who.name, test);
                if (!time || !(time->value > 0)) continue;
                const auto rate = rate_of(*time);
                plot_point point{.x = rate.value, .category = short_head(who)};
                if (std::isfinite(rate.bounds.high)) {
                    point.low = rate.bounds.low;
                    point.high = rate.bounds.high;
                }
                series.points.push_back(std::move(point));
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    plot.data = data_of(plot);
    return plot;
}

report_table times_table(const crossings& way, const packets_figures& figures) {
    contender_table table(
        {.id = way.id + "-times",
         .caption = way.title + ": time for each packet",
         .note = "Medians, with half the width of their 95 % interval. Then, of 64 bytes touched, "
                 "packets a second, and the fastest line that brings no more. Whole: all 2 KiB are "
                 "written and read.",
         .row_header = "competitor"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto& [test, label] : way.tests) {
            table.add_column({label, where.label, "ns"}, [&, test = test](const contender& who) {
                return figures.cell(where, who, test);
            });
            table.mark_lowest(
                [](const contender& who) { return family_of(who.name) != family::floor; });
        }
        const auto time = [&](const contender& who) {
            return figures.find(where, who.name, way.headers);
        };
        table.add_column({"million/s", where.label, ""},
                         [&](const contender& who) -> std::optional<table_cell> {
                             const auto own = time(who);
                             if (!own || !(own->value > 0)) return std::nullopt;
                             return estimate_cell(rate_of(*own));
                         });
        table.add_column({"line", where.label, ""},
                         [&](const contender& who) -> std::optional<table_cell> {
                             const auto own = time(who);
                             if (!own) return std::nullopt;
                             const auto held = line_held(*own);
                             const auto text = held > 0 ? line_name(held) : "none";
                             return table_cell{text, held, {}, {}, {}};
                         });
    }
    return beside_floors(table.finished());
}

}  // namespace

double line_rate(double gigabits) {
    return packets_a_second(gigabits, smallest_frame);
}

std::vector<packets_block> rate_blocks(const packets_figures& figures) {
    std::vector<packets_block> blocks;
    for (const auto& way : all_crossings()) {
        auto plot = rates_plot(way, figures);
        if (plot.series.empty()) continue;
        blocks.emplace_back(std::move(plot));
        blocks.emplace_back(times_table(way, figures));
    }
    return blocks;
}

}  // namespace freehold
