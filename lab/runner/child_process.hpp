// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lab {

/// Thrown if a child process does not do what is specified. The message is one line that begins
/// with its name.
struct process_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A child process that reads and writes lines. Its standard input and output are the two
/// directions of one socket, so that writing to a process that has ended raises no signal. Its
/// standard error goes to memory. However long it is, it never blocks the process; its last line
/// explains a failure. Every failure kills the process and throws process_error. Otherwise the
/// destructor closes the process's input, and the process ends.
class child_process {
public:
    /// `to_end` is the time that the process may take to end after its input or output is closed.
    /// `environment` adds or replaces variables: NAME=VALUE.
    child_process(const std::filesystem::path& executable,
                  const std::vector<std::string>& arguments, std::chrono::milliseconds to_end,
                  std::vector<std::string> environment = {});
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    void write_line(const std::string& line);

    /// Returns a line without its end.
    std::string read_line(std::chrono::milliseconds patience);

    /// Kills the process and throws process_error: "NAME " and `what`.
    [[noreturn]] void fail(const std::string& what);

private:
    /// Reports how a process ended that has closed its output.
    [[noreturn]] void fail_with_its_end();

    /// Returns how the process ended, or none if it does not end in time.
    std::optional<int> ended_by_itself();
    void wait_for_input(std::chrono::steady_clock::time_point deadline);
    void kill_and_wait();
    [[nodiscard]] std::string last_words() const;

    std::string name_;
    std::chrono::milliseconds to_end_;
    pid_t id_ = -1;
    int socket_ = -1;
    int diagnostics_ = -1;
    std::string pending_;
};

}  // namespace lab
