// SPDX-License-Identifier: BSL-1.0
#include "report/sections/packets.hpp"
#include "report/sections/published.hpp"
#include "report/sections/sharing.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace freehold {

namespace {

const std::string bare_pair = "new and delete";
const std::string bare_pool = "freehold::pool";

/// The article's six, then their further forms.
const std::array<std::string, 14> ways{"std::shared_ptr(new)",
                                       sharing_baseline,
                                       "std::shared_ptr(pool, deleter)",
                                       "std::allocate_shared(pool)",
                                       bare_pair,
                                       bare_pool,
                                       "std::make_shared_for_overwrite",
                                       "std::allocate_shared_for_overwrite(pool)",
                                       "freehold::make_shared",
                                       "freehold::make_shared_for_overwrite",
                                       "freehold::allocate_shared(pool)",
                                       "freehold::allocate_shared_for_overwrite(pool)",
                                       "freehold::allocate_arc(pool)",
                                       "freehold::allocate_arc_for_overwrite(pool)"};

/// Those that are not known here come last, in the order of all tables.
std::vector<contender> contenders_in_order(const packets_figures& figures) {
    auto sorted = figures.contenders();
    const auto place = [](const contender& who) {
        return std::find(ways.begin(), ways.end(), who.name) - ways.begin();
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const contender& a, const contender& b) { return place(a) < place(b); });
    return sorted;
}

bool is_handle(const contender& who) {
    return who.name != bare_pair && who.name != bare_pool;
}

std::optional<double> published_share(const six_ways_page::column& column, const std::string& way) {
    const auto own = column.find(way);
    const auto whole = column.find(sharing_baseline);
    return own && whole ? std::optional(*own / *whole) : std::nullopt;
}

bool is_measured(const packets_figures& figures) {
    return std::any_of(packet_kinds.begin(), packet_kinds.end(),
                       [&](const auto& kind) { return figures.medians().has(kind.test); });
}

report_table ratios_table(const packets_figures& figures,
                          const std::vector<contender>& contenders) {
    const auto& then = published_six_ways();
    contender_table table(
        {.id = "packets-six-ways",
         .caption = "Making a packet of 2 KiB with its owner and dropping it: the article's "
                    "figures as printed, and times what std::make_shared takes, then and now",
         .note = fmt::format("The article does not say the unit of its figures, so that ratios are "
                             "compared; its pool is its own, under a lock. {}",
                             then.source),
         .row_header = "way"},
        contenders);
    // Together, so that the ratios of then stand right beside those of now.
    for (const auto& column : then.columns) {
        table.add_column({column.compiler, "2017, printed without a unit", ""},
                         [&](const contender& who) -> std::optional<table_cell> {
                             const auto printed = column.find(who.name);
                             return printed ? std::optional(exact_cell(*printed)) : std::nullopt;
                         });
    }
    for (const auto& column : then.columns) {
        table.add_column({column.compiler, "2017", ""},
                         [&](const contender& who) -> std::optional<table_cell> {
                             const auto share = published_share(column, who.name);
                             return share ? std::optional(figure_cell(*share)) : std::nullopt;
                         });
    }
    for (const auto& where : figures.settings()) {
        for (const auto& kind : packet_kinds) {
            table.add_column({kind.label, where.label, ""},
                             [&](const contender& who) -> std::optional<table_cell> {
                                 const auto share =
                                     figures.times(where, who.name, kind.test, sharing_baseline);
                                 return share ? std::optional(estimate_cell(*share)) : std::nullopt;
                             });
        }
    }
    auto finished = table.finished();
    for (auto& row : finished.rows) row.reference = row.head == sharing_baseline;
    return finished;
}

report_table times_table(const packets_figures& figures, const std::vector<contender>& contenders) {
    contender_table table({.id = "packets-six-ways-times",
                           .caption = "The same, in time",
                           .note = "Medians, with half the width of their 95 % interval.",
                           .row_header = "way"},
                          contenders);
    for (const auto& where : figures.settings()) {
        for (const auto& kind : packet_kinds) {
            table.add_column({kind.label, where.label, "ns"}, [&](const contender& who) {
                return figures.cell(where, who, kind.test);
            });
            table.mark_lowest(is_handle);
        }
    }
    return table.finished();
}

report_plot then_and_now_plot(const packets_figures& figures,
                              const std::vector<contender>& contenders) {
    report_plot plot;
    plot.id = "packets-six-ways-plot";
    plot.type = plot_type::dots;
    plot.title = "Six ways to a packet, then and now, against std::make_shared";
    plot.x = {"times std::make_shared", "", axis_scale::logarithmic};
    plot.y = {"way", "", axis_scale::category};
    plot.reference = sharing_baseline;
    const auto is_of_the_six = [](const contender& who) {
        return published_six_ways().columns.front().find(who.name).has_value();
    };
    for (const auto& column : published_six_ways().columns) {
        plot_series series{column.compiler + ", 2017", {}, {}, {}};
        for (const auto& who : contenders) {
            const auto share = published_share(column, who.name);
            if (share) series.points.push_back({.x = *share, .category = who.head});
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    for (const auto& where : figures.settings()) {
        plot_series series{"now, " + where.label, {}, {}, {}};
        for (const auto& who : contenders) {
            const auto share =
                figures.times(where, who.name, packet_kinds[0].test, sharing_baseline);
            if (!share || !(share->value > 0) || !is_of_the_six(who)) continue;
            series.points.push_back({.x = share->value,
                                     .low = share->bounds.low,
                                     .high = share->bounds.high,
                                     .category = who.head});
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    plot.data = data_of(plot);
    return plot;
}

}  // namespace

std::vector<packets_block> six_ways_blocks(const packets_figures& figures) {
    if (!is_measured(figures)) return {};
    const auto contenders = contenders_in_order(figures);
    std::vector<packets_block> blocks;
    // Without a ratio to the baseline there is nothing to compare with the article.
    const bool compared = std::any_of(
        figures.settings().begin(), figures.settings().end(), [&](const setting& where) {
            return figures.find(where, sharing_baseline, packet_kinds[0].test).has_value();
        });
    if (compared) {
        blocks.emplace_back(then_and_now_plot(figures, contenders));
        blocks.emplace_back(ratios_table(figures, contenders));
    }
    blocks.emplace_back(times_table(figures, contenders));
    return blocks;
}

}  // namespace freehold
