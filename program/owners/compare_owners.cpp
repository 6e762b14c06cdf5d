// SPDX-License-Identifier: BSL-1.0
#include "owners/compare_owners.hpp"

#include "owners/owners_file.hpp"
#include "report/amounts.hpp"
#include "report/sections/figures.hpp"
#include "report/terminal.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::size_t most_changes = 20;

/// Numbers before and after, by what they count.
struct change {
    std::uint64_t before = 0;
    std::uint64_t after = 0;

    [[nodiscard]] std::int64_t growth() const { return static_cast<std::int64_t>(after - before); }
};

struct changed_type {
    change alive;
    change bytes;
    change leaked;  // or lost
};

std::map<std::string, changed_type> types_of(const owners_report& before,
                                             const owners_report& after) {
    std::map<std::string, changed_type> result;
    for (const auto& [report, side] :
         {std::pair{&before, &change::before}, std::pair{&after, &change::after}})
        for (const owned_type& each : report->types) {
            changed_type& type = result[each.type];
            type.alive.*side = each.alive;
            type.bytes.*side = each.bytes;
            type.leaked.*side = each.leaked + each.lost;
        }
    return result;
}

std::map<std::string, change> rings_of(const owners_report& before, const owners_report& after) {
    std::map<std::string, change> result;
    for (const auto& [report, side] :
         {std::pair{&before, &change::before}, std::pair{&after, &change::after}})
        for (const owner_ring& each : report->rings) result[text_of(each)].*side += each.instances;
    return result;
}

std::optional<table_cell> growth_cell(std::int64_t growth) {
    const std::string size = count_text(static_cast<std::uint64_t>(growth < 0 ? -growth : growth));
    return table_cell{growth == 0 ? "0" : (growth < 0 ? "-" : "+") + size,
                      static_cast<double>(growth),
                      {},
                      {},
                      {}};
}

/// Sorts the rows by the growth in their last cell, and leaves out those beyond the most.
void finish(report_table& table) {
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return a.cells.back()->value > b.cells.back()->value;
    });
    if (table.rows.size() <= most_changes) return;
    table.note = fmt::format("and {} more", table.rows.size() - most_changes);
    table.rows.resize(most_changes);
}

void print(report_table table, const terminal_style& style) {
    if (table.rows.empty()) return;
    finish(table);
    print_table(std::cout, table, style);
    std::cout << '\n';
}

}  // namespace

int compare_owners_command(const std::filesystem::path& before,
                           const std::filesystem::path& after) {
    const owners_report old = load_owners(before);
    const owners_report now = load_owners(after);
    const terminal_style style = style_of_standard_output();

    report_table types;
    types.caption = "Objects by type";
    types.row_header = "type";
    types.columns = {{"before", "alive", ""},          {"after", "alive", ""},
                     {"before", "leaked or lost", ""}, {"after", "leaked or lost", ""},
                     {"bytes", "growth", ""},          {"alive", "growth", ""}};
    std::int64_t more_leaked = 0;
    for (const auto& [name, type] : types_of(old, now)) {
        more_leaked += std::max<std::int64_t>(type.leaked.growth(), 0);
        if (type.alive.growth() == 0 && type.leaked.growth() == 0) continue;
        types.rows.push_back(
            {name,
             false,
             {exact_cell(static_cast<double>(type.alive.before)),
              exact_cell(static_cast<double>(type.alive.after)),
              exact_cell(static_cast<double>(type.leaked.before)),
              exact_cell(static_cast<double>(type.leaked.after)), growth_cell(type.bytes.growth()),
              growth_cell(type.alive.growth())}});
    }
    report_table rings;
    rings.caption = "Rings by shape";
    rings.row_header = "ring";
    rings.columns = {{"before", "", ""}, {"after", "", ""}, {"growth", "", ""}};
    for (const auto& [name, number] : rings_of(old, now))
        if (number.growth() != 0)
            rings.rows.push_back(
                {name,
                 false,
                 {exact_cell(static_cast<double>(number.before)),
                  exact_cell(static_cast<double>(number.after)), growth_cell(number.growth())}});
    const bool is_same = types.rows.empty() && rings.rows.empty();
    print(std::move(types), style);
    print(std::move(rings), style);
    if (old.program != now.program)
        std::cout << fmt::format("The files are of different programs, {} and {}.\n", old.program,
                                 now.program);
    if (is_same)
        std::cout << "No number changed.\n";
    else if (more_leaked > 0)
        std::cout << fmt::format("{} more leaked or lost than before.\n",
                                 number_of(static_cast<std::uint64_t>(more_leaked), "object"));
    else
        std::cout << "No type leaks more objects than before.\n";
    std::cout << std::flush;
    return more_leaked > 0 ? 2 : 0;
}

}  // namespace freehold
