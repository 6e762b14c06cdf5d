// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"
#include "report/sections/medians.hpp"
#include "report/sections/published.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <array>

namespace freehold {

namespace {

const std::array<std::string, 4> container_tests{"vector fill", "vector sort", "list fill",
                                                 "list sort"};

/// "vector fill" is headed by "g++: vector" and "fill".
std::string group_of(const setting& where, const std::string& test) {
    return where.label + ": " + test.substr(0, test.find(' '));
}

std::string work_of(const std::string& test) {
    return test.substr(test.find(' ') + 1);
}

std::optional<table_cell> cell_of(const std::optional<estimate>& figure) {
    if (!figure) return std::nullopt;
    return estimate_cell(*figure);
}

report_table times_table(const std::vector<setting>& settings,
                         const std::vector<contender>& contenders, const suite_medians& times,
                         const std::string& owners) {
    contender_table table({.id = "containers-times",
                           .caption = "Time to fill and to sort a container of " + owners,
                           .note = "Medians, with half the width of their 95 % interval.",
                           .row_header = "competitor"},
                          contenders);
    for (const auto& where : settings) {
        for (const auto& test : container_tests) {
            table.add_column({work_of(test), group_of(where, test), "s"},
                             [&](const contender& who) -> std::optional<table_cell> {
                                 const auto time = times.find(where, who, test);
                                 if (!time) return std::nullopt;
                                 return error_cell(*time);
                             });
            table.mark_lowest([](const contender& who) { return who.shares(); });
        }
    }
    return table.finished();
}

report_table ratios_table(const std::vector<setting>& settings,
                          const std::vector<contender>& contenders, const suite_medians& times) {
    contender_table table({.id = "containers-ratios",
                           .caption = "The same, how many times as long as with raw pointers",
                           .row_header = "competitor"},
                          contenders);
    for (const auto& where : settings) {
        for (const auto& test : container_tests) {
            table.add_column({work_of(test), group_of(where, test), ""}, [&](const contender& who) {
                return cell_of(times.times(where, who, test, "raw"));
            });
        }
    }
    return table.finished();
}

report_table then_and_now_table(const std::vector<setting>& settings,
                                const std::vector<contender>& contenders,
                                const suite_medians& times) {
    std::vector<contender> known;
    for (const auto& who : contenders) {
        for (const auto& compiler : published_compilers()) {
            if (who.process == "threaded" && find_published(compiler, who.name, "vector sort")) {
                known.push_back(who);
                break;
            }
        }
    }
    contender_table table({.id = "containers-then-now",
                           .caption = "Then and now: how many times as long as with raw pointers",
                           .note = published_source(),
                           .row_header = "competitor"},
                          known);
    const auto measured = [&](const std::string& test) {
        return std::any_of(settings.begin(), settings.end(), [&](const setting& where) {
            return std::any_of(known.begin(), known.end(), [&](const contender& who) {
                return times.find(where, who, test).has_value();
            });
        });
    };
    for (const auto& test : container_tests) {
        if (!measured(test)) continue;
        for (const auto& compiler : published_compilers()) {
            table.add_column({compiler + ", 2000", test, ""}, [&](const contender& who) {
                const auto then = find_published(compiler, who.name, test);
                const auto raw = find_published(compiler, "raw", test);
                return cell_of(then && raw ? ratio(then->figure, raw->figure) : std::nullopt);
            });
        }
        for (const auto& where : settings) {
            table.add_column({where.label, test, ""}, [&](const contender& who) {
                return cell_of(times.times(where, who, test, "raw"));
            });
        }
    }
    return table.finished();
}

report_plot times_plot(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders, const suite_medians& times,
                       const std::string& owners) {
    report_plot plot;
    plot.id = "containers-plot";
    plot.type = plot_type::dots;
    plot.title = "Filling and sorting containers of " + owners;
    plot.x = {"time", "s", axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    plot.series = panels_of_times(container_tests, settings, contenders, times);
    plot.data = data_of(plot);
    return plot;
}

std::string finding_of(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders, const suite_medians& times) {
    return lowest_finding({.opening = "A vector of shared owners is sorted soonest with",
                           .unit = "s",
                           .baseline = "std::shared_ptr",
                           .nothing = "No handle that can share ownership was measured."},
                          ranked_sharers(settings, contenders, times, "vector sort"));
}

/// "300,000 owners", as measured.
std::string owners_text(const std::vector<setting>& settings) {
    for (const auto& cell : find_suite(settings.front(), "containers")->measurements) {
        if (cell.n) return exact_text(static_cast<double>(*cell.n)) + " owners";
    }
    return "owners";
}

}  // namespace

std::optional<report_section> containers_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, "containers");
    if (settings.empty()) return std::nullopt;
    const auto contenders = contenders_of(settings, "containers");
    const suite_medians times(settings, "containers");
    const auto owners = owners_text(settings);
    report_section section{
        "containers", "Containers", finding_of(settings, contenders, times), {}, {}};
    section.notes.push_back(
        "Each pointee holds a random value of a fixed seed and is sorted by it. The values are the "
        "same for every competitor.");
    section.notes.push_back(
        "Each figure is processor time of a child process of its own, page faults included.");
    section.blocks.emplace_back(times_plot(settings, contenders, times, owners));
    section.blocks.emplace_back(times_table(settings, contenders, times, owners));
    if (auto table = ratios_table(settings, contenders, times); !table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    if (auto table = then_and_now_table(settings, contenders, times); !table.rows.empty()) {
        section.blocks.emplace_back(std::move(table));
    }
    for (auto& note : measuring_notes(all, "containers")) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
