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
#include <freehold/line/line_source.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
class file_reader;
}

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

class __attribute__((visibility("default"))) file_source {
public:
    // Throws std::invalid_argument if `root` is not a folder or options.threads is 0.
    explicit file_source(const std::string& root, file_source_options options = {});
    file_source(const file_source&) = delete;
    file_source& operator=(const file_source&) = delete;
    ~file_source();

    void fetch(line_read& read) noexcept;
    void start(line_read& read) noexcept;

    // Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object) const;

    // What has been read so far.
    [[nodiscard]] file_source_statistics statistics() const noexcept;

private:
    const std::unique_ptr<detail::file_reader> reader_;
};

static_assert(line_source<file_source>);

}  // namespace freehold::inline FREEHOLD_ABI
