// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>

namespace support {

/// A file descriptor, or none. The destructor closes it.
class descriptor {
public:
    explicit descriptor(int value = -1) noexcept : value_(value) {}
    descriptor(descriptor&& from) noexcept : value_(from.release()) {}
    descriptor& operator=(descriptor&& from) noexcept {
        reset(from.release());
        return *this;
    }
    ~descriptor() { reset(); }

    /// Returns -1 if there is none.
    [[nodiscard]] int get() const noexcept { return value_; }
    [[nodiscard]] int release() noexcept { return std::exchange(value_, -1); }
    void reset(int value = -1) noexcept;

private:
    int value_;
};

/// A pipe. A process that is started inherits neither end.
struct pipe_ends {
    descriptor read;
    descriptor write;

    /// Throws std::system_error.
    pipe_ends();
};

/// Reads to the end of the input. Throws std::system_error.
std::string read_all(int from);

}  // namespace support
