// SPDX-License-Identifier: BSL-1.0
// LTTng's session daemon for one recording: one that runs already, or one of our own in a folder of
// its own, so that neither the user's settings nor other recordings are touched. root has one
// daemon for the whole system; there one recording waits for the end of another.
#pragma once

#include "support/process.hpp"
#include "support/signal_watch.hpp"
#include "support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <sys/types.h>

namespace freehold {

class lttng_daemon {
public:
    /// Throws record_error if LTTng is not installed, or its daemon does not start.
    explicit lttng_daemon(const support::signal_watch& signals);
    lttng_daemon(const lttng_daemon&) = delete;
    lttng_daemon& operator=(const lttng_daemon&) = delete;
    /// Ends our daemon, with all that it started, and removes its folder.
    ~lttng_daemon();

    /// `lttng ARGUMENTS`, which must succeed: throws record_error with what it says. Returns what
    /// it wrote.
    std::string control(const std::vector<std::string>& arguments) const;

    /// With it, what is recorded finds the daemon and the recorder's libraries.
    [[nodiscard]] std::vector<std::string> environment_of_recorded() const;

private:
    void refuse_if_not_installed() const;
    void lock_for_root();
    void start_daemon();
    void remove() noexcept;
    [[nodiscard]] support::program_to_start lttng(const std::vector<std::string>& arguments) const;

    const support::signal_watch& signals_;
    support::temporary_folder folder_;
    pid_t daemon_ = -1;  // -1: one that ran already
    int lock_ = -1;
};

}  // namespace freehold
