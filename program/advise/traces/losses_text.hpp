// SPDX-License-Identifier: BSL-1.0
// What a trace lost, in words.
#pragma once

#include "advise/trace.hpp"

namespace freehold {

/// Appends to `losses.warnings` a line for each count in it that is not zero. What is particular
/// to a format, threads and times that it does not have, its reader says.
void describe_losses(trace_losses& losses);

/// "1 event", "2,400 events".
[[nodiscard]] std::string counted_text(std::uint64_t count, const std::string& noun);

}  // namespace freehold
