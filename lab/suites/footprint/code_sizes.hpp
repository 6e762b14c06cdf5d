// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/plan.hpp"

namespace lab::footprint {

/// Adds the sizes of the subject's operations in machine code, or the reason why they cannot be
/// read.
void add_code_sizes(plan& into, const identity& subject);

}  // namespace lab::footprint
