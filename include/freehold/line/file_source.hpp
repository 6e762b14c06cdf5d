// SPDX-License-Identifier: BSL-1.0
// What it is: a line_source whose objects are the files below a folder. An object's name is the
// file's path relative to it.
// When to use it: for local files, and for tests.
// When not: for files that are modified in place. Replace files by renaming new ones over them;
// that is always noticed.
// Example: `freehold::file_source files("/srv/table"); freehold::line_cache cache(files, options);`
//
// Each read opens the file, so a replaced file is noticed at the next read. It reads 512 KiB at a
// time straight into the line: one copy by the kernel, or none with `direct`. The entity tag
// consists of device, inode, size and modification time. If a file is modified during a read, the
// read fails with source_failure::changed, as far as the file system's clock shows it. A name that
// is absolute or contains ".." is refused. Symbolic links are followed.
//
// Units: bytes.
// Complexity: one open, two fstat calls and one pread for each 512 KiB. fetch uses the calling
// thread; start uses `threads` threads, created at the first start.
// Thread safety: all functions may be called by several threads at once, except the destructor.
// Exceptions: the constructor throws std::invalid_argument, and std::filesystem::filesystem_error
// if the system does not tell what the folder is. describe throws source_error. fetch and start
// report failures by line_read::fail.
// Ownership: the source owns its threads. The destructor cancels reads that were started, and waits
// for its threads.
// Source: POSIX pread, and Linux's O_DIRECT.
#pragma once

#if defined(_WIN32)
#error \
    "file_source reads by POSIX's pread, which Windows lacks: give line_cache a source of your own"
#endif

#include <freehold/config.hpp>
#include <freehold/line/detail/end_read.hpp>
#include <freehold/line/detail/event_counter.hpp>
#include <freehold/line/detail/job_threads.hpp>
#include <freehold/line/detail/open_file.hpp>
#include <freehold/line/detail/read_name.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// How a file_source reads.
struct file_source_options {
    bool direct = false;   // bypass the page cache (O_DIRECT), as far as the file system allows it
    unsigned threads = 1;  // for reads that were started
};

// How many bytes a file_source has read.
struct file_source_statistics {
    std::uint64_t bytes_direct = 0;         // read without the page cache
    std::uint64_t bytes_through_cache = 0;  // read through it, even if `direct` was set
};

class file_source {
public:
    // Throws std::invalid_argument if `root` is not a folder or options.threads is 0.
    explicit file_source(std::filesystem::path root, file_source_options options = {})
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

    file_source(const file_source&) = delete;
    file_source& operator=(const file_source&) = delete;

    ~file_source() {
        for (line_read* const read : started_.end()) {
            read->fail(failure_of(*read, source_failure::cancelled,
                                  std::make_error_code(std::errc::operation_canceled)));
        }
    }

    void fetch(line_read& read) noexcept { transfer(read); }

    void start(line_read& read) noexcept { detail::start_read(started_, read); }

    // Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object) const {
        try {
            return detail::open_file(path_of(object), false).describe();
        } catch (const std::system_error& error) {
            throw source_error(reason_of(error), "object '" + std::string(object) + "' in " +
                                                     root_.string() + ": " +
                                                     error.code().message());
        }
    }

    // What has been read so far.
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
        detail::end_read_after(read, [this](line_read& each) {
            try {
                read_range(each);
            } catch (const std::system_error& failure) {
                throw error(each, reason_of(failure), failure.code().message());
            }
        });
    }

    void read_range(line_read& read) {
        detail::open_file file(path_of(read.object()), options_.direct);
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
                throw error(read, source_failure::wrong_length,
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
        return {reason, detail::read_name(read) + " in " + root_.string() + ": " + why};
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
    detail::event_counter bytes_direct_;
    detail::event_counter bytes_through_cache_;
    detail::job_threads<line_read*> started_;
};

static_assert(line_source<file_source>);

}  // namespace freehold::inline FREEHOLD_ABI
