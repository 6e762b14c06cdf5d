// SPDX-License-Identifier: BSL-1.0
// The program's run without Valgrind. The report shows the share of counting in its time.
#pragma once

#include "support/signal_watch.hpp"

#include <string>
#include <vector>

namespace freehold {

struct plain_run {
    double cpu_seconds = 0;  // of all its threads and children
    double seconds = 0;
    bool was_asked = false;  // a signal asked it to end
};

/// Runs the command and discards its output. If standard input is a file, the command reads it, and
/// the position in the file is restored afterwards. Otherwise its input is empty. Throws
/// std::system_error if the command cannot be run.
[[nodiscard]] plain_run run_plainly(const std::vector<std::string>& command,
                                    const support::signal_watch& signals);

}  // namespace freehold
