// SPDX-License-Identifier: BSL-1.0
// The tests of the suite `operations` that measure one operation by itself, over and over, where
// the operation test fits a line.
#pragma once

#include "report/model.hpp"
#include "report/sections/settings.hpp"

#include <vector>

namespace freehold {

/// Without rows where none of them was measured.
[[nodiscard]] report_table single_operations_table(const std::vector<setting>& settings,
                                                   const std::vector<contender>& contenders);

}  // namespace freehold
