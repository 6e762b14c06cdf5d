// SPDX-License-Identifier: BSL-1.0
// The sources that fill lines: a copy of bytes in the cache, as from a decompressor or a receive
// buffer; a file that the system has in memory; and a connection. Each is made for a total number
// of bytes, and fills one line at a time. Throws std::system_error.
#pragma once

#include "suites/zeroing/line.hpp"

#include <cstddef>
#include <thread>
#include <vector>

namespace lab::lines {

/// The bytes of a copy or a receive: the buffer size that an object store's client is configured
/// with.
constexpr std::size_t piece_bytes = std::size_t{512} << 10;

/// Closes the descriptor at the end.
class file_descriptor {
public:
    /// `what` names the call that failed if `number` is negative.
    file_descriptor(int number, const char* what);
    ~file_descriptor();
    file_descriptor(const file_descriptor&) = delete;
    file_descriptor& operator=(const file_descriptor&) = delete;

    int number() const noexcept { return number_; }

private:
    int number_;
};

class copying {
public:
    static constexpr const char* key = "memcpy";

    explicit copying(std::size_t bytes);
    void fill(std::byte* line) const noexcept;

private:
    std::vector<std::byte> source_;
};

/// Reads a file of one line in memory again and again.
class reading {
public:
    static constexpr const char* key = "pread";

    explicit reading(std::size_t bytes);
    void fill(std::byte* line) const;

private:
    file_descriptor file_;
};

/// Receives from a thread of this process, over a TCP connection on the loopback device.
class receiving {
public:
    static constexpr const char* key = "tcp_receive";

    explicit receiving(std::size_t bytes);
    ~receiving();
    receiving(const receiving&) = delete;
    receiving& operator=(const receiving&) = delete;

    void fill(std::byte* line) const;

private:
    file_descriptor listener_;
    file_descriptor connection_;
    std::thread sender_;
};

}  // namespace lab::lines
