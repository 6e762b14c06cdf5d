// SPDX-License-Identifier: BSL-1.0
// Tables of contenders against settings.
#pragma once

#include "report/model.hpp"
#include "report/sections/figures.hpp"
#include "report/sections/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// Gives the cell of one contender; nothing where there is none.
using cell_source = std::function<std::optional<table_cell>(const contender&)>;

/// A table that columns are added to, one row for each contender.
class contender_table {
public:
    contender_table(report_table description, const std::vector<contender>& contenders);

    void add_column(table_column column, const cell_source& source);

    /// Marks the lowest value of the column added last among the contenders chosen, and those whose
    /// interval overlaps its interval.
    void mark_lowest(const std::function<bool(const contender&)>& chosen);

    /// Without the rows and columns that have no cell.
    [[nodiscard]] report_table finished() const;

private:
    report_table table_;
    std::vector<contender> contenders_;
};

/// How a figure is written: `figure_text` for what was timed, `exact_text` for what was counted.
using figure_writer = std::string (*)(double);

/// The points of a plot as a table, x or the category in the row's head.
[[nodiscard]] report_table data_of(const report_plot& plot, figure_writer write = figure_text);

}  // namespace freehold
