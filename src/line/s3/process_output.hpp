// SPDX-License-Identifier: BSL-1.0
// Runs a command line in /bin/sh, as `credential_process` asks for, and returns what it writes.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace freehold::inline FREEHOLD_ABI::detail {

struct process_outcome {
    std::string output;   // at most 64 KiB
    std::string failure;  // why it is not complete, or empty; nothing of what the process wrote
};

// The process inherits the error stream, and reads nothing. It is killed with all that it started
// if it takes longer than `longest`, or if `stop` is set. Throws std::bad_alloc.
process_outcome output_of(const std::string& command, std::chrono::milliseconds longest,
                          const std::atomic<bool>& stop);

}  // namespace freehold::inline FREEHOLD_ABI::detail
