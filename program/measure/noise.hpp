// SPDX-License-Identifier: BSL-1.0
// The reasons why two runs on this machine may differ though nothing was changed, each with what to
// do about it. Pure.
#pragma once

#include "measure/machine.hpp"

#include <vector>

namespace freehold {

[[nodiscard]] std::vector<warning> reasons_for_noise(const machine& machine);

}  // namespace freehold
