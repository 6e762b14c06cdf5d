// SPDX-License-Identifier: BSL-1.0
// What operations on counts cost on this machine.
#pragma once

#include "handles/counted_lines.hpp"

namespace freehold {

/// Nanoseconds. The cache line of the count is in the thread's own cache, and no other thread asks
/// for it: where threads do share an object, an operation costs more.
struct operation_costs {
    double plain = 0;       // an addition or a subtraction in a process of one thread
    double locked = 0;      // the same once there was a second thread
    double weak_lock = 0;   // a weak handle becomes an owner
    double allocation = 0;  // of counts apart from their object, and freeing them
};

/// Measures std::shared_ptr as it is; takes less than a tenth of a second, and starts a thread.
[[nodiscard]] operation_costs measure_operations();

/// What the operations of a line take together.
[[nodiscard]] double nanoseconds_of(const counted_line& line, const operation_costs& costs);

}  // namespace freehold
