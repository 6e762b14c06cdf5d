// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suites/common/process_kind.hpp"

#include <functional>
#include <vector>

namespace lab {

/// Returns the figure that `measure` returns in a child of this process. The child is of the same
/// kind. The child gets no memory that pools, caches and collectors kept during earlier
/// measurements. What `measure` leaves behind ends with the child. Throws std::runtime_error with
/// the message of an exception of `measure`, or if the child ends without a figure.
double measured_in_a_child(process_kind kind, const std::function<double()>& measure);

/// The same for several figures.
std::vector<double> all_measured_in_a_child(process_kind kind,
                                            const std::function<std::vector<double>()>& measure);

}  // namespace lab
