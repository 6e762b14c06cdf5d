// SPDX-License-Identifier: BSL-1.0
// A process of its own that plays the requests of a trace to the allocator, and times them. The
// cost of a large buffer depends on the frees before it and on the state of the heap. The same size
// can cost a microsecond in one program and a hundred in another. In the order of the trace, it
// costs what it costs in the recorded program. If the process is forked early, its heap is like
// that of a program that has just begun.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>

#include "advise/trace_spool.hpp"

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace freehold {

class allocator_process {
public:
    /// Throws std::system_error.
    allocator_process();
    allocator_process(const allocator_process&) = delete;
    allocator_process& operator=(const allocator_process&) = delete;
    ~allocator_process();

    /// The costs to allocate, touch and free. Each is a mean over the sizes between two powers of
    /// two, from one page on. Groups with too few calls are left out. One thread plays all threads
    /// of the trace. It needs as much memory as the recorded process had in use, and the result is
    /// empty if there is not enough. May be called only once.
    [[nodiscard]] std::vector<allocation_cost> costs_of(const trace_spool& spool,
                                                        std::uint32_t process);

private:
    int socket_ = -1;
    pid_t child_ = -1;
};

/// Returns the general costs, but uses the played costs in the groups of sizes that have them. No
/// cost is below that of the smallest buffer: a played cost is inexact, because it subtracts the
/// time of a second touch from that of the first. In order of size, with two digits each, so that
/// the next measurement finds nearly the same values.
[[nodiscard]] std::vector<allocation_cost> with_played(std::vector<allocation_cost> general,
                                                       const std::vector<allocation_cost>& played);

}  // namespace freehold
