// SPDX-License-Identifier: BSL-1.0
// One recording. From its constructor on, every program that is started with the daemon's
// environment is recorded.
#pragma once

#include "record/lttng_daemon.hpp"

#include <filesystem>
#include <string>

namespace freehold {

class lttng_session {
public:
    /// Throws record_error.
    lttng_session(const lttng_daemon& daemon, const std::filesystem::path& output);
    lttng_session(const lttng_session&) = delete;
    lttng_session& operator=(const lttng_session&) = delete;
    /// Removes the session from the daemon, whether the session was stopped or not.
    ~lttng_session();

    /// Ends the recording and waits until it is completely in the output. Throws record_error.
    void stop();

private:
    void configure();

    const lttng_daemon& daemon_;
    std::string name_;
};

}  // namespace freehold
