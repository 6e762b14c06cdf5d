// SPDX-License-Identifier: BSL-1.0
// The lines of a text file that may be compressed by gzip or zstd. The commands of these names
// decompress it in a separate process, so no library is needed. The commands are installed where
// heaptrack compresses with them.
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

/// what() describes the fault of the file, without its name.
class unreadable_file : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class compressed_lines {
public:
    /// Throws unreadable_file if the file cannot be opened, or the command cannot be run.
    explicit compressed_lines(const std::filesystem::path& path);
    compressed_lines(const compressed_lines&) = delete;
    compressed_lines& operator=(const compressed_lines&) = delete;
    /// Stops the command.
    ~compressed_lines();

    /// Gives the next line without its end, valid until the next call. Returns false where the file
    /// ends or is cut off. Does not deliver the beginning of a line that was cut.
    /// Throws unreadable_file if a line is longer than any line of heaptrack.
    bool next(std::string_view& line);

    /// After the last line: the reason why the file is not complete.
    [[nodiscard]] const std::optional<std::string>& broken() const { return broken_; }

    /// The share of the file that has been read, from 0 to 1.
    [[nodiscard]] double progress() const;

private:
    void start(const char* command);
    bool fill();
    void end_command();

    support::descriptor file_;    // the command shares its position
    support::descriptor output_;  // of the command; empty: the file is read directly
    pid_t command_ = -1;
    std::string command_name_;
    std::uint64_t size_ = 0;
    std::string buffer_;
    std::size_t begin_ = 0;  // index into buffer_ of the first byte that is not yet delivered
    bool at_end_ = false;
    std::optional<std::string> broken_;
};

}  // namespace freehold
