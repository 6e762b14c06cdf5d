// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/file_source.hpp>

#include "line/descriptor.hpp"
#include "line/event_counter.hpp"
#include "line/job_threads.hpp"
#include "line/reads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {
namespace {

// One open file of a file_source: its description, and pread with or without the page cache.
//
// Direct reads (O_DIRECT) need an offset, an address and a size that are multiples of the device's
// blocks. If they are not, or if the file system refuses, the bytes are read through the page
// cache; read() returns which. It takes one system call to open, one to describe, one for each
// read, and one to open the file again for reads through the page cache. Not thread-safe. Throws
// std::system_error.
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

}  // namespace

class file_reader {
public:
    file_reader(std::filesystem::path root, file_source_options options)
        : root_(std::move(root)),
          options_(options),
          started_(options.threads, [this](line_read* read) { transfer(*read); }) {
        if (!std::filesystem::is_directory(root_)) {
            throw std::invalid_argument("file_source: '" + root_.string() +
                                        "' is not a folder: name one that holds the objects");
        }
        if (options_.threads == 0) {
            throw std::invalid_argument("file_source: threads is 0; it must be at least 1");
        }
    }

    file_reader(const file_reader&) = delete;
    file_reader& operator=(const file_reader&) = delete;

    ~file_reader() {
        for (line_read* const read : started_.end()) {
            read->fail(failure_of(*read, source_failure::cancelled,
                                  std::make_error_code(std::errc::operation_canceled)));
        }
    }

    void fetch(line_read& read) noexcept { transfer(read); }

    void start(line_read& read) noexcept { start_read(started_, read); }

    [[nodiscard]] object_info describe(std::string_view object) const {
        try {
            return open_file(path_of(object), false).describe();
        } catch (const std::system_error& error) {
            throw source_error(reason_of(error), "object '" + std::string(object) + "' in " +
                                                     root_.string() + ": " +
                                                     error.code().message());
        }
    }

    [[nodiscard]] file_source_statistics statistics() const noexcept {
        return {bytes_direct_.read(), bytes_through_cache_.read()};
    }

private:
    // Fits a level-2 cache, and is the longest that a waiting reader waits for its first byte.
    static constexpr std::size_t chunk_size = std::size_t{512} << 10;

    [[nodiscard]] std::filesystem::path path_of(std::string_view object) const {
        const std::filesystem::path path(object);
        const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
        if (object.empty() || path.is_absolute() || leaves ||
            object.find('\0') != std::string_view::npos) {
            throw source_error(source_failure::not_found,
                               "object '" + std::string(object) + "': it is not a path below " +
                                   root_.string() + ": use a relative path without ..");
        }
        return root_ / path;
    }

    void transfer(line_read& read) noexcept {
        end_read_after(read, [this](line_read& each) {
            try {
                read_range(each);
            } catch (const std::system_error& failure) {
                throw error(each, reason_of(failure), failure.code().message());
            }
        });
    }

    void read_range(line_read& read) {
        open_file file(path_of(read.object()), options_.direct);
        const object_info info = file.describe();
        if (!read.entity_tag().empty() && read.entity_tag() != info.entity_tag) {
            throw error(read, source_failure::changed,
                        "the file has changed since its first line was read");
        }
        if (read.offset() >= info.size && read.offset() != 0) {
            throw error(read, source_failure::past_the_end,
                        "the file ends at " + std::to_string(info.size));
        }
        bool wanted = read.begin(info);
        const std::uint64_t end = read.offset() + std::min(read.size(), info.size - read.offset());
        for (std::uint64_t offset = read.offset(); offset != end;) {
            if (!wanted || !read.wanted() || started_.is_ending()) {
                throw error(read, source_failure::cancelled, "cancelled");
            }
            const std::span<std::byte> room = read.room();
            const auto most =
                static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, end - offset));
            const auto [bytes, direct] = file.read(room.first(std::min(room.size(), most)), offset);
            if (bytes < 0) {
                throw std::system_error(static_cast<int>(-bytes), std::generic_category());
            }
            if (bytes == 0) {
                throw error(read, source_failure::changed,
                            "the file was " + std::to_string(info.size) +
                                " bytes long, and now ends at " + std::to_string(offset));
            }
            (direct ? bytes_direct_ : bytes_through_cache_).add(static_cast<std::uint64_t>(bytes));
            offset += static_cast<std::uint64_t>(bytes);
            wanted = read.arrived(static_cast<std::size_t>(bytes));
        }
        if (file.describe().entity_tag != info.entity_tag) {
            throw error(read, source_failure::changed, "the file was modified while it was read");
        }
    }

    static source_failure reason_of(const std::system_error& error) noexcept {
        switch (error.code().value()) {
            case ENOENT:
            case ENOTDIR:
            case EISDIR:
            case ENAMETOOLONG:
            case ENXIO:
                return source_failure::not_found;
            case EACCES:
            case EPERM:
                return source_failure::refused;
            default:
                return source_failure::answered_error;
        }
    }

    [[nodiscard]] source_error error(const line_read& read, source_failure reason,
                                     const std::string& why) const {
        return {reason, read_name(read) + " in " + root_.string() + ": " + why};
    }

    [[nodiscard]] std::exception_ptr failure_of(const line_read& read, source_failure reason,
                                                std::error_code why) const noexcept {
        try {
            return std::make_exception_ptr(error(read, reason, why.message()));
        } catch (...) {
            return std::current_exception();
        }
    }

    const std::filesystem::path root_;
    const file_source_options options_;
    event_counter bytes_direct_;
    event_counter bytes_through_cache_;
    job_threads<line_read*> started_;
};

}  // namespace detail

file_source::file_source(const std::string& root, file_source_options options)
    : reader_(std::make_unique<detail::file_reader>(root, options)) {}

file_source::~file_source() = default;

void file_source::fetch(line_read& read) noexcept {
    reader_->fetch(read);
}

void file_source::start(line_read& read) noexcept {
    reader_->start(read);
}

object_info file_source::describe(std::string_view object) const {
    return reader_->describe(object);
}

file_source_statistics file_source::statistics() const noexcept {
    return reader_->statistics();
}

}  // namespace freehold::inline FREEHOLD_ABI
