// SPDX-License-Identifier: BSL-1.0
#include "support/descriptor.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace support {

void descriptor::reset(int value) noexcept {
    if (value_ >= 0) ::close(value_);
    value_ = value;
}

pipe_ends::pipe_ends() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "no pipe");
    read.reset(ends[0]);
    write.reset(ends[1]);
}

std::string read_all(int from) {
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t count = ::read(from, buffer.data(), buffer.size());
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0)
            return text;
        else if (errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "no more of a pipe");
    }
}

}  // namespace support
