// SPDX-License-Identifier: BSL-1.0
// The fronts of the suite `buffers`: what each policy makes of each workload, by its settings.
#pragma once

#include "suites/suite.hpp"

namespace lab::buffers {

void add_fronts(plan& into, const selection& chosen);

}  // namespace lab::buffers
