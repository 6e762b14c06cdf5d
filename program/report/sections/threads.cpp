// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"
#include "report/sections/medians.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace freehold {

namespace {

const std::array<std::string, 2> scaling_tests{"one object", "an object each"};
const std::array<std::string, 4> sharing_tests{"owner", "non-owner", "after sharing", "hand-over"};

/// One plot for each test, in it one panel for each setting.
std::optional<report_plot> scaling_plot(const std::string& test,
                                        const std::vector<setting>& settings,
                                        const std::vector<contender>& contenders,
                                        const suite_medians& times) {
    const bool one = test == scaling_tests[0];
    report_plot plot;
    plot.id = one ? "threads-one-object" : "threads-an-object-each";
    plot.type = plot_type::lines;
    plot.title = one ? "Copying and releasing handles to one object from several threads"
                     : "The same, each thread with an object of its own";
    plot.x = {"threads", "", axis_scale::linear};
    plot.y = {"time for each copy and release, on each thread", "ns", axis_scale::logarithmic};
    for (const auto& where : settings) {
        for (const auto& who : contenders) {
            plot_series series{who.head, {}, {}, where.label};
            for (const auto& [threads, time] : times.sizes(where, who, test)) {
                series.points.push_back({.x = static_cast<double>(threads),
                                         .y = time.value,
                                         .low = time.bounds.low,
                                         .high = time.bounds.high});
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    if (plot.series.empty()) return std::nullopt;
    plot.data = data_of(plot);
    return plot;
}

std::optional<report_plot> sharing_plot(const std::vector<setting>& settings,
                                        const std::vector<contender>& contenders,
                                        const suite_medians& times) {
    report_plot plot;
    plot.id = "threads-sharing";
    plot.type = plot_type::dots;
    plot.title = "On the thread that made the object, on another, after both, and handed over";
    plot.x = {"time", "ns", axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    plot.series = panels_of_times(sharing_tests, settings, contenders, times);
    if (plot.series.empty()) return std::nullopt;
    plot.data = data_of(plot);
    return plot;
}

std::set<std::int64_t> thread_counts(const std::vector<setting>& settings,
                                     const std::vector<contender>& contenders,
                                     const suite_medians& times, const std::string& test) {
    std::set<std::int64_t> counts;
    for (const auto& where : settings) {
        for (const auto& who : contenders) {
            for (const auto& [threads, time] : times.sizes(where, who, test)) {
                counts.insert(threads);
            }
        }
    }
    return counts;
}

std::optional<table_cell> time_cell(const std::optional<estimate>& time) {
    if (!time) return std::nullopt;
    return error_cell(*time);
}

report_table times_table(const std::vector<setting>& settings,
                         const std::vector<contender>& contenders, const suite_medians& times) {
    contender_table table({.id = "threads-times",
                           .caption = "Time for each copy and release on each thread, and for each "
                                      "object handed over",
                           .note = "Medians, with half the width of their 95 % interval.",
                           .row_header = "competitor"},
                          contenders);
    const auto sharers = [](const contender& who) { return who.shares(); };
    for (const auto& where : settings) {
        for (const auto& test : scaling_tests) {
            for (const auto threads : thread_counts(settings, contenders, times, test)) {
                table.add_column({fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"),
                                  fmt::format("{}: {}", where.label, test), "ns"},
                                 [&](const contender& who) {
                                     const auto sizes = times.sizes(where, who, test);
                                     const auto found = sizes.find(threads);
                                     return time_cell(found == sizes.end()
                                                          ? std::nullopt
                                                          : std::optional(found->second));
                                 });
                table.mark_lowest(sharers);
            }
        }
        for (const auto& test : sharing_tests) {
            table.add_column({test, where.label, "ns"}, [&](const contender& who) {
                return time_cell(times.find(where, who, test));
            });
            table.mark_lowest(sharers);
        }
    }
    return table.finished();
}

std::string finding_of(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders, const suite_medians& times) {
    return lowest_finding({.opening = "An object is handed to another thread and dropped there "
                                      "soonest with",
                           .unit = "ns",
                           .baseline = "std::make_shared",
                           .nothing = "No object that is handed to another thread was measured."},
                          ranked_sharers(settings, contenders, times, "hand-over"));
}

}  // namespace

std::optional<report_section> threads_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, "threads");
    if (settings.empty()) return std::nullopt;
    const auto contenders = contenders_of(settings, "threads");
    const suite_medians times(settings, "threads");
    report_section section{"threads", "Threads", finding_of(settings, contenders, times), {}, {}};
    section.notes.push_back(
        "Owner: copied and released by the thread that made the object. Non-owner: by another "
        "thread. After sharing: by its maker, once another thread has copied it. Hand-over: made "
        "by one thread, passed through a queue in bursts and released by the other; raw hands over "
        "what was made before, and shows the queue alone.");
    for (const auto& test : scaling_tests) {
        if (auto plot = scaling_plot(test, settings, contenders, times)) {
            section.blocks.emplace_back(std::move(*plot));
        }
    }
    if (auto plot = sharing_plot(settings, contenders, times)) {
        section.blocks.emplace_back(std::move(*plot));
    }
    if (auto table = times_table(settings, contenders, times); !table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    for (auto& note : measuring_notes(all, "threads")) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
