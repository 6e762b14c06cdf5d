// SPDX-License-Identifier: BSL-1.0
#include "report/sections/tables.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace freehold {

contender_table::contender_table(report_table description, const std::vector<contender>& contenders)
    : table_(std::move(description)), contenders_(contenders) {
    for (const auto& who : contenders_) table_.rows.push_back({who.head, who.is_reference(), {}});
}

void contender_table::add_column(table_column column, const cell_source& source) {
    table_.columns.push_back(std::move(column));
    for (std::size_t i = 0; i != contenders_.size(); ++i) {
        table_.rows[i].cells.push_back(source(contenders_[i]));
    }
}

void contender_table::mark_lowest(const std::function<bool(const contender&)>& chosen) {
    std::vector<table_cell*> cells;
    for (std::size_t i = 0; i != contenders_.size(); ++i) {
        auto& cell = table_.rows[i].cells.back();
        if (cell && cell->value && chosen(contenders_[i])) cells.push_back(&*cell);
    }
    const auto lowest =
        std::min_element(cells.begin(), cells.end(),
                         [](const auto* a, const auto* b) { return *a->value < *b->value; });
    if (lowest == cells.end()) return;
    const auto estimate_in = [](const table_cell& cell) {
        return estimate{*cell.value,
                        {cell.low.value_or(*cell.value), cell.high.value_or(*cell.value)}};
    };
    for (auto* cell : cells) {
        if (overlap(estimate_in(*cell), estimate_in(**lowest))) cell->mark = "lowest";
    }
}

report_table contender_table::finished() const {
    report_table result = table_;
    std::erase_if(result.rows, [](const table_row& row) {
        return std::none_of(row.cells.begin(), row.cells.end(),
                            [](const auto& cell) { return cell.has_value(); });
    });
    for (std::size_t column = result.columns.size(); column-- != 0;) {
        const auto has_cell = [column](const table_row& row) {
            return row.cells[column].has_value();
        };
        if (std::any_of(result.rows.begin(), result.rows.end(), has_cell)) continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        result.columns.erase(result.columns.begin() + at);
        for (auto& row : result.rows) row.cells.erase(row.cells.begin() + at);
    }
    return result;
}

report_table data_of(const report_plot& plot, figure_writer write) {
    const bool by_category = plot.y.scale == axis_scale::category;
    const auto& measured = by_category ? plot.x : plot.y;
    report_table table;
    table.id = plot.id + "-data";
    table.caption = plot.title;
    table.row_header = by_category ? plot.y.label : plot.x.label;
    std::vector<std::string> levels;
    for (const auto& [at, label] : plot.levels) levels.push_back(label + " at " + write(at));
    if (!levels.empty()) {
        table.note = fmt::format("Lines: {} {}.", joined(levels), measured.unit);
    }

    const auto head_of = [by_category](const plot_point& point) {
        return by_category ? point.category : exact_text(point.x);
    };
    for (const auto& series : plot.series) {
        for (const auto& point : series.points) {
            const auto head = head_of(point);
            const auto same = [&](const table_row& row) { return row.head == head; };
            if (std::none_of(table.rows.begin(), table.rows.end(), same)) {
                table.rows.push_back({head, false, {}});
            }
        }
    }
    for (const auto& series : plot.series) {
        table.columns.push_back({series.name, series.facet, measured.unit});
        for (auto& row : table.rows) {
            const auto point =
                std::find_if(series.points.begin(), series.points.end(),
                             [&](const plot_point& p) { return head_of(p) == row.head; });
            if (point == series.points.end()) {
                row.cells.emplace_back();
                continue;
            }
            const double value = by_category ? point->x : point->y;
            row.cells.push_back(table_cell{write(value), value, point->low, point->high, {}});
        }
    }
    return table;
}

}  // namespace freehold
