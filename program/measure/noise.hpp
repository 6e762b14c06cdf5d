// SPDX-License-Identifier: BSL-1.0
// The reasons why two runs on this machine may differ although nothing changed, each with its
// remedy. Pure.
#pragma once

#include "measure/machine.hpp"

#include <vector>

namespace freehold {

[[nodiscard]] std::vector<warning> reasons_for_noise(const machine& machine);

}  // namespace freehold
