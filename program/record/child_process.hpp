// SPDX-License-Identifier: BSL-1.0
// Starts programs for a recording: the recorder's, which neither a Ctrl-C nor the end of this
// program may leave alone, and the command that is recorded, which keeps the terminal.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

namespace freehold {

class record_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct child_process {
    std::vector<std::string> command;      // the first is looked up in PATH
    std::vector<std::string> environment;  // NAME=VALUE, besides this program's
    sigset_t mask;                         // of signals, for it to start with
    bool apart = false;  // in a session of its own; told to end (SIGTERM) when this program ends
    int output = -1;     // takes its standard output and error; its input is then empty
};

/// Throws record_error if it cannot be run.
pid_t start(const child_process& what);

/// Its exit status, or 128 and the signal that ended it.
int wait_for(pid_t child);

struct finished_process {
    int status = 0;
    std::string output;

    [[nodiscard]] std::string last_line() const;
};

/// Runs it apart, to its end.
finished_process run(const child_process& what);

}  // namespace freehold
