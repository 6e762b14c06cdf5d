// SPDX-License-Identifier: BSL-1.0
// Runs a program and samples it. The samples show the time of each line that counts owners.
#pragma once

#include "handles/handles_run.hpp"
#include "support/signal_watch.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

/// Samples the program, its children and all their threads. `described` is an additional table of
/// handles, or empty. Throws handles_error if the kernel refuses to sample.
[[nodiscard]] handles_run sample_run(const std::vector<std::string>& command,
                                     const std::filesystem::path& described,
                                     const support::signal_watch& signals);

}  // namespace freehold
