// SPDX-License-Identifier: BSL-1.0
// The descriptor of an open file, which is closed at the end. Not thread-safe. Throws nothing.
#pragma once

#include <freehold/config.hpp>

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class descriptor {
public:
    descriptor() = default;
    // If the file cannot be opened, is_open() is false and errno says why.
    descriptor(const std::filesystem::path& path, int flags) noexcept {
        do {
            number_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
        } while (number_ < 0 && errno == EINTR);
    }
    descriptor(descriptor&& from) noexcept : number_(std::exchange(from.number_, -1)) {}
    descriptor& operator=(descriptor&& from) noexcept {
        std::swap(number_, from.number_);
        return *this;
    }
    ~descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_ = -1;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
