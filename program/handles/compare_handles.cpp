// SPDX-License-Identifier: BSL-1.0
#include "handles/compare_handles.hpp"

#include "handles/handles_file.hpp"
#include "report/amounts.hpp"
#include "report/sections/figures.hpp"
#include "report/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr double least_regression = 0.01;
constexpr std::size_t most_changes = 14;

struct totals {
    std::uint64_t operations = 0;
    double nanoseconds = 0;

    void add(const counted_line& line, const operation_costs& costs) {
        operations += line.operations();
        nanoseconds += nanoseconds_of(line, costs);
    }
};

struct before_and_after {
    std::string head;
    totals before;
    totals after;

    [[nodiscard]] double change() const { return after.nanoseconds - before.nanoseconds; }
    [[nodiscard]] bool is_change() const { return before.operations != after.operations; }
};

/// The file's name without folders, the function, and the type. The two programs may have been
/// built in different folders.
using function_key = std::tuple<std::string, std::string, std::string>;

struct lines_of_function {
    std::string file;  // with its folder if one of the runs shows it so
    std::map<int, totals> lines;
};

std::map<function_key, lines_of_function> by_function(const handles_run& run,
                                                      const operation_costs& costs) {
    std::map<function_key, lines_of_function> result;
    for (const counted_line& each : run.counts.lines) {
        lines_of_function& of = result[{std::filesystem::path(each.name).filename().string(),
                                        each.function, type_of(each)}];
        if (each.name.size() > of.file.size()) of.file = each.name;
        of.lines[each.line].add(each, costs);
    }
    return result;
}

std::string line_head(const function_key& key, const std::string& file, const std::string& line) {
    const auto& [name, function, type] = key;
    if (file.empty())
        return fmt::format("{}, {}", std::filesystem::path(function).filename().string(), type);
    return fmt::format("{}:{}, {}", file, line, type);
}

bool is_shorter(const std::string& a, const std::string& b) {
    return a.size() < b.size();
}

void add_lines_of(const function_key& key, const lines_of_function& before,
                  const lines_of_function& after, std::vector<before_and_after>& to) {
    const std::string& file = std::max(before.file, after.file, is_shorter);
    if (before.lines.size() == after.lines.size()) {
        for (auto old = before.lines.begin(), now = after.lines.begin(); old != before.lines.end();
             ++old, ++now)
            to.push_back({line_head(key, file,
                                    old->first == now->first
                                        ? std::to_string(old->first)
                                        : fmt::format("{}, now {}", old->first, now->first)),
                          old->second, now->second});
        return;
    }
    std::map<int, before_and_after> joined;
    for (const auto& [line, figures] : before.lines) joined[line].before = figures;
    for (const auto& [line, figures] : after.lines) joined[line].after = figures;
    for (auto& [line, row] : joined) {
        row.head = line_head(key, file, std::to_string(line));
        to.push_back(std::move(row));
    }
}

std::optional<table_cell> operations_cell(const totals& of) {
    if (of.operations == 0) return std::nullopt;
    return exact_cell(static_cast<double>(of.operations));
}

std::optional<table_cell> known_time_cell(double nanoseconds) {
    if (nanoseconds == 0) return std::nullopt;
    return table_cell{time_text(nanoseconds), nanoseconds, {}, {}, {}};
}

std::optional<table_cell> change_cell(const before_and_after& row) {
    if (row.before.nanoseconds == 0) return table_cell{"new", {}, {}, {}, {}};
    if (row.after.operations == 0) return table_cell{"gone", {}, {}, {}, {}};
    const double change = row.change() / row.before.nanoseconds;
    return table_cell{percent_text(change), change, {}, {}, {}};
}

report_table table_of(std::string id, std::string caption, std::string header,
                      std::vector<before_and_after> rows) {
    report_table table;
    table.id = std::move(id);
    table.caption = std::move(caption);
    table.row_header = std::move(header);
    table.columns = {{"before", "operations", ""},
                     {"after", "operations", ""},
                     {"before", "time", ""},
                     {"after", "time", ""},
                     {"change", "time", ""}};
    std::erase_if(rows, [](const before_and_after& row) { return !row.is_change(); });
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::abs(a.change()) > std::abs(b.change());
    });
    if (rows.size() > most_changes) {
        table.note = fmt::format("and {} more", rows.size() - most_changes);
        rows.resize(most_changes);
    }
    for (const before_and_after& row : rows)
        table.rows.push_back({row.head,
                              false,
                              {operations_cell(row.before), operations_cell(row.after),
                               known_time_cell(row.before.nanoseconds),
                               known_time_cell(row.after.nanoseconds), change_cell(row)}});
    return table;
}

totals sum_of(const handles_run& run, const operation_costs& costs) {
    totals sum;
    for (const counted_line& each : run.counts.lines) sum.add(each, costs);
    return sum;
}

std::vector<std::string> findings_of(const handles_run& before, const handles_run& after,
                                     const totals& then, const totals& now) {
    std::vector<std::string> findings{
        fmt::format("{} operations on counts instead of {}. They take about {} instead of "
                    "{}.",
                    count_text(static_cast<double>(now.operations)),
                    count_text(static_cast<double>(then.operations)), time_text(now.nanoseconds),
                    time_text(then.nanoseconds))};
    if (before.cpu_seconds && after.cpu_seconds)
        findings.push_back(fmt::format(
            "Without Valgrind, the program took {} of CPU time instead of {}, in one run each.",
            time_text(*after.cpu_seconds * 1e9), time_text(*before.cpu_seconds * 1e9)));
    if (before.exit_status != after.exit_status)
        findings.push_back(fmt::format("The two runs ended with different statuses, {} and {}.",
                                       before.exit_status, after.exit_status));
    return findings;
}

}  // namespace

handles_comparison compare_runs(const handles_run& before, const handles_run& after) {
    const operation_costs& costs = before.costs;
    std::map<std::string, before_and_after> types;
    for (const auto& [run, side] : {std::pair{&before, &before_and_after::before},
                                    std::pair{&after, &before_and_after::after}})
        for (const counted_line& each : run->counts.lines) {
            before_and_after& row = types[type_of(each)];
            row.head = type_of(each);
            (row.*side).add(each, costs);
        }
    std::vector<before_and_after> rows_of_types;
    for (auto& [name, row] : types) rows_of_types.push_back(std::move(row));

    auto old = by_function(before, costs);
    auto now = by_function(after, costs);
    for (const auto& [key, lines] : now) old.try_emplace(key);
    std::vector<before_and_after> rows_of_lines;
    for (const auto& [key, lines] : old) add_lines_of(key, lines, now[key], rows_of_lines);

    const totals then = sum_of(before, costs);
    const totals since = sum_of(after, costs);
    return {findings_of(before, after, then, since),
            table_of("types", "By type", "type", std::move(rows_of_types)),
            table_of("lines", "By line", "line", std::move(rows_of_lines)),
            since.nanoseconds > then.nanoseconds * (1 + least_regression)};
}

int compare_handles_command(const std::filesystem::path& before,
                            const std::filesystem::path& after) {
    const handles_comparison found = compare_runs(load_run(before), load_run(after));
    const terminal_style style = style_of_standard_output();
    for (const report_table* table : {&found.types, &found.lines}) {
        if (table->rows.empty()) continue;
        print_table(std::cout, *table, style);
        std::cout << '\n';
    }
    for (const std::string& each : found.findings) std::cout << paragraph_text(each, style);
    std::cout << std::flush;
    return found.is_regression ? 2 : 0;
}

}  // namespace freehold
