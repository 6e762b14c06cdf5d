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

/// What a child process does not do as specified: one line that begins with its name.
struct process_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A child process that reads and writes lines. Its standard input and output are the two
/// directions of one socket, so that writing to a process that has ended raises no signal. Its
/// standard error goes to memory: no amount of it blocks the process, and its last line explains a
/// failure. Every failure is a process_error, and the process is killed. Otherwise the process ends
/// at the end of its input, with this object.
class child_process {
public:
    /// `to_end`: how long it may take to end once its input or output is closed.
    child_process(const std::filesystem::path& executable,
                  const std::vector<std::string>& arguments, std::chrono::milliseconds to_end);
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    void write_line(const std::string& line);

    /// Without the line's end.
    std::string read_line(std::chrono::milliseconds patience);

    /// Kills the process and throws: "NAME " and what it did.
    [[noreturn]] void fail(const std::string& what);

private:
    /// Of a process that has closed its output.
    [[noreturn]] void fail_with_its_end();

    /// How it ended, if it does in time.
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
