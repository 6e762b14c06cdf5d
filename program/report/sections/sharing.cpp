// SPDX-License-Identifier: BSL-1.0
#include "report/sections/sharing.hpp"

#include "report/sections/competitors.hpp"
#include "report/sections/findings.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

struct step {
    std::string suite;
    std::string test;
    std::string label;
    bool plotted;
};

// What is not plotted here is plotted in its own section.
const std::array<step, 8> steps{{{"construction", "one", "make and release", true},
                                 {"construction", "1024 alive", "1024 alive", false},
                                 {"operations", "copy", "copy and release", true},
                                 {"operations", "move", "move", true},
                                 {"operations", "lock", "weak lock", true},
                                 {"construction", "fill", "fill a vector", false},
                                 {"construction", "refill", "fill it again", false},
                                 {"footprint", "beyond the object", "beyond the object", false}}};

bool is_counted(const step& what) {
    return what.suite == "footprint";
}

/// Without those of one thread: what is shared, is shared by threads.
std::vector<contender> contenders_in(const std::vector<setting>& settings) {
    std::vector<contender> all;
    for (const auto* suite : {"operations", "construction"}) {
        for (const auto& who : contenders_of(settings, suite)) {
            const auto same = [&](const contender& known) { return known.head == who.head; };
            if (who.process == "threaded" && std::none_of(all.begin(), all.end(), same)) {
                all.push_back(who);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const contender& a, const contender& b) {
        return order_of(a.name) < order_of(b.name);
    });
    return all;
}

std::string unit_of(const setting& where, const step& what) {
    const auto* cell = find_measurement(
        where, what.suite, {sharing_baseline, "threaded", sharing_baseline}, what.test);
    return cell == nullptr ? "" : cell->unit;
}

/// The baseline shows what one is: its own figure.
std::optional<table_cell> cell_of(const setting& where, const contender& who, const step& what,
                                  const sharing_figures& figures) {
    const auto& suite = *figures.suite(what.suite);
    if (is_counted(what)) {
        const auto bytes = suite.find(where, who, what.test);
        if (!bytes) return std::nullopt;
        return exact_cell(bytes->value);
    }
    const auto times = suite.times(where, who, what.test, sharing_baseline);
    if (!times) return std::nullopt;
    auto cell = estimate_cell(*times);
    if (who.head == sharing_baseline) {
        const auto own = suite.find(where, who, what.test);
        cell.text = figure_text(own->value) + " " + unit_of(where, what);
    }
    return cell;
}

bool has_any(const setting& where, const std::vector<contender>& contenders,
             const sharing_figures& figures) {
    return std::any_of(steps.begin(), steps.end(), [&](const step& what) {
        return !is_counted(what) &&
               std::any_of(contenders.begin(), contenders.end(), [&](const contender& who) {
                   return cell_of(where, who, what, figures).has_value();
               });
    });
}

report_table costs_table(const std::vector<setting>& settings, std::size_t index,
                         const std::vector<contender>& contenders, const sharing_figures& figures) {
    const auto& where = settings[index];
    contender_table table(
        {.id = fmt::format("sharing-costs-{}", index + 1),
         .caption = fmt::format("With {}: times what std::make_shared takes", where.label),
         .note = "The row of std::make_shared has the figures themselves, of which the others are "
                 "multiples. A plain pair adds to a word in memory and subtracts again, a locked "
                 "pair does so atomically: no copy and release that counts so can undercut them.",
         .row_header = "competitor"},
        contenders);
    for (const auto& what : steps) {
        table.add_column({what.label, "", is_counted(what) ? "bytes" : ""},
                         [&](const contender& who) { return cell_of(where, who, what, figures); });
        if (!is_counted(what)) {
            table.mark_lowest([](const contender& who) { return who.shares(); });
        }
    }
    return table.finished();
}

report_plot costs_plot(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders, const sharing_figures& figures) {
    report_plot plot;
    plot.id = "sharing-plot";
    plot.type = plot_type::dots;
    plot.title = "Each step in the life of an owner, against std::make_shared";
    plot.x = {"times std::make_shared", "", axis_scale::logarithmic};
    plot.y = {"competitor", "", axis_scale::category};
    plot.reference = sharing_baseline;
    for (const auto& what : steps) {
        if (!what.plotted) continue;
        for (const auto& where : settings) {
            plot_series series{where.label, {}, {}, what.label};
            for (const auto& who : contenders) {
                const auto times =
                    figures.suite(what.suite)->times(where, who, what.test, sharing_baseline);
                if (!times || !(times->value > 0)) continue;
                plot_point point{.x = times->value, .category = who.head};
                if (times->bounds.low > 0) {
                    point.low = times->bounds.low;
                    point.high = times->bounds.high;
                }
                series.points.push_back(std::move(point));
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    plot.data = data_of(plot);
    return plot;
}

std::string share_text(const std::vector<setting>& settings, const sharing_figures& figures,
                       const std::string& competitor) {
    std::vector<double> shares;
    for (const auto& where : settings) {
        const auto times =
            figures.suite("construction")
                ->times(where, {competitor, "threaded", competitor}, "one", sharing_baseline);
        if (times) shares.push_back(times->value);
    }
    return shares.empty() ? "" : range_text(shares);
}

std::string finding_of(const std::vector<setting>& settings, const sharing_figures& figures,
                       const aims_result& aims) {
    const auto arc = share_text(settings, figures, "freehold::arc");
    const auto shared = share_text(settings, figures, "freehold::make_shared");
    std::vector<std::string> parts;
    if (!arc.empty() && !shared.empty()) {
        parts.push_back(fmt::format(
            "Made and released, arc takes {} and freehold::make_shared {} of std::make_shared", arc,
            shared));
    }
    if (!aims.reached.empty()) {
        parts.push_back(
            fmt::format("{}ims reached: {}", parts.empty() ? "A" : "a", joined(aims.reached)));
    }
    if (parts.empty()) return "None of freehold's handles was measured beside std::make_shared.";
    return fmt::format("{}.", fmt::join(parts, "; "));
}

}  // namespace

std::optional<report_section> sharing_section(const std::vector<setting>& all) {
    const sharing_figures figures(all);
    const auto contenders = contenders_in(all);
    std::vector<setting> settings;
    for (const auto& where : all) {
        if (has_any(where, contenders, figures)) settings.push_back(where);
    }
    if (settings.empty()) return std::nullopt;
    const auto aims = sharing_aims_of(settings, figures);
    report_section section{
        "sharing", "What shared ownership costs", finding_of(settings, figures, aims), {}, {}};
    section.notes.push_back(
        "Drawn from the suites operations, construction, threads and footprint, whose sections say "
        "how each figure is measured. A second thread is alive.");
    section.blocks.emplace_back(costs_plot(settings, contenders, figures));
    if (!aims.table.rows.empty()) section.blocks.emplace_back(aims.table);
    for (std::size_t i = 0; i != settings.size(); ++i) {
        section.blocks.emplace_back(costs_table(settings, i, contenders, figures));
    }
    return section;
}

}  // namespace freehold
