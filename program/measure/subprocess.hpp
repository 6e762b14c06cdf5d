// SPDX-License-Identifier: BSL-1.0
// Runs a program and reads its output line by line. It never blocks for ever: it kills the child
// and all processes that the child started if an interrupt arrives, the time is up, a line is
// longer than any line of a lab, or the reader throws.
#pragma once

#include "measure/interrupts.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace freehold {

class subprocess_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct subprocess {
    std::vector<std::string> command;  // the first is the executable's path
    // gets each line of standard output, without its end
    std::function<void(std::string_view)> read_line;
    std::function<void()> tick = [] {};  // called a few times a second
    std::optional<std::chrono::milliseconds> time_limit = std::nullopt;
};

struct subprocess_end {
    bool interrupted = false;
    std::optional<int> exit_status;  // empty if `signal` killed the process
    int signal = 0;
    std::string last_diagnostic;  // the last line on standard error that is not blank

    [[nodiscard]] bool succeeded() const { return !interrupted && exit_status == 0; }
    /// "exit status 1: no such suite", "killed by signal 11 (Segmentation fault)".
    [[nodiscard]] std::string description() const;
};

/// Throws subprocess_error if the program cannot be started, prints a line that is too long, or
/// takes too long.
subprocess_end run_subprocess(const subprocess& what, const interrupts& interrupts);

}  // namespace freehold
