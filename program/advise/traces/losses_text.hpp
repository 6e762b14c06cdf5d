// SPDX-License-Identifier: BSL-1.0
// Describes in words what a trace lost.
#pragma once

#include "advise/trace.hpp"

namespace freehold {

/// Appends to `losses.warnings` a line for each count that is not zero. The reader of a format
/// describes what that format lacks, such as threads and times.
void describe_losses(trace_losses& losses);

}  // namespace freehold
