// SPDX-License-Identifier: BSL-1.0
#include "measure/interrupts.hpp"

#include <cerrno>
#include <system_error>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace freehold {
namespace {

sigset_t signals_not_ignored() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction current {};
        sigaction(signal, nullptr, &current);
        if (current.sa_handler != SIG_IGN) sigaddset(&set, signal);
    }
    return set;
}

}  // namespace

interrupts::interrupts() {
    const sigset_t set = signals_not_ignored();
    descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC);
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
    ::sigprocmask(SIG_BLOCK, &set, &before_);
}

/// Reads the signals that have arrived. Otherwise the program would end when they are unblocked.
interrupts::~interrupts() {
    while (arrived()) {
        signalfd_siginfo taken;
        if (::read(descriptor_, &taken, sizeof taken) < 0) break;
    }
    ::close(descriptor_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool interrupts::arrived() const {
    pollfd wait = {descriptor_, POLLIN, 0};
    return ::poll(&wait, 1, 0) > 0;
}

}  // namespace freehold
