// SPDX-License-Identifier: BSL-1.0
// Keeps a processor busy until it has reached its clock rate under load. An idle processor needs
// some milliseconds to leave its sleep state, and up to a second to raise its frequency.
#pragma once

#include "measure/interrupts.hpp"

#include <chrono>

namespace freehold {

/// Returns early when an interrupt arrives.
void warm_up(std::chrono::milliseconds length, const interrupts& interrupts);

}  // namespace freehold
