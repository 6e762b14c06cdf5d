// SPDX-License-Identifier: BSL-1.0
// Runs a program and samples it: which of its lines count owners, by the time that they take.
#pragma once

#include "handles/handles_run.hpp"
#include "support/signal_watch.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

/// With its children and all their threads. `described` is a further table of handles, or empty.
/// Throws handles_error if the kernel refuses.
[[nodiscard]] handles_run sample_run(const std::vector<std::string>& command,
                                     const std::filesystem::path& described,
                                     const support::signal_watch& signals);

}  // namespace freehold
