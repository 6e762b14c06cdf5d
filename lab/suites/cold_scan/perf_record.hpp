// SPDX-License-Identifier: BSL-1.0
// Records with the program `perf` what the threads of this process do.
#pragma once

#include "support/descriptor.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lab::cold_scan {

class perf_record {
public:
    /// Returns the path of perf, if the search path has it.
    static std::optional<std::filesystem::path> find();

    /// Starts perf, which does not record yet. Throws std::runtime_error.
    perf_record();

    /// Ends perf, if `finish` has not.
    ~perf_record();
    perf_record(const perf_record&) = delete;
    perf_record& operator=(const perf_record&) = delete;

    /// Starts recording all threads, including those that start later. Throws std::runtime_error
    /// with the message of perf if that fails.
    void start() { say("enable\n"); }

    /// Ends perf, and calls `sample` for each sample with its functions. They begin with the
    /// innermost one; each is "name (file)".
    void finish(const std::function<void(const std::vector<std::string>&)>& sample);

private:
    void say(const char* order);
    void end() noexcept;
    [[noreturn]] void fail(const std::string& what) const;

    std::filesystem::path program_;
    support::descriptor samples_;      // files in memory
    support::descriptor diagnostics_;  // the messages of perf
    support::descriptor orders_;       // pipes
    support::descriptor answers_;
    pid_t process_ = -1;
};

}  // namespace lab::cold_scan
