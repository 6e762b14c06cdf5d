// SPDX-License-Identifier: BSL-1.0
// One open file of a file_source: its description, and pread with or without the page cache.
//
// Direct reads (O_DIRECT) need an offset, an address and a size that are multiples of the device's
// blocks. If they are not, or if the file system refuses, the bytes are read through the page
// cache; read() returns which. It takes one system call to open, one to describe, one for each
// read, and one to open the file again for reads through the page cache. Not thread-safe. Throws
// std::system_error.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/descriptor.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class open_file {
public:
    // `bytes` is a negated errno if it is negative.
    struct outcome {
        std::ptrdiff_t bytes = 0;
        bool direct = false;
    };

    open_file(std::filesystem::path path, bool direct) : path_(std::move(path)) {
#if defined(O_DIRECT)
        if (direct) direct_ = open(O_DIRECT);
#else
        static_cast<void>(direct);
#endif
        if (!direct_.is_open()) through_cache_ = open(0);
        if (!direct_.is_open() && !through_cache_.is_open()) {
            throw std::system_error(errno, std::generic_category());
        }
    }
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;

    // The tag consists of what changes when the file is replaced or modified.
    [[nodiscard]] object_info describe() const {
        struct stat status {};
        if (::fstat((direct_.is_open() ? direct_ : through_cache_).number(), &status) != 0) {
            throw std::system_error(errno, std::generic_category());
        }
        if (!S_ISREG(status.st_mode)) throw std::system_error(EISDIR, std::generic_category());
        object_info info;
        info.size = static_cast<std::uint64_t>(status.st_size);
        info.entity_tag = std::to_string(status.st_dev) + "-" + std::to_string(status.st_ino) +
                          "-" + std::to_string(status.st_size) + "-" + time_text(status);
        return info;
    }

    // Reads as many bytes from `offset` as one system call returns; none at the file's end.
    outcome read(std::span<std::byte> to, std::uint64_t offset) {
        const std::size_t blocks = to.size() / block * block;
        if (direct_.is_open() && blocks != 0 && offset % block == 0 &&
            reinterpret_cast<std::uintptr_t>(to.data()) % block == 0) {
            const std::ptrdiff_t bytes = read_once(direct_.number(), to.first(blocks), offset);
            if (bytes != -EINVAL) return {bytes, true};
        }
        if (!through_cache_.is_open()) through_cache_ = open(0);
        if (!through_cache_.is_open()) return {-errno, false};
        return {read_once(through_cache_.number(), to, offset), false};
    }

private:
    // A multiple of every device's block size.
    static constexpr std::size_t block = 4096;

    // Non-blocking, so that a pipe without a writer does not block.
    [[nodiscard]] descriptor open(int more) const noexcept {
        return descriptor(path_, O_RDONLY | O_NONBLOCK | more);
    }

    static std::ptrdiff_t read_once(int file, std::span<std::byte> to,
                                    std::uint64_t offset) noexcept {
        ssize_t bytes = -1;
        do {
            bytes = ::pread(file, to.data(), to.size(), static_cast<off_t>(offset));
        } while (bytes < 0 && errno == EINTR);
        return bytes < 0 ? -errno : bytes;
    }

    static std::string time_text(const struct stat& status) {
#if defined(__APPLE__)
        const timespec& time = status.st_mtimespec;
#else
        const timespec& time = status.st_mtim;
#endif
        return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
    }

    std::filesystem::path path_;
    descriptor direct_;
    descriptor through_cache_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
