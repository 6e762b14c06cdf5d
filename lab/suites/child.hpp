// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/suite.hpp"

#include <functional>

namespace lab {

/// The figure that `measure` returns in a child of this process, which is of the same kind.
/// Whatever was measured before, the child finds no memory that pools, caches and collectors kept
/// from it, and what `measure` leaves behind ends with the child. Throws std::runtime_error if the
/// child ends without a figure.
double measured_in_a_child(process_kind kind, const std::function<double()>& measure);

}  // namespace lab
