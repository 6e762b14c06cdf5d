// SPDX-License-Identifier: BSL-1.0
#include "report/terminal_table.hpp"

#include "report/terminal.hpp"

#include <algorithm>

namespace freehold {

namespace {

std::size_t end_of_group(const report_table& table, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < table.columns.size() && table.columns[end].group == table.columns[begin].group) {
        ++end;
    }
    return end;
}

}  // namespace

std::string heading_of(const table_column& column) {
    return column.unit.empty() ? column.label : column.label + " [" + column.unit + "]";
}

std::string shown_in(const std::optional<table_cell>& cell) {
    if (!cell) return "\u2013";
    return cell->mark == "lowest" ? "*" + cell->text : cell->text;
}

table_layout lay_out(const report_table& table, std::size_t width) {
    table_layout layout;
    layout.head_width = display_width(table.row_header);
    for (const auto& row : table.rows) {
        const auto head = display_width(row.head);
        if (head <= width / 2) layout.head_width = std::max(layout.head_width, head);
    }
    for (std::size_t c = 0; c != table.columns.size(); ++c) {
        std::size_t widest = display_width(heading_of(table.columns[c]));
        for (const auto& row : table.rows) {
            widest = std::max(widest, display_width(shown_in(row.cells[c])));
        }
        layout.widths.push_back(widest);
    }

    // A group's heading may be wider than its columns. Then the last column is widened.
    for (std::size_t begin = 0; begin != table.columns.size();) {
        const auto end = end_of_group(table, begin);
        std::size_t together = (end - begin - 1) * column_gap;
        for (std::size_t c = begin; c != end; ++c) together += layout.widths[c];
        const auto heading = display_width(table.columns[begin].group);
        if (heading > together) layout.widths[end - 1] += heading - together;
        begin = end;
    }

    const auto taken = [&](std::size_t begin, std::size_t end) {
        std::size_t sum = 0;
        for (std::size_t c = begin; c != end; ++c) sum += layout.widths[c] + column_gap;
        return sum;
    };
    const std::size_t room = width > layout.head_width ? width - layout.head_width : 0;
    for (std::size_t begin = 0; begin != table.columns.size();) {
        std::size_t end = begin;
        while (end != table.columns.size()) {
            const auto next = end_of_group(table, end);
            if (taken(begin, next) > room) break;
            end = next;
        }
        if (end == begin) {
            // Not even one group fits. Take as many of its columns as fit, and at least one.
            const auto group_end = end_of_group(table, begin);
            end = begin + 1;
            while (end != group_end && taken(begin, end + 1) <= room) ++end;
        }
        layout.parts.push_back({begin, end});
        begin = end;
    }
    return layout;
}

}  // namespace freehold
