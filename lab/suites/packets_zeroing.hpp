// SPDX-License-Identifier: BSL-1.0
// The tests `zeroing probe` of the suite `packets`: how much of a packet each way of making it
// sets to zero, and by what.
#pragma once

#include "suites/suite.hpp"

namespace lab {

/// With the lab's own standard library, and with libc++ where the compiler finds it.
void add_zeroing_probes(plan& into, const selection& chosen);

}  // namespace lab
