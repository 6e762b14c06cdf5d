// SPDX-License-Identifier: BSL-1.0
#include "report/sections/figures.hpp"
#include "report/sections/sharing.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace freehold {

namespace {

struct aim {
    const char* what;
    const char* competitor;
    const char* suite;
    const char* test;
    const char* reference;  // what the ratio is to; null where the figure itself is limited
    double at_most;
};

constexpr const char* standard = "std::make_shared";

constexpr std::array aims{
    aim{"copy and release", "freehold::make_shared", "operations", "copy", "locked pair", 1.03},
    aim{"copy and release", "freehold::arc", "operations", "copy", "locked pair", 1.03},
    aim{"copy and release", "freehold::make_shared, local", "operations", "copy", "plain pair",
        1.15},
    aim{"copy and release", "freehold::arc, local", "operations", "copy", "plain pair", 1.15},
    aim{"copy and release", "freehold::make_shared, biased", "operations", "copy", standard, 0.12},
    aim{"copy and release", "freehold::arc, biased", "operations", "copy", standard, 0.12},
    aim{"copy on another thread", "freehold::make_shared, biased", "threads", "non-owner", standard,
        0.95},
    aim{"copy on another thread", "freehold::arc, biased", "threads", "non-owner", standard, 0.95},
    aim{"copy after sharing", "freehold::make_shared, biased", "threads", "after sharing", standard,
        0.95},
    aim{"copy after sharing", "freehold::arc, biased", "threads", "after sharing", standard, 0.95},
    aim{"move", "freehold::arc", "operations", "move", standard, 0.15},
    aim{"make and release, one", "freehold::arc", "construction", "one", standard, 0.12},
    aim{"make and release, one", "freehold::make_shared", "construction", "one", standard, 0.30},
    aim{"make and release, 1024 alive", "freehold::arc", "construction", "1024 alive", standard,
        0.12},
    aim{"make and release, 1024 alive", "freehold::make_shared", "construction", "1024 alive",
        standard, 0.18},
    aim{"fill a vector", "freehold::arc", "construction", "fill", standard, 0.35},
    aim{"fill it again", "freehold::arc", "construction", "refill", standard, 0.9},
    aim{"weak lock and drop", "freehold::make_shared, biased", "operations", "lock", standard, 0.2},
    aim{"weak lock and drop", "freehold::make_shared", "operations", "lock", standard, 0.85},
    aim{"bytes beyond the object", "freehold::arc", "footprint", "beyond the object", nullptr, 16},
    aim{"bytes beyond the object", "freehold::make_shared", "footprint", "beyond the object",
        standard, 1}};

std::optional<estimate> measured(const aim& wanted, const setting& where,
                                 const sharing_figures& figures) {
    const auto* suite = figures.suite(wanted.suite);
    const contender who{wanted.competitor, "threaded", wanted.competitor};
    if (wanted.reference == nullptr) return suite->find(where, who, wanted.test);
    return suite->times(where, who, wanted.test, wanted.reference);
}

/// "copy and release: arc, biased"
std::string head_of(const aim& wanted) {
    constexpr std::string_view ours = "freehold::";
    return fmt::format("{}: {}", wanted.what,
                       std::string_view(wanted.competitor).substr(ours.size()));
}

table_cell limit_cell(const aim& wanted) {
    const auto* unit = wanted.reference == nullptr ? " bytes" : "";
    return {fmt::format("{}{}", wanted.at_most, unit), {}, {}, {}, {}};
}

std::optional<table_cell> reference_cell(const aim& wanted) {
    if (wanted.reference == nullptr) return std::nullopt;
    return table_cell{wanted.reference, {}, {}, {}, {}};
}

/// Where the interval holds the aim itself, more runs might say either.
const char* verdict_of(const aim& wanted, const estimate& figure) {
    if (figure.bounds.high <= wanted.at_most) return "yes";
    return figure.bounds.low > wanted.at_most ? "no" : "unsure";
}

}  // namespace

sharing_figures::sharing_figures(const std::vector<setting>& settings) {
    for (const auto* name : names_) suites_.emplace_back(settings, name);
}

const suite_medians* sharing_figures::suite(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? nullptr
                                 : &suites_[static_cast<std::size_t>(found - names_.begin())];
}

sharing_aims sharing_aims_of(const std::vector<setting>& settings, const sharing_figures& figures) {
    sharing_aims result;
    auto& table = result.table;
    table.id = "sharing-aims";
    table.caption = "What freehold's handles are to reach, and what they do";
    table.note =
        "Aims are ratios to what the same run measured. Unsure: the aim lies within the interval.";
    table.row_header = "what";
    table.columns = {{"at most", "aim", ""}, {"of", "aim", ""}};
    for (const auto& where : settings) {
        table.columns.push_back({"measured", where.label, ""});
        table.columns.push_back({"reached", where.label, ""});
    }
    std::vector<std::size_t> reached(settings.size());
    std::vector<std::size_t> known(settings.size());
    for (const auto& wanted : aims) {
        table_row row{head_of(wanted), false, {limit_cell(wanted), reference_cell(wanted)}};
        for (std::size_t i = 0; i != settings.size(); ++i) {
            const auto figure = measured(wanted, settings[i], figures);
            if (!figure) {
                row.cells.insert(row.cells.end(), 2, std::nullopt);
                continue;
            }
            const std::string verdict = verdict_of(wanted, *figure);
            ++known[i];
            if (verdict == "yes") ++reached[i];
            row.cells.push_back(wanted.reference == nullptr ? exact_cell(figure->value)
                                                            : estimate_cell(*figure));
            row.cells.push_back(table_cell{verdict, {}, {}, {}, {}});
        }
        const bool any = std::any_of(row.cells.begin() + 2, row.cells.end(),
                                     [](const auto& cell) { return cell.has_value(); });
        if (any) table.rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; i != settings.size(); ++i) {
        if (known[i] == 0) continue;
        result.reached.push_back(
            fmt::format("{} of {} with {}", reached[i], known[i], settings[i].label));
    }
    return result;
}

}  // namespace freehold
