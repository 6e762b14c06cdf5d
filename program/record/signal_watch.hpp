// SPDX-License-Identifier: BSL-1.0
// While an object lives, signals that would end this program (SIGINT, SIGTERM, SIGHUP, SIGQUIT) and
// the end of a child wait until they are asked for. Those that were ignored stay ignored. One
// object at a time, made before any thread is started.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace freehold {

class signal_watch {
public:
    signal_watch();
    signal_watch(const signal_watch&) = delete;
    signal_watch& operator=(const signal_watch&) = delete;
    ~signal_watch();

    /// What children shall start with.
    [[nodiscard]] const sigset_t& mask_before() const { return before_; }

    /// The next signal; SIGUSR1 is watched as well. None when the time is up.
    std::optional<siginfo_t> next(std::chrono::milliseconds time) const;

    static bool is_request_to_end(int signal) {
        return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
    }
    /// Takes what arrived; throws record_error("interrupted") if it is a request to end.
    void throw_if_asked_to_end() const;

private:
    sigset_t watched_;
    sigset_t before_;
};

}  // namespace freehold
