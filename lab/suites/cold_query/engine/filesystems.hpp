// SPDX-License-Identifier: BSL-1.0
// What the engine reads through: the file systems that the suite compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <arrow/filesystem/filesystem.h>

namespace lab::cold_query {

struct filesystem_settings {
    std::string kind;           // local, arrow_s3, freehold, freehold_disk or freehold_fresh
    std::string endpoint;       // http://HOST:PORT
    std::string bucket;         // or the folder of a local one
    std::size_t capacity = 0;   // bytes of a cache, all of which it takes at once
    std::size_t line_size = 0;  // bytes
    unsigned coalesce = 1;      // lines of one request
    std::filesystem::path disk_folder;  // of freehold_disk
};

/// A file system, and what it has counted.
class measured_filesystem {
public:
    struct counts {
        double bytes_pinned = 0;
        double bytes_copied = 0;
        double most_line_bytes = 0;
    };

    measured_filesystem() = default;
    virtual ~measured_filesystem() = default;
    measured_filesystem(const measured_filesystem&) = delete;
    measured_filesystem& operator=(const measured_filesystem&) = delete;

    virtual std::shared_ptr<arrow::fs::FileSystem> get() = 0;
    /// The folder or bucket, with a slash, that stands before a file's name.
    virtual std::string prefix() const { return {}; }
    virtual counts counted() { return {}; }
    /// Waits until what was read is on the disk.
    virtual void flush() {}
};

/// Throws std::runtime_error if it cannot be made.
std::unique_ptr<measured_filesystem> make_filesystem(const filesystem_settings& settings);

}  // namespace lab::cold_query
