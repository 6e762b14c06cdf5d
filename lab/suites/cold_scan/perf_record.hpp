// SPDX-License-Identifier: BSL-1.0
// The program `perf`, recording what the threads of this process do.
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
    /// On the search path.
    static std::optional<std::filesystem::path> find();

    /// Gets it ready. Throws std::runtime_error.
    perf_record();

    /// Ends it, if finish has not.
    ~perf_record();
    perf_record(const perf_record&) = delete;
    perf_record& operator=(const perf_record&) = delete;

    /// From here on it records, threads that are started later too. Throws std::runtime_error with
    /// what perf said if it does not.
    void start() { say("enable\n"); }

    /// Ends it and calls `sample` for each sample with its functions, the innermost first, each
    /// "name (file)".
    void finish(const std::function<void(const std::vector<std::string>&)>& sample);

private:
    void say(const char* order);
    void end() noexcept;
    [[noreturn]] void fail(const std::string& what) const;

    std::filesystem::path program_;
    support::descriptor samples_;      // files in memory
    support::descriptor diagnostics_;  // what perf says
    support::descriptor orders_;       // pipes
    support::descriptor answers_;
    pid_t process_ = -1;
};

}  // namespace lab::cold_scan
