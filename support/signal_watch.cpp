// SPDX-License-Identifier: BSL-1.0
#include "support/signal_watch.hpp"

#include "support/process.hpp"

#include <ctime>

#include <sys/wait.h>

namespace support {

signal_watch::signal_watch() {
    sigemptyset(&watched_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction current {};
        sigaction(signal, nullptr, &current);
        if (current.sa_handler != SIG_IGN) sigaddset(&watched_, signal);
    }
    // If these signals were ignored, they would not arrive, and this process could not wait for its
    // children.
    for (const int signal : {SIGCHLD, SIGUSR1}) {
        std::signal(signal, SIG_DFL);
        sigaddset(&watched_, signal);
    }
    ::sigprocmask(SIG_BLOCK, &watched_, &before_);
}

/// Takes the signals that arrived and that no caller asked for. They would end the program when
/// they are unblocked.
signal_watch::~signal_watch() {
    while (next(std::chrono::milliseconds{0})) {
    }
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<siginfo_t> signal_watch::next(std::chrono::milliseconds time) const {
    const timespec limit = {static_cast<std::time_t>(time.count() / 1000),
                            static_cast<long>(time.count() % 1000 * 1'000'000)};
    siginfo_t information{};
    if (::sigtimedwait(&watched_, &information, &limit) < 0) return std::nullopt;
    return information;
}

bool signal_watch::asked_to_end() const {
    while (const auto signal = next(std::chrono::milliseconds{0}))
        if (is_request_to_end(signal->si_signo)) return true;
    return false;
}

ended_child wait_while_passing_on(pid_t child, const signal_watch& signals,
                                  const std::function<void()>& look) {
    for (ended_child result;;) {
        siginfo_t ended{};
        ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
        if (ended.si_pid == child) {
            result.status = exit_status_of(wait_for(child));
            return result;
        }
        const auto signal = signals.next(std::chrono::milliseconds{200});
        if (signal && signal_watch::is_request_to_end(signal->si_signo)) {
            result.was_asked = true;
            if (signal->si_code != SI_KERNEL) ::kill(child, signal->si_signo);
        }
        look();
    }
}

}  // namespace support
