// SPDX-License-Identifier: BSL-1.0
// The program's run without Valgrind, of which the counting has a share.
#pragma once

#include "support/signal_watch.hpp"

#include <string>
#include <vector>

namespace freehold {

struct plain_run {
    double cpu_seconds = 0;  // of all its threads and children
    double seconds = 0;
    bool was_asked = false;  // somebody ended it
};

/// Runs the command; what it prints is thrown away. It reads standard input if that is a file,
/// which is then set back to where it was; else its input is empty. Throws std::system_error if it
/// cannot be run.
[[nodiscard]] plain_run run_plainly(const std::vector<std::string>& command,
                                    const support::signal_watch& signals);

}  // namespace freehold
