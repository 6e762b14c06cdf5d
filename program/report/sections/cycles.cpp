// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <string_view>

namespace freehold {

namespace {

constexpr std::string_view pause_suffix = " pause";

bool is_pause(std::string_view test) {
    return test.ends_with(pause_suffix);
}

/// The tests that were measured, those of lab/README.md first and in its order.
std::vector<std::string> tests_of(const std::vector<setting>& settings, bool pauses) {
    std::vector<std::string> tests;
    for (const auto* known :
         {"ring", "ring beside a million", "ring with a live head", "chain", "random graph"}) {
        tests.push_back(pauses ? known + std::string(pause_suffix) : known);
    }
    for (const auto& where : settings) {
        for (const auto& cell : find_suite(where, "cycles")->measurements) {
            const bool wanted = cell.lab == where.lab && is_pause(cell.test) == pauses;
            if (wanted && std::find(tests.begin(), tests.end(), cell.test) == tests.end()) {
                tests.push_back(cell.test);
            }
        }
    }
    return tests;
}

std::optional<estimate> time_of(const setting& where, const contender& who,
                                const std::string& test) {
    const auto* cell = find_measurement(where, "cycles", who, test);
    if (cell == nullptr) return std::nullopt;
    return estimate_of(*cell);
}

report_table times_table(const std::vector<setting>& settings,
                         const std::vector<contender>& contenders, bool pauses) {
    contender_table table(
        {.id = pauses ? "cycles-pauses" : "cycles-times",
         .caption = pauses ? "The longest pause while collecting"
                           : "Time to make and to collect each ring or object",
         .note = pauses ? "" : "Medians, with half the width of their 95 % interval.",
         .row_header = "competitor"},
        contenders);
    for (const auto& where : settings) {
        for (const auto& test : tests_of(settings, pauses)) {
            const auto label = pauses ? test.substr(0, test.size() - pause_suffix.size()) : test;
            table.add_column({label, where.label, pauses ? "ms" : "ns"},
                             [&](const contender& who) -> std::optional<table_cell> {
                                 const auto time = time_of(where, who, test);
                                 if (!time) return std::nullopt;
                                 return pauses ? estimate_cell(*time) : error_cell(*time);
                             });
            table.mark_lowest([](const contender&) { return true; });
        }
    }
    return table.finished();
}

report_plot times_plot(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders, bool pauses) {
    report_plot plot;
    plot.id = pauses ? "cycles-pauses-plot" : "cycles-times-plot";
    plot.type = plot_type::dots;
    plot.title = pauses ? "The longest pause" : "Time to make and to collect";
    plot.x = {pauses ? "longest pause" : "time for each", pauses ? "ms" : "ns",
              axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    for (const auto& test : tests_of(settings, pauses)) {
        const auto facet = pauses ? test.substr(0, test.size() - pause_suffix.size()) : test;
        for (const auto& where : settings) {
            plot_series series{where.label, {}, {}, facet};
            for (const auto& who : contenders) {
                const auto time = time_of(where, who, test);
                if (!time || !(time->value > 0)) continue;
                plot_point point{.x = time->value, .category = who.head};
                if (time->bounds.low > 0) {
                    point.low = time->bounds.low;
                    point.high = time->bounds.high;
                }
                series.points.push_back(std::move(point));
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    plot.data = data_of(plot);
    return plot;
}

std::string finding_of(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders) {
    std::vector<ranked_setting> ranked;
    for (const auto& where : settings) {
        ranked_setting entries{where.label, {}};
        for (const auto& who : contenders) {
            if (const auto time = time_of(where, who, "ring")) {
                entries.entries.push_back({who.head, *time});
            }
        }
        ranked.push_back(std::move(entries));
    }
    return lowest_finding({.opening = "A ring of two is made and freed soonest with",
                           .unit = "ns",
                           .baseline = "Boehm",
                           .nothing = "No ring of two was measured."},
                          ranked);
}

}  // namespace

std::optional<report_section> cycles_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, "cycles");
    if (settings.empty()) return std::nullopt;
    const auto contenders = contenders_of(settings, "cycles");
    report_section section{"cycles", "Cycles", finding_of(settings, contenders), {}, {}};
    section.notes.push_back(
        "A million rings of two nodes are made and freed: alone, beside a million live objects, "
        "and with a long-lived head that every step touches; then chains and random graphs.");
    section.notes.push_back(
        "Each figure is processor time of a child process of its own, page faults included; a "
        "pause, the longest single operation of a run of its own, is processor time of the "
        "thread.");
    for (const bool pauses : {false, true}) {
        if (auto plot = times_plot(settings, contenders, pauses); !plot.series.empty()) {
            section.blocks.emplace_back(std::move(plot));
        }
        if (auto table = times_table(settings, contenders, pauses); !table.rows.empty()) {
            section.blocks.emplace_back(std::move(table));
        }
    }
    for (auto& note : measuring_notes(all, "cycles")) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
