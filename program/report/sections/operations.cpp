// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"
#include "report/sections/held_line.hpp"
#include "report/sections/published.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/single_operations.hpp"
#include "report/sections/tables.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

struct held_setting {
    setting where;
    std::vector<held_line> lines;
};

using figure_of_line = estimate held_line::*;

const held_line* fitted(const held_line* held) {
    return held != nullptr && held->line ? held : nullptr;
}

std::optional<table_cell> line_cell(const held_setting& in, const contender& who,
                                    figure_of_line figure) {
    const auto* held = fitted(find_line(in.lines, who));
    if (held == nullptr) return std::nullopt;
    return error_cell(held->*figure);
}

bool is_plausible(const held_setting& in, const held_line& held) {
    return is_plausible_initialisation(held, find_reference(in.lines, held.who, "raw"));
}

/// Whether the lowest fitted initialisation of the owners that share can be one: otherwise none is
/// called the lowest.
bool has_lowest_initialisation(const held_setting& in, const std::vector<contender>& contenders) {
    const held_line* lowest = nullptr;
    for (const auto& who : contenders) {
        const auto* held = fitted(find_line(in.lines, who));
        if (held == nullptr || !who.shares()) continue;
        if (lowest == nullptr || held->initialisation.value < lowest->initialisation.value) {
            lowest = held;
        }
    }
    return lowest != nullptr && is_plausible(in, *lowest);
}

std::optional<table_cell> overhead_cell(const held_setting& in, const contender& who,
                                        figure_of_line figure, const std::string& reference) {
    const auto* held = fitted(find_line(in.lines, who));
    const auto* floor = fitted(find_reference(in.lines, who, reference));
    if (held == nullptr || floor == nullptr || who.name == "raw" || who.name == reference) {
        return std::nullopt;
    }
    return error_cell(difference(held->*figure, floor->*figure));
}

std::optional<estimate> times_raw(const held_setting& in, const contender& who,
                                  figure_of_line figure) {
    const auto* held = fitted(find_line(in.lines, who));
    const auto* raw = fitted(find_reference(in.lines, who, "raw"));
    if (held == nullptr || raw == nullptr) return std::nullopt;
    if (held == raw) return estimate{1, {1, 1}};
    return ratio(held->*figure, raw->*figure);
}

std::optional<estimate> times_raw_then(const std::string& compiler, const contender& who,
                                       const std::string& test) {
    if (who.process != "threaded") return std::nullopt;
    const auto then = find_published(compiler, who.name, test);
    const auto raw = find_published(compiler, "raw", test);
    if (!then || !raw) return std::nullopt;
    if (who.name == "raw") return estimate{1, {1, 1}};
    return ratio(then->figure, raw->figure);
}

report_table lines_table(const std::vector<held_setting>& settings,
                         const std::vector<contender>& contenders) {
    contender_table table({.id = "operations-lines",
                           .caption = "Time to acquire a pointee (initialisation) and to copy a "
                                      "handle and release the copy, with two standard deviations",
                           .note = "From the least-squares line through the medians; "
                                   "initialisation includes that the pointee is freed.",
                           .row_header = "competitor"},
                          contenders);
    for (const auto& in : settings) {
        table.add_column({"initialisation", in.where.label, "ns"}, [&](const contender& who) {
            return line_cell(in, who, &held_line::initialisation);
        });
        if (has_lowest_initialisation(in, contenders)) {
            table.mark_lowest([&](const contender& who) {
                const auto* held = find_line(in.lines, who);
                return who.shares() && held != nullptr && is_plausible(in, *held);
            });
        }
        table.add_column({"copy", in.where.label, "ns"}, [&](const contender& who) {
            return line_cell(in, who, &held_line::copy);
        });
        table.mark_lowest([](const contender& who) { return who.shares(); });
        table.add_column({"R\u00b2", in.where.label, ""},
                         [&](const contender& who) -> std::optional<table_cell> {
                             const auto* held = fitted(find_line(in.lines, who));
                             if (held == nullptr) return std::nullopt;
                             return figure_cell(held->r_squared);
                         });
    }
    return table.finished();
}

report_table overhead_table(const std::vector<held_setting>& settings,
                            const std::vector<contender>& contenders) {
    contender_table table({.id = "operations-overhead",
                           .caption = "Pure overhead of the handle: the same less what a raw and a "
                                      "dumb pointer take, with two standard deviations",
                           .row_header = "competitor"},
                          contenders);
    const std::vector<std::pair<std::string, figure_of_line>> figures{
        {"initialisation", &held_line::initialisation}, {"copy", &held_line::copy}};
    for (const auto& in : settings) {
        for (const auto& [name, figure] : figures) {
            for (const auto* reference : {"raw", "dumb"}) {
                table.add_column({fmt::format("less {}", reference),
                                  fmt::format("{}: {}", in.where.label, name), "ns"},
                                 [&, figure = figure](const contender& who) {
                                     return overhead_cell(in, who, figure, reference);
                                 });
            }
        }
    }
    return table.finished();
}

std::vector<contender> published_among(const std::vector<contender>& contenders) {
    std::vector<contender> known;
    for (const auto& who : contenders) {
        for (const auto& compiler : published_compilers()) {
            if (who.process == "threaded" && find_published(compiler, who.name, "copy")) {
                known.push_back(who);
                break;
            }
        }
    }
    return known;
}

std::optional<table_cell> times_cell(const std::optional<estimate>& times) {
    if (!times) return std::nullopt;
    return estimate_cell(*times);
}

report_table then_and_now_table(const std::vector<held_setting>& settings,
                                const std::vector<contender>& contenders) {
    contender_table table({.id = "operations-then-now",
                           .caption = "Then and now: how many times as long as a raw pointer",
                           .note = "Empty where raw's own figure is not distinguishable from "
                                   "nothing, so that no ratio to it means anything.",
                           .row_header = "competitor"},
                          contenders);
    const std::vector<std::pair<std::string, figure_of_line>> figures{
        {"initialisation", &held_line::initialisation}, {"copy", &held_line::copy}};
    for (const auto& [name, figure] : figures) {
        const std::string group = name + ", times raw";
        for (const auto& compiler : published_compilers()) {
            table.add_column({compiler + ", 2000", group, ""},
                             [&, name = name](const contender& who) {
                                 return times_cell(times_raw_then(compiler, who, name));
                             });
        }
        for (const auto& in : settings) {
            table.add_column({in.where.label, group, ""},
                             [&, figure = figure](const contender& who) {
                                 return times_cell(times_raw(in, who, figure));
                             });
        }
    }
    return table.finished();
}

void add_times(plot_series& series, const contender& who, const std::optional<estimate>& times) {
    // A logarithmic axis has no place for what is not above zero.
    if (!times || !(times->value > 0)) return;
    plot_point point{.x = times->value, .category = who.head};
    if (times->bounds.low > 0 && times->bounds.low < times->bounds.high) {
        point.low = times->bounds.low;
        point.high = times->bounds.high;
    }
    series.points.push_back(point);
}

std::optional<report_plot> then_and_now_plot(const std::vector<held_setting>& settings,
                                             const std::vector<contender>& contenders) {
    report_plot plot;
    plot.id = "operations-then-now-plot";
    plot.type = plot_type::dots;
    plot.title = "Initialisation, then and now";
    plot.note = "Without those whose fitted initialisation is below raw's or may be zero.";
    plot.x = {"times as long as a raw pointer", "", axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    for (const auto& compiler : published_compilers()) {
        plot_series series{"then, " + compiler, {}, {}, {}};
        for (const auto& who : contenders) {
            add_times(series, who, times_raw_then(compiler, who, "initialisation"));
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    for (const auto& in : settings) {
        plot_series series{"now, " + in.where.label, {}, {}, {}};
        for (const auto& who : contenders) {
            const auto* held = find_line(in.lines, who);
            if (held == nullptr || !is_plausible(in, *held)) continue;
            add_times(series, who, times_raw(in, who, &held_line::initialisation));
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    if (plot.series.empty()) return std::nullopt;
    plot.data = data_of(plot);
    return plot;
}

/// One plot for each setting, side by side: all with the same axes, so that they can be compared.
report_plot lines_plot(const std::vector<held_setting>& settings,
                       const std::vector<contender>& contenders) {
    report_plot plot;
    plot.id = "operations-plot";
    plot.type = plot_type::lines;
    plot.title = "Time to hold a pointee against the number of copies";
    plot.note = "Marks are medians with their intervals, lines the least-squares fits.";
    plot.x = {"copies", "", axis_scale::linear};
    plot.y = {"time for each pointee", "ns", axis_scale::linear};
    for (const auto& in : settings) {
        for (const auto& who : contenders) {
            if (const auto* held = find_line(in.lines, who)) {
                plot.series.push_back({who.head, held->points, held->line, in.where.label});
            }
        }
    }
    plot.data = data_of(plot);
    return plot;
}

std::string finding_of(const std::vector<held_setting>& settings,
                       const std::vector<contender>& contenders) {
    std::vector<ranked_setting> ranked;
    for (const auto& in : settings) {
        ranked_setting entries{in.where.label, {}};
        for (const auto& who : contenders) {
            const auto* held = fitted(find_line(in.lines, who));
            if (held != nullptr && who.shares()) entries.entries.push_back({who.head, held->copy});
        }
        ranked.push_back(std::move(entries));
    }
    return lowest_finding({.opening = "Copying and releasing a shared owner costs least with",
                           .unit = "ns",
                           .baseline = "std::shared_ptr",
                           .nothing = "No handle that can share ownership was measured."},
                          ranked);
}

/// "cyclic 21.0 ns (fit 3.20 ± 1.10)"
std::string measured_text(const held_line& held) {
    const auto& fit = held.initialisation;
    const auto fit_text = figure_text(fit.value, (fit.bounds.high - fit.bounds.low) / 2);
    if (!held.at_zero) return fmt::format("{} (fit {})", held.who.head, fit_text);
    return fmt::format("{} {} ns (fit {})", held.who.head, figure_text(held.at_zero->value),
                       fit_text);
}

/// Where the fitted initialisation must not be believed, with what was measured in its place.
std::vector<std::string> fit_notes(const std::vector<held_setting>& settings,
                                   const std::vector<contender>& contenders) {
    std::vector<std::string> notes;
    for (const auto& in : settings) {
        std::vector<std::string> bent;
        std::vector<std::string> implausible;
        for (const auto& who : contenders) {
            const auto* held = fitted(find_line(in.lines, who));
            if (held == nullptr) continue;
            if (held->bends()) {
                bent.push_back(measured_text(*held));
            } else if (!is_plausible(in, *held)) {
                implausible.push_back(measured_text(*held));
            }
        }
        if (!bent.empty()) {
            notes.push_back(fmt::format(
                "Under {} the times of these do not lie on a line (R\u00b2 below 0.99, or it "
                "misses "
                "the time at n = 0). Read the time measured at n = 0 instead of the fitted "
                "initialisation: {}.",
                in.where.label, fmt::join(bent, "; ")));
        }
        if (!implausible.empty()) {
            notes.push_back(fmt::format(
                "Under {} the fitted initialisation of these is below raw's or may be zero, and "
                "shows no advantage; measured at n = 0: {}.",
                in.where.label, fmt::join(implausible, "; ")));
        }
    }
    return notes;
}

}  // namespace

std::optional<report_section> operations_section(const std::vector<setting>& all) {
    const auto measured = settings_with(all, "operations");
    if (measured.empty()) return std::nullopt;
    const auto contenders = contenders_of(measured, "operations");
    std::vector<held_setting> settings;
    for (const auto& where : measured) {
        settings.push_back({where, held_lines_of(where, contenders)});
    }
    report_section section{"operations", "Operations", finding_of(settings, contenders), {}, {}};
    section.notes.push_back(
        "A pointee is acquired, its handle copied n times, half by assignment and half by "
        "construction, and all handles are released, which frees the pointee. A second thread is "
        "alive; rows that say \"one thread\" were measured before any was started.");
    section.notes.push_back(
        "Times are read from the wall clock; a batch during which the thread was preempted is "
        "timed again.");
    for (auto& note : fit_notes(settings, contenders)) section.notes.push_back(std::move(note));
    if (auto plot = lines_plot(settings, contenders); !plot.series.empty()) {
        section.blocks.emplace_back(std::move(plot));
        section.blocks.emplace_back(lines_table(settings, contenders));
    }
    if (auto table = single_operations_table(measured, contenders); !table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    if (auto table = overhead_table(settings, contenders); !table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    const auto known = published_among(contenders);
    if (auto table = then_and_now_table(settings, known); !table.rows.empty()) {
        table.note = published_source() + " " + table.note;
        section.blocks.emplace_back(std::move(table));
        if (auto plot = then_and_now_plot(settings, known)) {
            section.blocks.emplace_back(std::move(*plot));
        }
    }
    for (auto& note : measuring_notes(all, "operations")) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
