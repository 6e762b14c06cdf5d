// SPDX-License-Identifier: BSL-1.0
// How a table is laid out in a given width: which columns stand side by side, and how wide each is.
#pragma once

#include "report/model.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace freehold {

/// What a column says above its figures: label and unit.
[[nodiscard]] std::string heading_of(const table_column& column);

/// What a cell shows in the terminal: its text, and a star for the lowest of a column.
[[nodiscard]] std::string shown_in(const std::optional<table_cell>& cell);

/// Columns begin to end - 1 of the table, printed under one another's headings.
struct table_part {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct table_layout {
    std::size_t head_width = 0;       // a row whose head is wider has it on a line of its own
    std::vector<std::size_t> widths;  // of each column
    std::vector<table_part> parts;    // each fits the width if any split makes it fit
};

constexpr std::size_t column_gap = 2;

[[nodiscard]] table_layout lay_out(const report_table& table, std::size_t width);

}  // namespace freehold
