// SPDX-License-Identifier: BSL-1.0
#include "runner/protocol.hpp"

#include <iostream>
#include <stdexcept>

namespace lab {
namespace {

using nlohmann::ordered_json;

void print_line(const ordered_json& line) {
    std::cout << line.dump() << std::endl;
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
}

ordered_json as_json(const char* event, const figure& what, const std::string& unit, double value) {
    ordered_json line = {{"event", event}, {"subject", what.subject}, {"case", what.case_key}};
    if (what.n) line["n"] = *what.n;
    line["unit"] = unit;
    line["value"] = value;
    if (!what.note.empty()) line["note"] = what.note;
    return line;
}

}  // namespace

void printer::plan(std::size_t runs) const {
    print_line({{"event", "plan"}, {"runs", runs}});
}

void printer::sample(const figure& what, double value, std::size_t repetition) const {
    ordered_json line = as_json("sample", what, suite_.find(what.case_key).unit, value);
    line["repetition"] = repetition;
    print_line(line);
}

void printer::exact(const exact_cell& cell) const {
    print_line(as_json("exact", cell.what, suite_.find(cell.what.case_key).unit, cell.value));
}

void printer::skipped(const skipped_cell& cell, std::size_t planned_runs) const {
    ordered_json line = {{"event", "skipped"},
                         {"subject", cell.subject},
                         {"case", cell.case_key},
                         {"reason", cell.reason}};
    if (planned_runs != 0) line["runs"] = planned_runs;
    print_line(line);
}

void printer::done(const sample_counts& counts) const {
    print_line({{"event", "done"}, {"repeated", counts.repeated}, {"disturbed", counts.disturbed}});
}

}  // namespace lab
