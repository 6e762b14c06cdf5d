// SPDX-License-Identifier: BSL-1.0
// A process of its own in which the allocator is played the requests of a trace, and timed. What a
// large buffer costs hangs on what was freed before it and how the heap lies, so the same size can
// cost a microsecond in one program and a hundred in another; in the order of the trace it costs
// what it does there. Forked early, its heap is as a program's that has just begun.
#pragma once

#include <freehold/cache/allocation_costs.hpp>

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

    /// Of getting, touching and freeing: means over the sizes between two powers of two, from a
    /// page on, of which there are enough to tell. Takes as much memory as the process of the trace
    /// had in use, and plays all its threads by one. Empty if there was not the memory. To be
    /// called once.
    [[nodiscard]] std::vector<allocation_cost> costs_of(const trace_spool& spool,
                                                        std::uint32_t process);

private:
    int socket_ = -1;
    pid_t child_ = -1;
};

/// The general costs, but in groups of sizes that were played what came of that, and no less than
/// the smallest buffer costs: touching pages twice, to tell what the first time adds, is not that
/// exact. By rising size, two digits each, so that the next measurement finds nearly the same.
[[nodiscard]] std::vector<allocation_cost> with_played(std::vector<allocation_cost> general,
                                                       const std::vector<allocation_cost>& played);

}  // namespace freehold
