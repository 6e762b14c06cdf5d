// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/suite.hpp"

namespace lab::cold_scan {

/// Cells of what it costs to get a line that is in the cache and to release it, by threads that
/// each have lines of their own.
void add_warm_gets(plan& into, const selection& chosen);

}  // namespace lab::cold_scan
