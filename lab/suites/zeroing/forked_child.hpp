// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cerrno>
#include <csignal>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lab::lines {

/// A child process that does nothing while this object lives. The parent shares its pages with it,
/// so the parent's first write to each of them makes a copy.
class forked_child {
public:
    forked_child() : id_(fork()) {
        if (id_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
        if (id_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;) pause();
        }
    }
    ~forked_child() {
        kill(id_, SIGKILL);
        while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    forked_child(const forked_child&) = delete;
    forked_child& operator=(const forked_child&) = delete;

private:
    pid_t id_;
};

}  // namespace lab::lines
