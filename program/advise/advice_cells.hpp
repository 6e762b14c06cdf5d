// SPDX-License-Identifier: BSL-1.0
// The cells of the tables of an advice.
#pragma once

#include "advise/replay.hpp"
#include "report/amounts.hpp"
#include "report/model.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace freehold {

[[nodiscard]] inline table_cell share_cell(double share) {
    return {share_text(share), 100 * share, {}, {}, {}};
}
[[nodiscard]] inline table_cell bytes_cell(double bytes) {
    return {bytes_text(bytes), bytes, {}, {}, {}};
}
[[nodiscard]] inline table_cell time_cell(double nanoseconds) {
    return {time_text(nanoseconds), nanoseconds, {}, {}, {}};
}
[[nodiscard]] inline table_cell count_cell(double count) {
    return {count_text(count), count, {}, {}, {}};
}

[[nodiscard]] inline table_column plain_column(std::string label) {
    return {std::move(label), {}, {}};
}

/// The columns that every table shows for a replay.
[[nodiscard]] inline std::vector<table_column> figure_columns() {
    return {plain_column("hit rate"),        plain_column("used"),
            plain_column("idle, mean"),      plain_column("idle, peak"),
            plain_column("calls per 1,000"), plain_column("time saved")};
}
[[nodiscard]] inline std::vector<std::optional<table_cell>> figure_cells(const replay_figures& of) {
    return {share_cell(of.hit_rate()),           share_cell(of.used()),
            bytes_cell(of.mean_idle()),          bytes_cell(static_cast<double>(of.peak_idle)),
            count_cell(of.calls_per_thousand()), share_cell(of.time_saved())};
}

}  // namespace freehold
