// SPDX-License-Identifier: BSL-1.0
#include "report/compare_command.hpp"

#include "results/result_file.hpp"

#include <iostream>
#include <vector>

namespace freehold {

namespace {

void print_lines(std::ostream& out, const std::string& heading,
                 const std::vector<std::string>& lines, const terminal_style& style) {
    if (lines.empty()) return;
    out << bold(heading, style) << '\n';
    for (const auto& line : lines) out << "  " << paragraph_text(line, style, 2);
    out << '\n';
}

void print_tables(std::ostream& out, const std::string& heading,
                  const std::vector<report_table>& tables, const terminal_style& style) {
    if (tables.empty()) return;
    out << bold(heading, style) << '\n';
    for (const auto& table : tables) {
        print_table(out, table, style);
        out << '\n';
    }
}

}  // namespace

void print_comparison(std::ostream& out, const file_comparison& found, bool all,
                      const terminal_style& style) {
    print_lines(out, "Doubtful, because this differs", found.doubts, style);
    print_lines(out,
                "Shifts of everything that was measured together, subtracted from "
                "every change",
                found.shifts, style);
    print_tables(out, "What changed", found.changes, style);
    print_tables(out, "Too noisy to tell whether it changed by 5 %", found.noisy, style);
    if (all) print_tables(out, "In one of the files only", found.lacking, style);
    out << found.conclusion() << '\n';
    if (!all && !found.lacking.empty())
        out << paragraph_text("--all lists the cells that only one of the files has.", style);
    if (found.too_noisy != 0) {
        out << paragraph_text(
            "Measure both alternately, several times, and name all files; or "
            "measure with --full. `freehold doctor` says what disturbs this "
            "machine.",
            style);
    }
}

int compare_command(std::span<const std::pair<std::string, std::string>> files, bool all) {
    std::vector<run_pair> runs;
    for (const auto& [base, changed] : files) {
        runs.push_back({load_results(base), load_results(changed)});
    }
    const auto found = compare_files(runs);
    print_comparison(std::cout, found, all, style_of_standard_output());
    std::cout << std::flush;
    return found.exit_status();
}

}  // namespace freehold
