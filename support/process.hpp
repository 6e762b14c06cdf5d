// SPDX-License-Identifier: BSL-1.0
// Starts programs, waits for them, and reads what they print.
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace support {

struct program_to_start {
    enum class group {
        of_parent,  // the terminal's Ctrl-C reaches both processes
        own,        // a kill of the group also ends what the program started
        own_session
    };

    std::vector<std::string> command;  // the first word is looked up in PATH
    // The program's descriptors: {descriptor here, number in the program}. The program also
    // inherits all descriptors that are not closed on exec.
    std::vector<std::pair<int, int>> descriptors = {};
    // NAME=VALUE. Each is added to this process's variables, or replaces one.
    std::vector<std::string> environment = {};
    bool has_only_this_environment = false;
    group in = group::of_parent;
    bool ends_with_parent = false;  // it gets SIGTERM when the thread that started it ends
    std::optional<sigset_t> mask = std::nullopt;  // of signals; by default the caller's
};

/// Returns the process id. The memory of this process is not copied, however large it is.
/// Throws std::system_error, "NAME: cannot be run: " and the reason.
pid_t start(const program_to_start& what);

/// Waits until the child ends and returns its status, as waitpid gives it.
/// Throws std::system_error.
int wait_for(pid_t child);

/// Returns the exit status, or 128 plus the signal that ended the process, as a shell does.
int exit_status_of(int status);

/// Returns a descriptor of /dev/null, for reading and writing.
int null_device();

struct finished_process {
    int status = 0;  // as exit_status_of gives it
    std::string output;

    [[nodiscard]] std::string last_line() const;
};

/// Starts the program, collects its standard output and, if `with_errors`, its standard error, and
/// waits for its end. Its input is empty unless `descriptors` says otherwise.
finished_process run(program_to_start what, bool with_errors = true);

}  // namespace support
