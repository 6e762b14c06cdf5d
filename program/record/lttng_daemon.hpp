// SPDX-License-Identifier: BSL-1.0
// LTTng's session daemon for one recording. It is one that already runs, or a new one with its own
// folder, so that the user's settings and other recordings stay untouched. root has one daemon for
// the whole system, so a recording by root waits for the end of another.
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
    /// Throws record_error if LTTng is not installed, if its wrapper makes programs crash, or if
    /// its daemon does not start.
    explicit lttng_daemon(const support::signal_watch& signals);
    lttng_daemon(const lttng_daemon&) = delete;
    lttng_daemon& operator=(const lttng_daemon&) = delete;
    /// Ends the daemon that this object started, with all processes of the daemon, and removes its
    /// folder.
    ~lttng_daemon();

    /// Runs `lttng ARGUMENTS` and returns its output. Throws record_error with the output if the
    /// command fails.
    std::string control(const std::vector<std::string>& arguments) const;

    /// The environment in which the recorded program finds the daemon and the recorder's libraries.
    [[nodiscard]] std::vector<std::string> environment_of_recorded() const;
    /// The processes with that environment: NAME (process id).
    [[nodiscard]] std::vector<std::string> recorded_now() const;

private:
    void refuse_if_unusable() const;
    void lock_for_root();
    void start_daemon();
    [[nodiscard]] std::filesystem::path socket_of_recorded() const;
    void remove() noexcept;
    [[nodiscard]] support::program_to_start lttng(const std::vector<std::string>& arguments) const;

    const support::signal_watch& signals_;
    support::temporary_folder folder_;
    pid_t daemon_ = -1;  // -1: another daemon already ran
    int lock_ = -1;
};

}  // namespace freehold
