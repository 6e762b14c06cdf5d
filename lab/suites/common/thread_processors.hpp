// SPDX-License-Identifier: BSL-1.0
// Assigns a processor to each of several threads. On a busy system, the scheduler often leaves two
// of them on one processor.
#pragma once

#include "suites/common/spin_until.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include <sched.h>

namespace lab {

/// Returns the processors that this thread may run on: first one of each core, then the others.
std::vector<int> usable_processors();

/// Returns 1, 2, 4, ... and the number of threads that this machine runs at a time, which is at
/// least 2.
std::vector<std::size_t> thread_counts();

processors processors_of(std::size_t threads);

/// Keeps the calling thread on one processor during the object's life, if a processor is given and
/// the system allows it.
class kept_on_processor {
public:
    explicit kept_on_processor(std::optional<int> processor);
    ~kept_on_processor();
    kept_on_processor(const kept_on_processor&) = delete;
    kept_on_processor& operator=(const kept_on_processor&) = delete;

private:
    cpu_set_t before_{};
    bool kept_ = false;
};

}  // namespace lab
