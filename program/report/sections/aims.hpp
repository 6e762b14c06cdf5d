// SPDX-License-Identifier: BSL-1.0
// What freehold is to reach beside what the same run measured: one row for each aim, and in each
// setting whether it was reached.
#pragma once

#include "report/model.hpp"
#include "report/sections/figures.hpp"
#include "report/sections/settings.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct aim_row {
    std::string what;
    std::string reference;  // what the figure is a ratio to; empty where the figure is limited
    double at_most = 0;
    std::string unit = {};  // of the figure, where it is limited itself
};

struct aim_figure {
    std::optional<estimate> figure;
    std::string missing = {};  // what there is no figure for; empty where nobody asked for one
};

/// The figure of the aim of this index in one setting.
using aim_source = std::function<aim_figure(std::size_t, const setting&)>;

struct aims_result {
    report_table table;                // without the aims that nobody asked for a figure of
    std::vector<std::string> reached;  // "15 of 19 with g++"
};

/// `description` is the table without columns and rows.
[[nodiscard]] aims_result aims_of(report_table description, const std::vector<aim_row>& aims,
                                  const std::vector<setting>& settings, const aim_source& source);

}  // namespace freehold
