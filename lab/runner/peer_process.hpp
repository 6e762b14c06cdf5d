// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lab {

/// A child process that is talked to in lines over its standard input and output, which are the two
/// directions of one socket: that can be written to after the other end is gone without a signal.
/// Its standard error goes to memory, where it can be read when the process has ended, and no
/// amount of it holds the process up. Whatever goes wrong is a peer_error that begins with the
/// executable's name, and the process is killed. Otherwise it ends at the end of its input, with
/// this object.
class peer_process {
public:
    /// `to_end`: how long it may take to end once its input or output is closed.
    peer_process(const std::filesystem::path& executable, const std::vector<std::string>& arguments,
                 std::chrono::milliseconds to_end);
    ~peer_process();
    peer_process(const peer_process&) = delete;
    peer_process& operator=(const peer_process&) = delete;

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
