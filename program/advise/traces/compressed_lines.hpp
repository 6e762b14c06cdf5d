// SPDX-License-Identifier: BSL-1.0
// The lines of a text file that may be compressed by gzip or zstd. The commands of those names
// decompress it, in a process of their own beside the reader: no library is needed for it, and
// heaptrack compressed with them.
#pragma once

#include "support/descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace freehold {

/// what() says what is wrong with the file, without its name.
class unreadable_file : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class compressed_lines {
public:
    /// Throws unreadable_file if it cannot be opened, or the command that it takes be run.
    explicit compressed_lines(const std::filesystem::path& path);
    compressed_lines(const compressed_lines&) = delete;
    compressed_lines& operator=(const compressed_lines&) = delete;
    /// Ends the command.
    ~compressed_lines();

    /// The next line without its end, valid until the next call; false where the file ends or
    /// breaks off. What is left of a line that was cut is not delivered.
    /// Throws unreadable_file if a line is longer than any of heaptrack's.
    bool next(std::string_view& line);

    /// After the last line: why the file is not whole.
    [[nodiscard]] const std::optional<std::string>& broken() const { return broken_; }

    /// How much of the file has been read, from 0 to 1.
    [[nodiscard]] double progress() const;

private:
    void start(const char* command);
    bool fill();
    void end_command();

    support::descriptor file_;    // its position is shared with the command
    support::descriptor output_;  // of the command; none: the file is read as it is
    pid_t command_ = -1;
    std::string command_name_;
    std::uint64_t size_ = 0;
    std::string buffer_;
    std::size_t begin_ = 0;  // in buffer_: of what was not delivered yet
    bool at_end_ = false;
    std::optional<std::string> broken_;
};

}  // namespace freehold
