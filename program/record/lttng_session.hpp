// SPDX-License-Identifier: BSL-1.0
// One recording: from its constructor on, what is started with the daemon's environment is
// recorded.
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
    /// Leaves no session with the daemon, stopped or not.
    ~lttng_session();

    /// Ends the recording and waits until all of it is in the output. Throws record_error.
    void stop();

private:
    void configure();

    const lttng_daemon& daemon_;
    std::string name_;
};

}  // namespace freehold
