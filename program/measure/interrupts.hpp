// SPDX-License-Identifier: BSL-1.0
// SIGINT, SIGTERM and SIGHUP as a descriptor, so that a thread can wait for them and for other
// input at once. While an object exists, they do not end the program. Signals that were ignored
// (nohup, a background job) stay ignored. Only one object may exist at a time. It must be created
// before any thread is started.
#pragma once

#include <csignal>

namespace freehold {

class interrupts {
public:
    interrupts();
    interrupts(const interrupts&) = delete;
    interrupts& operator=(const interrupts&) = delete;
    ~interrupts();

    /// Readable after a signal has arrived.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] bool arrived() const;

    /// The signal mask for child processes.
    [[nodiscard]] const sigset_t& mask_before() const noexcept { return before_; }

private:
    sigset_t before_;
    int descriptor_;
};

}  // namespace freehold
