// SPDX-License-Identifier: BSL-1.0
#include "report/sections/aims.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

table_cell words(std::string text) {
    return {std::move(text), {}, {}, {}, {}};
}

table_cell limit_cell(const aim_row& wanted) {
    return words(wanted.unit.empty() ? fmt::format("{}", wanted.at_most)
                                     : fmt::format("{} {}", wanted.at_most, wanted.unit));
}

std::optional<table_cell> reference_cell(const aim_row& wanted) {
    if (wanted.reference.empty()) return std::nullopt;
    return words(wanted.reference);
}

table_cell measured_cell(const aim_row& wanted, const estimate& figure) {
    const bool is_counted = wanted.reference.empty() && figure.bounds.low == figure.bounds.high;
    return is_counted ? exact_cell(figure.value) : estimate_cell(figure);
}

/// Where the interval holds the aim itself, more runs might say either.
const char* verdict_of(const aim_row& wanted, const estimate& figure) {
    if (figure.bounds.high <= wanted.at_most) return "yes";
    return figure.bounds.low > wanted.at_most ? "no" : "unsure";
}

struct tally {
    std::size_t reached = 0;
    std::size_t known = 0;
};

/// Nothing where no setting asked for a figure of it.
std::optional<table_row> row_of(const aim_row& wanted, const std::vector<aim_figure>& figures,
                                std::vector<tally>& tallies) {
    table_row row{wanted.what, false, {limit_cell(wanted), reference_cell(wanted)}};
    bool asked = false;
    for (std::size_t i = 0; i != figures.size(); ++i) {
        const auto& [figure, missing] = figures[i];
        asked = asked || figure || !missing.empty();
        if (!figure) {
            row.cells.push_back(missing.empty() ? std::nullopt
                                                : std::optional(words("no " + missing)));
            row.cells.emplace_back();
            continue;
        }
        const std::string verdict = verdict_of(wanted, *figure);
        ++tallies[i].known;
        if (verdict == "yes") ++tallies[i].reached;
        row.cells.push_back(measured_cell(wanted, *figure));
        row.cells.push_back(words(verdict));
    }
    return asked ? std::optional(std::move(row)) : std::nullopt;
}

}  // namespace

aims_result aims_of(report_table description, const std::vector<aim_row>& aims,
                    const std::vector<setting>& settings, const aim_source& source) {
    aims_result result{std::move(description), {}};
    auto& table = result.table;
    table.columns = {{"at most", "aim", ""}, {"of", "aim", ""}};
    for (const auto& where : settings) {
        table.columns.push_back({"measured", where.label, ""});
        table.columns.push_back({"reached", where.label, ""});
    }
    std::vector<tally> tallies(settings.size());
    for (std::size_t index = 0; index != aims.size(); ++index) {
        std::vector<aim_figure> figures;
        for (const auto& where : settings) figures.push_back(source(index, where));
        if (auto row = row_of(aims[index], figures, tallies)) {
            table.rows.push_back(std::move(*row));
        }
    }
    for (std::size_t i = 0; i != settings.size(); ++i) {
        if (tallies[i].known == 0) continue;
        result.reached.push_back(fmt::format("{} of {} with {}", tallies[i].reached,
                                             tallies[i].known, settings[i].label));
    }
    return result;
}

}  // namespace freehold
