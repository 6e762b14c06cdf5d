// SPDX-License-Identifier: BSL-1.0
// Runs a program and reads what it prints, line by line, without ever being stuck on it: the child
// and all that it started are killed when an interrupt arrives, the time is up, a line is longer
// than any that a lab prints, or the reader throws.
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
    std::vector<std::string> command;                 // the first is the executable's path
    std::function<void(std::string_view)> read_line;  // of standard output, without its end
    std::function<void()> tick = [] {};               // a few times a second
    std::optional<std::chrono::milliseconds> time_limit = std::nullopt;
};

struct subprocess_end {
    bool interrupted = false;
    std::optional<int> exit_status;  // none: it was killed by `signal`
    int signal = 0;
    std::string last_diagnostic;  // the last line on standard error that is not blank

    [[nodiscard]] bool succeeded() const { return !interrupted && exit_status == 0; }
    /// "exit status 1: no such suite", "killed by signal 11 (Segmentation fault)".
    [[nodiscard]] std::string description() const;
};

/// Throws subprocess_error if it cannot be started, prints an overlong line or takes too long.
subprocess_end run_subprocess(const subprocess& what, const interrupts& interrupts);

}  // namespace freehold
