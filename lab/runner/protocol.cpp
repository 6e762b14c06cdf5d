// SPDX-License-Identifier: BSL-1.0
#include "runner/protocol.hpp"

#include <iostream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace lab {
namespace {

using json = nlohmann::ordered_json;

void print_line(const json& line) {
    std::cout << line.dump() << std::endl;
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
}

json as_json(const char* event, const figure& what, double value) {
    json line = {{"event", event}, {"competitor", what.competitor}, {"test", what.test}};
    if (what.n) line["n"] = *what.n;
    line["unit"] = what.unit;
    line["value"] = value;
    if (!what.note.empty()) line["note"] = what.note;
    return line;
}

}  // namespace

void print_plan(std::size_t runs) {
    print_line({{"event", "plan"}, {"runs", runs}});
}

void print_sample(const figure& what, double value, std::size_t repetition) {
    json line = as_json("sample", what, value);
    line["repetition"] = repetition;
    print_line(line);
}

void print_exact(const exact_cell& cell) {
    print_line(as_json("exact", cell.what, cell.value));
}

void print_skipped(const skipped_cell& cell, std::size_t planned_runs) {
    json line = {{"event", "skipped"},
                 {"competitor", cell.competitor},
                 {"test", cell.test},
                 {"reason", cell.reason}};
    if (planned_runs != 0) line["runs"] = planned_runs;
    print_line(line);
}

void print_done() {
    print_line({{"event", "done"}});
}

}  // namespace lab
