// SPDX-License-Identifier: BSL-1.0
#include "report/compare_files.hpp"

#include "analyse/comparison.hpp"
#include "report/sections/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

using analyse::verdict;

constexpr std::size_t most_noisy_rows = 10;

/// A cell of either side, with the samples of all its runs on each side. Samples are empty if a
/// side lacks the cell.
struct paired_cell {
    std::string suite;
    const measurement* either = nullptr;
    const result_file* file = nullptr;  // the file that contains `either`
    analyse::samples_by_process base;
    analyse::samples_by_process changed;
    std::size_t placements = 0;  // 1 if the processes of some run did not run all of them equally
};

/// In how many placements the processes of a measurement ran, if equally often.
std::size_t placements_of(const result_file& file, const measurement& cell) {
    const auto lab = std::find_if(file.labs.begin(), file.labs.end(),
                                  [&](const auto& each) { return each.name == cell.lab; });
    const auto placements =
        lab == file.labs.end() ? std::size_t{1} : static_cast<std::size_t>(lab->placements);
    return cell.samples.size() % placements == 0 ? placements : 1;
}

using cell_key =
    std::tuple<std::string, std::string, std::string, std::string, std::optional<std::int64_t>>;

/// Whether a change of freehold's own code cannot affect the subject.
bool is_control(const subject& which) {
    static const std::set<std::string> foreign{"lower_bound", "standard", "boost", "allocator",
                                               "other"};
    const auto& key = which.key;
    const bool uses_freehold = key.find("freehold") != std::string::npos ||
                               key.find(".pool") != std::string::npos || key == "dumb" ||
                               key == "lower_bound.arc";
    return foreign.contains(which.family) && !uses_freehold;
}

cell_key key_of(const measurement& cell) {
    return {cell.lab, cell.process, cell.subject, cell.test_case, cell.n};
}

std::vector<paired_cell> pair_cells(std::span<const run_pair> runs) {
    std::vector<paired_cell> pairs;
    std::map<std::pair<std::string, cell_key>, std::size_t> known;
    const auto add = [&](const result_file& file, analyse::samples_by_process paired_cell::*side) {
        for (const auto& [name, measured] : file.suites) {
            for (const auto& cell : measured.measurements) {
                // A share says what the time was spent on, not how much time it was. A larger share
                // is no regression.
                if (cell.unit == "%") continue;
                const auto [at, fresh] = known.try_emplace({name, key_of(cell)}, pairs.size());
                const std::size_t placements = placements_of(file, cell);
                if (fresh) pairs.push_back({name, &cell, &file, {}, {}, placements});
                if (pairs[at->second].placements != placements) pairs[at->second].placements = 1;
                auto& samples = pairs[at->second].*side;
                samples.insert(samples.end(), cell.samples.begin(), cell.samples.end());
            }
        }
    };
    for (const auto& run : runs) {
        add(run.base, &paired_cell::base);
        add(run.changed, &paired_cell::changed);
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.suite < b.suite; });
    return pairs;
}

/// A case, or the whole suite if the case has few cells.
std::vector<std::string> families_of(const std::vector<paired_cell>& pairs) {
    constexpr int fewest_cells = 10;
    const auto case_of = [](const paired_cell& pair) {
        return fmt::format("{}, {} {}", pair.suite, pair.either->test_case,
                           pair.either->n.value_or(0));
    };
    std::map<std::string, int> cells;
    for (const auto& pair : pairs) ++cells[case_of(pair)];
    std::vector<std::string> families;
    for (const auto& pair : pairs) {
        const std::string own = case_of(pair);
        families.push_back(cells[own] < fewest_cells ? pair.suite : own);
    }
    return families;
}

analyse::compared_cell compared(const paired_cell& pair, const std::string& family) {
    const auto& cell = *pair.either;
    analyse::compared_cell input;
    input.setting = fmt::format("{}, {}, {}", pair.suite, cell.lab, cell.process);
    input.family = family;
    const subject* measured = pair.file->find_subject(cell.subject);
    input.control = measured != nullptr && is_control(*measured);
    input.exact = cell.exact;
    input.placements = pair.placements;
    input.base = pair.base;
    input.changed = pair.changed;
    return input;
}

std::string verdict_text(verdict outcome, bool exact) {
    switch (outcome) {
        case verdict::slower:
            return exact ? "larger" : "slower";
        case verdict::faster:
            return exact ? "smaller" : "faster";
        case verdict::no_change:
            return "no change";
        case verdict::too_noisy:
            return "too noisy";
        case verdict::appeared:
            return "appeared";
        case verdict::disappeared:
            return "disappeared";
    }
    return {};
}

std::string subject_name(const paired_cell& pair) {
    const subject* found = pair.file->find_subject(pair.either->subject);
    return found == nullptr ? pair.either->subject : found->name;
}

std::string case_label(const paired_cell& pair) {
    const auto& test_case = pair.either->test_case;
    const auto* found = pair.file->suites.at(pair.suite).description.find_case(test_case);
    return found == nullptr ? test_case : found->label;
}

table_row row_of(const paired_cell& pair, const analyse::judgement& judged) {
    const auto& cell = *pair.either;
    table_row row;
    row.head = fmt::format("{} {}, {}", cell.lab, subject_name(pair), case_label(pair));
    if (cell.n) row.head += fmt::format(" {}", *cell.n);
    if (cell.process == "single") row.head += " (one thread)";
    const auto figure = [&](const analyse::samples_by_process& side,
                            double value) -> std::optional<table_cell> {
        if (side.empty()) return std::nullopt;
        auto shown = cell.exact ? exact_cell(value) : figure_cell(value);
        shown.text += " " + cell.unit;
        return shown;
    };
    row.cells.push_back(figure(pair.base, judged.base));
    row.cells.push_back(figure(pair.changed, judged.changed));
    const bool known = !pair.base.empty() && !pair.changed.empty();
    row.cells.push_back(known ? std::optional(table_cell{percent_text(judged.change),
                                                         judged.change,
                                                         judged.bounds.low,
                                                         judged.bounds.high,
                                                         {}})
                              : std::nullopt);
    const bool uncertain = known && !cell.exact && std::isfinite(judged.bounds.low);
    row.cells.push_back(uncertain
                            ? std::optional(table_cell{percent_text(judged.bounds.low) + " to " +
                                                           percent_text(judged.bounds.high),
                                                       {},
                                                       {},
                                                       {},
                                                       {}})
                            : std::nullopt);
    row.cells.push_back(table_cell{verdict_text(judged.outcome, cell.exact), {}, {}, {}, {}});
    return row;
}

/// The table of the suite. Appends a new table if the last one belongs to another suite.
report_table& table_for(std::vector<report_table>& tables, const std::string& suite) {
    if (tables.empty() || tables.back().id != suite) {
        tables.push_back({.id = suite,
                          .caption = suite,
                          .note = {},
                          .row_header = "cell",
                          .columns = {{"base", "", ""},
                                      {"new", "", ""},
                                      {"change", "", ""},
                                      {"95 % interval", "", ""},
                                      {"verdict", "", ""}},
                          .rows = {}});
    }
    return tables.back();
}

double change_of(const table_row& row) {
    const auto& change = row.cells[2];
    return change && std::isfinite(*change->value) ? *change->value : 0;
}

/// The worst regression first.
void sort_rows(report_table& table) {
    std::stable_sort(
        table.rows.begin(), table.rows.end(),
        [](const table_row& a, const table_row& b) { return change_of(a) > change_of(b); });
}

void shorten(report_table& table) {
    if (table.rows.size() <= most_noisy_rows) return;
    table.note = fmt::format("and {} more", table.rows.size() - most_noisy_rows);
    table.rows.resize(most_noisy_rows);
}

void describe_shifts(file_comparison& result, const std::vector<analyse::common_shift>& shifts) {
    for (const auto& shift : shifts) {
        if (shift.one_process) {
            result.doubts.push_back(
                shift.setting +
                ": one process on each side, so the interval does not include the "
                "differences between processes");
        }
        const bool certain = shift.bounds.low > 0 || shift.bounds.high < 0;
        if (!certain || std::abs(shift.change) < 0.01) continue;
        result.shifts.push_back(
            fmt::format("{}: {} ({} to {})", shift.setting, percent_text(shift.change),
                        percent_text(shift.bounds.low), percent_text(shift.bounds.high)));
    }
}

}  // namespace

file_comparison compare_files(std::span<const run_pair> runs) {
    const auto pairs = pair_cells(runs);
    std::vector<analyse::compared_cell> cells;
    const auto families = families_of(pairs);
    for (std::size_t i = 0; i != pairs.size(); ++i)
        cells.push_back(compared(pairs[i], families[i]));
    const auto judged = analyse::compare(cells);

    file_comparison result;
    for (const auto& run : runs) {
        for (auto& doubt : environment_differences(run.base, run.changed)) {
            const bool said =
                std::find(result.doubts.begin(), result.doubts.end(), doubt) != result.doubts.end();
            if (!said) result.doubts.push_back(std::move(doubt));
        }
    }
    for (std::size_t i = 0; i != pairs.size(); ++i) {
        const auto& cell = judged.cells[i];
        const std::map<verdict, std::size_t file_comparison::*> counters{
            {verdict::slower, &file_comparison::slower},
            {verdict::faster, &file_comparison::faster},
            {verdict::no_change, &file_comparison::unchanged},
            {verdict::too_noisy, &file_comparison::too_noisy},
            {verdict::appeared, &file_comparison::appeared},
            {verdict::disappeared, &file_comparison::disappeared}};
        ++(result.*counters.at(cell.outcome));
        if (cell.outcome == verdict::no_change) continue;
        const bool in_both = !pairs[i].base.empty() && !pairs[i].changed.empty();
        auto& tables = !in_both                             ? result.lacking
                       : cell.outcome == verdict::too_noisy ? result.noisy
                                                            : result.changes;
        table_for(tables, pairs[i].suite).rows.push_back(row_of(pairs[i], cell));
    }
    for (auto& table : result.changes) sort_rows(table);
    std::stable_sort(result.changes.begin(), result.changes.end(),
                     [](const auto& a, const auto& b) {
                         return change_of(a.rows.front()) > change_of(b.rows.front());
                     });
    for (auto& table : result.noisy) {
        sort_rows(table);
        shorten(table);
    }
    describe_shifts(result, judged.shifts);
    return result;
}

int file_comparison::exit_status() const {
    if (slower != 0) return 2;
    return too_noisy != 0 ? 3 : 0;
}

std::string file_comparison::conclusion() const {
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, const char* what) {
        if (count != 0) parts.push_back(fmt::format("{} {}", count, what));
    };
    add(slower, "slower or larger");
    add(faster, "faster or smaller");
    add(unchanged, "unchanged");
    add(too_noisy, "too noisy to tell");
    add(appeared, "only in the new file");
    add(disappeared, "only in the base");
    return parts.empty() ? "Neither file measured anything." : joined(parts) + ".";
}

}  // namespace freehold
