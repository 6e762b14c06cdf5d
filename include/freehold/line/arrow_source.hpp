// SPDX-License-Identifier: BSL-1.0
// What it is: a line_source whose objects are the files of an arrow::fs::FileSystem: local files,
// S3, Google Cloud Storage, Azure or HDFS. Link freehold::arrow.
// When to use it: with a line_cache, for stores that only Arrow reads, or if the program has
// configured an Arrow file system already.
// When not: for local files and S3 if the program can choose. file_source and s3_source notice more
// changes, and s3_source sends half as many requests.
// Example: `freehold::arrow_source store(gcs); freehold::line_cache cache(store, options);`
//
// An object's name is the path as the file system takes it. The entity tag consists of the size and
// of a version. The version is the store's own tag (the metadata "ETag" of an open file), or else
// the modification time. A file system that tells neither has no entity tags.
//
// Arrow's reads require no tag. So this source asks for the tag again after each read, and delivers
// the bytes only if it is still the same. A read from S3 is thus a GET and a HEAD. A file that is
// replaced by one of the same size within the resolution of its modification time is not noticed.
//
// Units: bytes.
// Complexity: one ReadAt and one description for each `request_size` bytes, and one description
// before them if the read has no tag. fetch uses the calling thread; start uses `threads` threads,
// created at the first start.
// Thread safety: all functions may be called by several threads at once, except the destructor.
// Exceptions: the constructor throws std::invalid_argument; describe throws source_error. fetch and
// start report failures by line_read::fail, with the text of the file system.
// Ownership: the source shares the file system, and owns its threads. The destructor cancels reads
// that wait for a thread, and waits for those that have begun.
// Source: Apache Arrow's FileSystem.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/durations.hpp>
#include <freehold/line/line_source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <arrow/filesystem/filesystem.h>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
class arrow_reader;
}

// How an arrow_source reads.
struct arrow_source_options {
    unsigned threads = 8;                             // for reads that were started
    std::size_t request_size = std::size_t{8} << 20;  // the most bytes of one ReadAt
};

// What an arrow_source has asked of its file system.
struct arrow_source_statistics {
    std::uint64_t descriptions = 0;  // of files: their size and entity tag
    std::uint64_t reads = 0;         // calls of ReadAt
    std::uint64_t bytes = 0;         // that they returned
};

class __attribute__((visibility("default"))) arrow_source {
public:
    // Throws std::invalid_argument if there is no file system, or an option is 0.
    explicit arrow_source(std::shared_ptr<arrow::fs::FileSystem> files,
                          arrow_source_options options = {});
    arrow_source(const arrow_source&) = delete;
    arrow_source& operator=(const arrow_source&) = delete;
    ~arrow_source();

    void fetch(line_read& read) noexcept;
    void start(line_read& read) noexcept;

    // Throws source_error.
    [[nodiscard]] object_info describe(std::string_view object);

    // Cancels all reads, also those to come, and waits until none is in the file system, at most
    // for `limit`. Returns whether none is. For a file system that must not be called any more,
    // such as one in Python when Python ends.
    bool stop(std::chrono::milliseconds limit) noexcept;

    // What has been asked so far.
    [[nodiscard]] arrow_source_statistics statistics() const noexcept;

private:
    const std::unique_ptr<detail::arrow_reader> reader_;
};

static_assert(line_source<arrow_source>);

}  // namespace freehold::inline FREEHOLD_ABI
