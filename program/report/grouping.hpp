// SPDX-License-Identifier: BSL-1.0
// Where a table or a plot has so many competitors that they have to stand by family.
#pragma once

#include "report/model.hpp"
#include "report/sections/settings.hpp"

#include <vector>

namespace freehold {

/// Names every competitor that the settings measured, with its family, and marks the tables and
/// plots that have too many of them to be read in one go.
void group_competitors(report_model& model, const std::vector<setting>& settings);

}  // namespace freehold
