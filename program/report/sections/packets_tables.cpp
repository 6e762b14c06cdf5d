// SPDX-License-Identifier: BSL-1.0
#include "report/sections/competitors.hpp"
#include "report/sections/packets.hpp"
#include "report/sections/tables.hpp"

#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr std::array<const char*, 4> patterns{"one", "burst", "bulk", "fifo"};

struct probe {
    const char* test;
    const char* library;  // beside the compiler; none where it is the compiler's own
    const char* label;
};

constexpr std::array<probe, 6> probes{
    {{"zeroing probe", "", "left as it is"},
     {"zeroing probe, zeroed", "", "zeroed"},
     {"zeroing probe, no constructor", "", "no constructor"},
     {"zeroing probe, libc++", "libc++", "left as it is"},
     {"zeroing probe, zeroed, libc++", "libc++", "zeroed"},
     {"zeroing probe, no constructor, libc++", "libc++", "no constructor"}}};

/// "2,048, memset"
std::optional<table_cell> zeroed_cell(const setting& where, const contender& who,
                                      const char* test) {
    const auto* cell = find_measurement(where, "packets", who, test);
    if (cell == nullptr) return std::nullopt;
    auto shown = exact_cell(estimate_of(*cell).value);
    if (cell->note && *cell->note != "nothing") shown.text += ", " + *cell->note;
    return shown;
}

std::vector<packets_block> unless_empty(report_table table) {
    if (table.rows.empty()) return {};
    return {std::move(table)};
}

}  // namespace

report_table beside_floors(report_table table) {
    for (auto& row : table.rows) row.reference = family_of(row.head) == family::floor;
    return table;
}

std::vector<packets_block> same_thread_blocks(const packets_figures& figures) {
    contender_table table(
        {.id = "packets-same-thread",
         .caption = "Packets taken and given back by the same thread: time for each",
         .note = "Medians, with half the width of their 95 % interval. One: taken and given back. "
                 "Burst: 32 taken one by one, then given back. Bulk: 32 in one call, where there "
                 "is one. Fifo: 1024 are out, the oldest is given back. The floor is a list of the "
                 "thread's own.",
         .row_header = "competitor"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto* pattern : patterns) {
            table.add_column({pattern, where.label, "ns"}, [&](const contender& who) {
                return figures.cell(where, who, fmt::format("same thread, {}", pattern));
            });
            table.mark_lowest(
                [](const contender& who) { return family_of(who.name) != family::floor; });
        }
    }
    return unless_empty(beside_floors(table.finished()));
}

std::vector<packets_block> zeroing_blocks(const packets_figures& figures) {
    contender_table table(
        {.id = "packets-zeroing",
         .caption = "Bytes of a packet of 2 KiB that making it sets to zero, and what does it",
         .note =
             "Counted in the packet when it is made, and read from the code that the compiler "
             "made. Left as it is: of a packet whose constructor leaves its bytes alone nothing "
             "should be zeroed. No constructor: nobody asks for zeros, but the standard has "
             "make_shared and its like make a T(), which zeroes such a packet; those for "
             "overwriting do not.",
         .row_header = "way"},
        figures.contenders());
    for (const auto& where : figures.settings()) {
        for (const auto& probe : probes) {
            const std::string library = probe.library;
            const auto group = library.empty() ? where.label : where.label + ", " + library;
            table.add_column({probe.label, group, "bytes"}, [&](const contender& who) {
                return zeroed_cell(where, who, probe.test);
            });
        }
    }
    return unless_empty(table.finished());
}

}  // namespace freehold
