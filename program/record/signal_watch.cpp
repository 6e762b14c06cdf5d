// SPDX-License-Identifier: BSL-1.0
#include "record/signal_watch.hpp"

#include "record/record_error.hpp"

#include <ctime>

namespace freehold {

signal_watch::signal_watch() {
    sigemptyset(&watched_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction current {};
        sigaction(signal, nullptr, &current);
        if (current.sa_handler != SIG_IGN) sigaddset(&watched_, signal);
    }
    // Ignored, these would not arrive at all, and children could not be waited for.
    for (const int signal : {SIGCHLD, SIGUSR1}) {
        std::signal(signal, SIG_DFL);
        sigaddset(&watched_, signal);
    }
    ::sigprocmask(SIG_BLOCK, &watched_, &before_);
}

/// What arrived and was not asked for is taken here: unblocked, it would end the program after all.
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

void signal_watch::throw_if_asked_to_end() const {
    while (const auto signal = next(std::chrono::milliseconds{0}))
        if (is_request_to_end(signal->si_signo)) throw record_error("interrupted");
}

}  // namespace freehold
