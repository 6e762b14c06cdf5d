// SPDX-License-Identifier: BSL-1.0
// The sources that fill lines: a copy of bytes in the cache, as from a decompressor or a receive
// buffer; a file that the system has in memory; and a connection. Each is made for a total number
// of bytes, and fills one line at a time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace lab::lines {

class filler {
public:
    virtual ~filler() = default;

    /// Throws std::system_error.
    virtual void fill(std::byte* line) const = 0;
};

struct filler_kind {
    const char* key;
    /// Throws std::system_error.
    std::unique_ptr<filler> (*make)(std::size_t bytes);
};

std::unique_ptr<filler> make_copying(std::size_t bytes);
/// It reads a file of one line in memory again and again.
std::unique_ptr<filler> make_reading(std::size_t bytes);
/// It receives from a thread of this process, over a TCP connection on the loopback device.
std::unique_ptr<filler> make_receiving(std::size_t bytes);

inline constexpr filler_kind copying = {"memcpy", make_copying};
inline constexpr std::array<filler_kind, 3> filler_kinds = {
    {copying, {"pread", make_reading}, {"tcp_receive", make_receiving}}};

}  // namespace lab::lines
