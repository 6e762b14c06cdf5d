// SPDX-License-Identifier: BSL-1.0
// While an object lives, signals that would end this program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) and
// the end of a child wait until the program asks for them. Ignored signals stay ignored. Only one
// object may exist at a time. It must be made before any thread is started.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>

#include <sys/types.h>

namespace support {

class signal_watch {
public:
    signal_watch();
    signal_watch(const signal_watch&) = delete;
    signal_watch& operator=(const signal_watch&) = delete;
    ~signal_watch();

    /// The signal mask for children.
    [[nodiscard]] const sigset_t& mask_before() const { return before_; }

    /// Returns the next signal, which may also be SIGUSR1. Returns none when the time is up.
    std::optional<siginfo_t> next(std::chrono::milliseconds time) const;

    static bool is_request_to_end(int signal) {
        return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
    }
    /// Takes the signals that arrived. Returns whether one of them was a request to end.
    [[nodiscard]] bool asked_to_end() const;

private:
    sigset_t watched_;
    sigset_t before_;
};

struct ended_child {
    int status = 0;          // as exit_status_of gives it
    bool was_asked = false;  // whether a request to end arrived meanwhile
};

/// Waits until the child ends. Passes on to the child what another process sent to this process
/// alone; a terminal's Ctrl-C reaches both anyway. Calls `look` several times a second.
ended_child wait_while_passing_on(
    pid_t child, const signal_watch& signals, const std::function<void()>& look = [] {});

}  // namespace support
