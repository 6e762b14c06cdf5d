// SPDX-License-Identifier: BSL-1.0
// What a GiB of lines costs: as a table of all ways and fillings, as parts of bars, and in detail.
#include "report/sections/competitors.hpp"
#include "report/sections/tables.hpp"
#include "report/sections/zeroing.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

struct part_of_cost {
    std::string of;  // behind the test's name
    std::string label;
    std::string unit;
};
const std::array<part_of_cost, 5> parts_of_cost{{{"", "CPU", "s/GiB"},
                                                 {", user", "user", "s/GiB"},
                                                 {", system", "system", "s/GiB"},
                                                 {", wall", "wall", "s/GiB"},
                                                 {", faults", "faults", "/GiB"}}};

struct share {
    const char* name;
    double line_shares::*of;
};
constexpr std::array<share, 3> shares{{{"the copy itself", &line_shares::copy},
                                       {"memset", &line_shares::memset},
                                       {"page faults and kernel zeroing", &line_shares::kernel}}};

std::string test_of(const std::string& filling, const std::string& keeping) {
    return fmt::format("{}, {}", filling, keeping);
}

bool is_no_floor(const contender& who) {
    return family_of(who.name) != family::floor;
}

report_table beside_the_floor(report_table table) {
    for (auto& row : table.rows) row.reference = row.head == ready_line;
    return table;
}

cell_source source_of(const zeroing_figures& figures, const setting& where,
                      const std::string& test) {
    return [&figures, where, test](const contender& who) -> std::optional<table_cell> {
        const auto figure = figures.find(where, who.name, test);
        return figure ? std::optional(estimate_cell(*figure)) : std::nullopt;
    };
}

report_table overview(const zeroing_figures& figures) {
    contender_table table(
        {.id = "zeroing-lines",
         .caption = "Processor time to make a GiB in lines and fill them",
         .note = "Medians; the interval is in the tooltip. The floor fills lines that are there.",
         .row_header = "line by"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto& keeping : line_keepings) {
            for (const auto& filling : line_fillings) {
                table.add_column({filling, fmt::format("{}, {}", where.label, keeping), "s/GiB"},
                                 source_of(figures, where, test_of(filling, keeping)));
                table.mark_lowest(is_no_floor);
            }
        }
    }
    return beside_the_floor(table.finished());
}

report_plot shares_plot(const zeroing_figures& figures, const std::string& keeping) {
    report_plot plot;
    plot.id = "zeroing-shares-" + keeping;
    plot.type = plot_type::bars;
    plot.stacked = true;
    plot.title = keeping == "kept" ? "Where the time of a GiB goes, every line kept"
                                   : "Where the time of a GiB goes, in a ring of lines";
    plot.note =
        "The copy itself is what filling takes in lines that are there (floor); memset what the "
        "maker of a line sets to zero, timed on lines that are there; the rest is page faults, the "
        "pages that the kernel zeroes, and the allocator.";
    plot.x = {"processor time", "s/GiB", axis_scale::linear};
    plot.y = {"line by", "", axis_scale::category};
    plot.reference = ready_line;
    for (const auto& where : figures.settings()) {
        for (const auto& filling : line_fillings) {
            for (const auto& part : shares) {
                plot_series series{part.name, {}, {}, fmt::format("{}, {}", filling, where.label)};
                for (const auto& who : figures.contenders()) {
                    const auto all = shares_of(figures, where, who.name, test_of(filling, keeping));
                    if (!all) continue;
                    series.points.push_back({.x = (*all).*(part.of), .category = who.head});
                }
                if (!series.points.empty()) plot.series.push_back(std::move(series));
            }
        }
    }
    plot.data = data_of(plot);
    return plot;
}

report_table details(const zeroing_figures& figures, const std::string& id,
                     const std::string& caption, const std::string& test) {
    contender_table table(
        {.id = id,
         .caption = caption,
         .note = "Medians. The system finds the shares of user and system out by sampling. Faults "
                 "that are huge count as one.",
         .row_header = "line by"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto& part : parts_of_cost) {
            table.add_column({part.label, where.label, part.unit},
                             source_of(figures, where, test + part.of));
        }
    }
    return beside_the_floor(table.finished());
}

}  // namespace

std::optional<line_shares> shares_of(const zeroing_figures& figures, const setting& where,
                                     const std::string& competitor, const std::string& test) {
    const auto all = figures.find(where, competitor, test);
    const auto floor = figures.find(where, ready_line, test);
    if (!all || !floor) return std::nullopt;
    const auto zeroed = figures.find(where, competitor, test + ", memset");
    line_shares made;
    made.copy = std::min(floor->value, all->value);
    made.memset = std::min(zeroed ? zeroed->value : 0, all->value - made.copy);
    made.kernel = all->value - made.copy - made.memset;
    return made;
}

std::vector<zeroing_block> line_blocks(const zeroing_figures& figures) {
    std::vector<zeroing_block> blocks;
    auto table = overview(figures);
    if (table.rows.empty()) return blocks;
    for (const auto& keeping : line_keepings) {
        auto plot = shares_plot(figures, keeping);
        if (!plot.series.empty()) blocks.emplace_back(std::move(plot));
    }
    blocks.emplace_back(std::move(table));
    return blocks;
}

std::vector<zeroing_block> line_detail_blocks(const zeroing_figures& figures) {
    std::vector<zeroing_block> blocks;
    const auto add = [&](report_table table) {
        if (!table.rows.empty()) blocks.emplace_back(std::move(table));
    };
    add(details(figures, "zeroing-after-fork",
                "After a fork, while the child lives: lines that were there before it, copied to",
                lines_after_fork));
    for (const auto& filling : line_fillings) {
        for (const auto& keeping : line_keepings) {
            auto id = fmt::format("zeroing-{}-{}", filling.substr(0, filling.find(' ')), keeping);
            add(details(figures, id,
                        fmt::format("Lines filled by {}, {}: what a GiB costs", filling,
                                    keeping == "ring" ? "in a ring" : "every line kept"),
                        test_of(filling, keeping)));
        }
    }
    return blocks;
}

}  // namespace freehold
