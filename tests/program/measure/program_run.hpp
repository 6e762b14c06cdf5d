// SPDX-License-Identifier: BSL-1.0
// Runs the real executable `freehold` as a user does, and says how it ended.
#pragma once

#include "program/temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace freehold {

struct program_end {
    int exit_status = -1;  // -1: killed by a signal
    std::string output;
    std::string diagnostics;
};

class program_run {
public:
    using variables = std::vector<std::pair<std::string, std::string>>;

    /// `output` replaces standard output if it is not empty.
    explicit program_run(const std::vector<std::string>& arguments,
                         const variables& environment = {},
                         const std::filesystem::path& output = {});
    program_run(const program_run&) = delete;
    program_run& operator=(const program_run&) = delete;
    ~program_run();

    void send(int signal) const;
    program_end wait();

private:
    temporary_folder folder_;
    pid_t id_ = -1;
};

/// Starts it and waits.
program_end run_program(const std::vector<std::string>& arguments,
                        const program_run::variables& environment = {});

}  // namespace freehold
