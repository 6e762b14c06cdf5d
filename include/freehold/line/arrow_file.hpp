// SPDX-License-Identifier: BSL-1.0
// What it is: an arrow::io::RandomAccessFile that reads one object through a line_cache. Link
// freehold::arrow.
// When to use it: for readers of Apache Arrow (Parquet, IPC, CSV) over files or object storage that
// are read more than once.
// When not: for files that are read once. Arrow's own file is faster then, and keeps nothing.
// Example: `using file = freehold::arrow_file<table_cache>; auto opened = file::open(cache,
// "sales.parquet");`
//
// - A read inside one line returns a buffer that holds the line, and copies nothing.
// - A read across lines that lie behind each other returns a buffer that holds the lines, and
//   copies nothing. Lines that are fetched together lie so, if there is room.
// - A read across other lines copies each byte once, into memory of the context's pool. A read
//   of at least a quarter of the lines that the cache can hold copies, too.
// - WillNeed, ReadAsync and ReadManyAsync start the requests for missing lines at once. So does
//   Parquet's pre_buffer.
// - All bytes of one file are of one version of the object. If the object is replaced while the
//   file is open, reads of lines that are not in the cache fail. So do all later reads of the new
//   version, and the caller opens the object again. A source without entity tags shows a
//   replacement only by its size.
//
// Units: bytes.
// Complexity: a read inside a line is a get of the cache and a small allocation. WillNeed requests
// at most half of the lines that the cache can hold.
// Thread safety: ReadAt, ReadAsync, ReadManyAsync, WillNeed, GetSize, Close and statistics may be
// called by several threads at once. Read, Seek and Tell share the position, so one thread at a
// time may call them. A callback of the cache must not read a file. Futures finish on a thread of
// the context's executor.
// Exceptions: none; failures are an arrow::Status with the text of the source. cache_full and
// std::bad_alloc become OutOfMemory. A source_error becomes IOError or Cancelled. A closed file and
// negative numbers become Invalid. A read past the end returns fewer bytes. A stop that the
// context's token requests ends a read with Cancelled, within about 10 ms if it waits for bytes.
// Ownership: the file shares the cache, or the cache must outlive the file and its futures. Buffers
// may outlive both. They hold their lines, which count against the cache's capacity. In a child of
// fork, a file that was opened before refuses reads.
// Source: Apache Arrow's RandomAccessFile.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/access.hpp>
#include <freehold/line/arrow_file_statistics.hpp>
#include <freehold/line/line.hpp>
#include <freehold/line/line_cache.hpp>
#include <freehold/line/line_source.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/io/type_fwd.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/util/future.h>

namespace freehold::inline FREEHOLD_ABI {

class any_arrow_filesystem;

namespace detail {
struct read_counters;
// How often the process was forked until now. Throws std::bad_alloc.
[[nodiscard]] FREEHOLD_API std::uint32_t forks_so_far();
}  // namespace detail

// A file of a cache whatever the type of its source.
class __attribute__((visibility("default"))) any_arrow_file final
    : public arrow::io::RandomAccessFile {
    struct opened;

public:
    // What reads return.
    using buffer_result = arrow::Result<std::shared_ptr<arrow::Buffer>>;
    // What asynchronous reads return.
    using buffer_future = arrow::Future<std::shared_ptr<arrow::Buffer>>;

    // Asks the cache, or else the source, for the object's size and entity tag. The file shares the
    // cache. `how` says whether its reads are a reason to keep lines.
    [[nodiscard]] static arrow::Result<std::shared_ptr<any_arrow_file>> open(
        std::shared_ptr<any_line_cache> cache, std::string_view object,
        const arrow::io::IOContext& context = arrow::io::default_io_context(),
        access how = access::again);
    // The same, but `cache` must outlive the file.
    [[nodiscard]] static arrow::Result<std::shared_ptr<any_arrow_file>> open(
        any_line_cache& cache, std::string_view object,
        const arrow::io::IOContext& context = arrow::io::default_io_context(),
        access how = access::again);
    // Called by open.
    explicit any_arrow_file(opened from);

    // Later reads fail. Reads in progress continue, and buffers stay valid.
    arrow::Status Close() override;
    [[nodiscard]] bool closed() const override;
    [[nodiscard]] const arrow::io::IOContext& io_context() const override { return context_; }
    // Whether reads may return buffers that nothing was copied into.
    [[nodiscard]] bool supports_zero_copy() const override { return true; }

    // The size of the object, in bytes.
    arrow::Result<std::int64_t> GetSize() override;
    // The position of the next Read.
    arrow::Result<std::int64_t> Tell() const override;
    // A position beyond the end is allowed; a read from there returns nothing.
    arrow::Status Seek(std::int64_t position) override;
    arrow::Result<std::int64_t> Read(std::int64_t size, void* out) override;
    buffer_result Read(std::int64_t size) override;

    using arrow::io::RandomAccessFile::ReadAt;
    // Copies the bytes to `out`, which has room for `size` bytes.
    arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t size,
                                       void* out) override;
    buffer_result ReadAt(std::int64_t position, std::int64_t size) override;

    using arrow::io::RandomAccessFile::ReadAsync;
    // Starts the requests for missing lines. The read itself runs on the context's executor.
    buffer_future ReadAsync(const arrow::io::IOContext& context, std::int64_t position,
                            std::int64_t size) override;
    using arrow::io::RandomAccessFile::ReadManyAsync;
    // Starts the requests for all ranges before the first read.
    std::vector<buffer_future> ReadManyAsync(
        const arrow::io::IOContext& context,
        const std::vector<arrow::io::ReadRange>& ranges) override;

    // Starts requests for the missing lines of these ranges, and returns. Neither a failed request
    // nor a full cache is reported here: the read of those bytes reports it.
    arrow::Status WillNeed(const std::vector<arrow::io::ReadRange>& ranges) override;

    // What this file has read, or all files of the arrow_filesystem that opened it.
    [[nodiscard]] arrow_file_statistics statistics() const noexcept;

private:
    friend any_arrow_filesystem;

    struct opened {
        std::shared_ptr<any_line_cache> cache;
        cached_object object;
        object_info info;
        arrow::io::IOContext context;
        access how;
        std::shared_ptr<detail::read_counters> counters;
    };

    // Without `counters`, the file has its own. Without `version`, it asks.
    [[nodiscard]] static arrow::Result<std::shared_ptr<any_arrow_file>> open_counted(
        std::shared_ptr<any_line_cache> cache, std::string_view object,
        const arrow::io::IOContext& context, access how,
        std::shared_ptr<detail::read_counters> counters, const object_info* version);

    [[nodiscard]] arrow::Status check_open() const;
    [[nodiscard]] arrow::Status check(std::int64_t position, std::int64_t size) const;
    // The part of these bytes that the object has. Requires both to be checked.
    [[nodiscard]] byte_range range_in_object(std::int64_t position, std::int64_t size) const;
    [[nodiscard]] std::uint64_t left_in_line(std::uint64_t position) const;

    [[nodiscard]] buffer_result read(const arrow::io::IOContext& context, std::int64_t position,
                                     std::int64_t size);

    template <class Held>
    [[nodiscard]] std::shared_ptr<arrow::Buffer> pinned(Held held,
                                                        std::span<const std::byte> bytes);

    // Holds one line at a time, so that a read may be larger than the cache.
    [[nodiscard]] arrow::Status copy(byte_range wanted, std::byte* out,
                                     const arrow::StopToken& stop);
    // Starts requests for the first lines of a range, if it has several. Returns where they end.
    [[nodiscard]] std::uint64_t request_ahead(byte_range wanted);

    // Returns the line that has these bytes, which lie in one line, all of them arrived.
    [[nodiscard]] arrow::Result<line> get(byte_range wanted, const arrow::StopToken& stop);
    // Returns an empty range if these bytes are in no one piece of memory.
    [[nodiscard]] arrow::Result<line_range> get_range(byte_range wanted,
                                                      const arrow::StopToken& stop);
    template <class Held>
    [[nodiscard]] arrow::Status check_version(const Held& held) const;

    const std::shared_ptr<any_line_cache> cache_;
    const cached_object object_;
    const object_info info_;  // at the time of open
    const arrow::io::IOContext context_;
    const access how_;
    const std::shared_ptr<detail::read_counters> counters_;
    const std::uint64_t line_size_;
    const std::uint64_t lines_of_cache_;
    const std::uint32_t forks_before_ = detail::forks_so_far();
    std::int64_t position_ = 0;
    std::atomic<bool> is_closed_{false};
};

template <class Cache = any_line_cache>
using arrow_file = any_arrow_file;

}  // namespace freehold::inline FREEHOLD_ABI
