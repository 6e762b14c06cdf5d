// SPDX-License-Identifier: BSL-1.0
// SIGINT, SIGTERM and SIGHUP as something that can be waited for beside other input. While an
// object lives they do not end the program; those that were ignored (nohup, a background job) stay
// ignored. One object at a time, made before any thread is started.
#pragma once

#include <csignal>

namespace freehold {

class interrupts {
public:
    interrupts();
    interrupts(const interrupts&) = delete;
    interrupts& operator=(const interrupts&) = delete;
    ~interrupts();

    /// Readable once a signal arrived.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] bool arrived() const;

    /// What a child process shall start with.
    [[nodiscard]] const sigset_t& mask_before() const noexcept { return before_; }

private:
    sigset_t before_;
    int descriptor_;
};

}  // namespace freehold
