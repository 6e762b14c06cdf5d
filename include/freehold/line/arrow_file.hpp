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
// - A read across other lines copies each byte once, into memory of the context's pool. So does a
//   read of a quarter of the lines that the cache can hold, or more.
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
#include <freehold/line/detail/arrow/line_buffer.hpp>
#include <freehold/line/detail/arrow/made_before_fork.hpp>
#include <freehold/line/detail/arrow/read_counters.hpp>
#include <freehold/line/detail/arrow/status_of.hpp>
#include <freehold/line/line.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/io/type_fwd.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/util/future.h>
#include <arrow/util/thread_pool.h>

namespace freehold::inline FREEHOLD_ABI {

template <class Cache>
class arrow_filesystem;

template <class Cache>
class arrow_file final : public arrow::io::RandomAccessFile {
    struct opened;

public:
    // What reads return.
    using buffer_result = arrow::Result<std::shared_ptr<arrow::Buffer>>;
    // What asynchronous reads return.
    using buffer_future = arrow::Future<std::shared_ptr<arrow::Buffer>>;

    // Asks the cache, or else the source, for the object's size and entity tag. The file shares the
    // cache. `how` says whether its reads are a reason to keep lines.
    [[nodiscard]] static arrow::Result<std::shared_ptr<arrow_file>> open(
        std::shared_ptr<Cache> cache, std::string_view object,
        const arrow::io::IOContext& context = arrow::io::default_io_context(),
        access how = access::again) {
        return open_counted(std::move(cache), object, context, how, nullptr, nullptr);
    }
    // The same, but `cache` must outlive the file.
    [[nodiscard]] static arrow::Result<std::shared_ptr<arrow_file>> open(
        Cache& cache, std::string_view object,
        const arrow::io::IOContext& context = arrow::io::default_io_context(),
        access how = access::again) {
        return open(std::shared_ptr<Cache>(std::shared_ptr<void>(), &cache), object, context, how);
    }
    // Called by open.
    explicit arrow_file(opened from)
        : cache_(std::move(from.cache)),
          object_(std::move(from.object)),
          info_(std::move(from.info)),
          context_(std::move(from.context)),
          how_(from.how),
          counters_(std::move(from.counters)),
          line_size_(cache_->options().line_size),
          lines_of_cache_(cache_->options().capacity / line_size_) {}

    // Later reads fail. Reads in progress continue, and buffers stay valid.
    arrow::Status Close() override {
        // relaxed: it orders nothing; a read that begins at the same time may still succeed.
        is_closed_.store(true, std::memory_order_relaxed);
        return arrow::Status::OK();
    }
    [[nodiscard]] bool closed() const override {
        return is_closed_.load(std::memory_order_relaxed);  // relaxed: see Close
    }
    [[nodiscard]] const arrow::io::IOContext& io_context() const override { return context_; }
    // Whether reads may return buffers that nothing was copied into.
    [[nodiscard]] bool supports_zero_copy() const override { return true; }

    // The size of the object, in bytes.
    arrow::Result<std::int64_t> GetSize() override {
        ARROW_RETURN_NOT_OK(check_open());
        return static_cast<std::int64_t>(info_.size);
    }
    // The position of the next Read.
    arrow::Result<std::int64_t> Tell() const override {
        ARROW_RETURN_NOT_OK(check_open());
        return position_;
    }
    // A position beyond the end is allowed; a read from there returns nothing.
    arrow::Status Seek(std::int64_t position) override {
        ARROW_RETURN_NOT_OK(check(position, 0));
        position_ = position;
        return arrow::Status::OK();
    }
    arrow::Result<std::int64_t> Read(std::int64_t size, void* out) override {
        ARROW_ASSIGN_OR_RAISE(const std::int64_t read, ReadAt(position_, size, out));
        position_ += read;
        return read;
    }
    buffer_result Read(std::int64_t size) override {
        ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> read, ReadAt(position_, size));
        position_ += read->size();
        return read;
    }

    using arrow::io::RandomAccessFile::ReadAt;
    // Copies the bytes to `out`, which has room for `size` bytes.
    arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t size,
                                       void* out) override {
        using result = arrow::Result<std::int64_t>;
        return detail::result_of<result>([&]() -> result {
            ARROW_RETURN_NOT_OK(check(position, size));
            const byte_range wanted = range_in_object(position, size);
            ARROW_RETURN_NOT_OK(copy(wanted, static_cast<std::byte*>(out), context_.stop_token()));
            return static_cast<std::int64_t>(wanted.size);
        });
    }
    buffer_result ReadAt(std::int64_t position, std::int64_t size) override {
        return read(context_, position, size);
    }

    using arrow::io::RandomAccessFile::ReadAsync;
    // Starts the requests for missing lines. The read itself runs on the context's executor.
    buffer_future ReadAsync(const arrow::io::IOContext& context, std::int64_t position,
                            std::int64_t size) override {
        const arrow::Status status = WillNeed({{position, size}});
        if (!status.ok()) return buffer_future::MakeFinished(status);
        auto self = std::dynamic_pointer_cast<arrow_file>(shared_from_this());
        return arrow::DeferNotOk(context.executor()->Submit(
            context.stop_token(), [self = std::move(self), context, position, size] {
                return self->read(context, position, size);
            }));
    }
    using arrow::io::RandomAccessFile::ReadManyAsync;
    // Starts the requests for all ranges before the first read.
    std::vector<buffer_future> ReadManyAsync(
        const arrow::io::IOContext& context,
        const std::vector<arrow::io::ReadRange>& ranges) override {
        const arrow::Status status = WillNeed(ranges);
        std::vector<buffer_future> futures;
        futures.reserve(ranges.size());
        for (const arrow::io::ReadRange& each : ranges) {
            futures.push_back(status.ok() ? ReadAsync(context, each.offset, each.length)
                                          : buffer_future::MakeFinished(status));
        }
        return futures;
    }

    // Starts requests for the missing lines of these ranges, and returns. Neither a failed request
    // nor a full cache is reported here: the read of those bytes reports it.
    arrow::Status WillNeed(const std::vector<arrow::io::ReadRange>& ranges) override {
        ARROW_RETURN_NOT_OK(check_open());
        for (const arrow::io::ReadRange& each : ranges) {
            ARROW_RETURN_NOT_OK(check(each.offset, each.length));
        }
        using result = arrow::Status;
        return detail::result_of<result>([&]() -> result {
            std::vector<byte_range> wanted;
            wanted.reserve(ranges.size());
            for (const arrow::io::ReadRange& each : ranges) {
                wanted.push_back(range_in_object(each.offset, each.length));
            }
            cache_->prefetch(object_ref(object_, how_), wanted);
            return arrow::Status::OK();
        });
    }

    // What this file has read, or all files of the arrow_filesystem that opened it.
    [[nodiscard]] arrow_file_statistics statistics() const noexcept { return counters_->read(); }

private:
    friend arrow_filesystem<Cache>;

    struct opened {
        std::shared_ptr<Cache> cache;
        cached_object object;
        object_info info;
        arrow::io::IOContext context;
        access how;
        std::shared_ptr<detail::read_counters> counters;
    };

    // The most that a read across lines requests ahead: so many lines, or lines of so many bytes.
    static constexpr std::uint64_t lines_ahead = 8;
    static constexpr std::uint64_t bytes_ahead = std::uint64_t{64} << 20;

    // Without `counters`, the file has its own. Without `version`, it asks.
    [[nodiscard]] static arrow::Result<std::shared_ptr<arrow_file>> open_counted(
        std::shared_ptr<Cache> cache, std::string_view object, const arrow::io::IOContext& context,
        access how, std::shared_ptr<detail::read_counters> counters, const object_info* version) {
        using result = arrow::Result<std::shared_ptr<arrow_file>>;
        return detail::result_of<result>([&]() -> result {
            ARROW_RETURN_NOT_OK(context.stop_token().Poll());
            object_info info = version != nullptr ? *version : cache->describe(object);
            constexpr auto most = std::numeric_limits<std::int64_t>::max();
            if (info.size > std::uint64_t{most}) {
                return arrow::Status::Invalid("object '", object, "' has ", info.size,
                                              " bytes; Arrow reads at most ", most);
            }
            if (!counters) counters = std::make_shared<detail::read_counters>();
            cached_object known = cache->open(object, info);
            return std::make_shared<arrow_file>(opened{std::move(cache), std::move(known),
                                                       std::move(info), context, how,
                                                       std::move(counters)});
        });
    }

    [[nodiscard]] arrow::Status check_open() const {
        if (closed()) {
            return arrow::Status::Invalid("object '", object_.name(), "': the file is closed");
        }
        if (made_before_fork_) {
            return detail::status_in_child("object '" + std::string(object_.name()) + "'");
        }
        return arrow::Status::OK();
    }
    [[nodiscard]] arrow::Status check(std::int64_t position, std::int64_t size) const {
        ARROW_RETURN_NOT_OK(check_open());
        if (position >= 0 && size >= 0) return arrow::Status::OK();
        return arrow::Status::Invalid("object '", object_.name(), "': ", size,
                                      " bytes from position ", position,
                                      ": neither may be negative");
    }
    // The part of these bytes that the object has. Requires both to be checked.
    [[nodiscard]] byte_range range_in_object(std::int64_t position, std::int64_t size) const {
        const auto begin = static_cast<std::uint64_t>(position);
        if (begin >= info_.size) return {begin, 0};
        return {begin, std::min(static_cast<std::uint64_t>(size), info_.size - begin)};
    }
    [[nodiscard]] std::uint64_t left_in_line(std::uint64_t position) const {
        return line_size_ - position % line_size_;
    }

    [[nodiscard]] buffer_result read(const arrow::io::IOContext& context, std::int64_t position,
                                     std::int64_t size) {
        return detail::result_of<buffer_result>([&]() -> buffer_result {
            ARROW_RETURN_NOT_OK(check(position, size));
            const byte_range wanted = range_in_object(position, size);
            if (wanted.size != 0 && wanted.size <= left_in_line(wanted.offset)) {
                ARROW_ASSIGN_OR_RAISE(line held, get(wanted, context.stop_token()));
                const auto bytes = held.bytes_from(wanted.offset).first(wanted.size);
                return pinned(std::move(held), bytes);
            }
            if (wanted.size / line_size_ < lines_of_cache_ / 4) {
                ARROW_ASSIGN_OR_RAISE(line_range held, get_range(wanted, context.stop_token()));
                const auto bytes = held.bytes();
                if (held) return pinned(std::move(held), bytes);
            }
            ARROW_ASSIGN_OR_RAISE(
                std::unique_ptr<arrow::Buffer> copied,
                arrow::AllocateBuffer(static_cast<std::int64_t>(wanted.size), context.pool()));
            auto* const out = reinterpret_cast<std::byte*>(copied->mutable_data());
            ARROW_RETURN_NOT_OK(copy(wanted, out, context.stop_token()));
            return std::shared_ptr<arrow::Buffer>(std::move(copied));
        });
    }

    template <class Held>
    [[nodiscard]] std::shared_ptr<arrow::Buffer> pinned(Held held,
                                                        std::span<const std::byte> bytes) {
        auto buffer = std::make_shared<detail::line_buffer<Held>>(std::move(held), bytes);
        counters_->reads.add(1);
        counters_->bytes_pinned.add(bytes.size());
        return buffer;
    }

    // Holds one line at a time, so that a read may be larger than the cache.
    [[nodiscard]] arrow::Status copy(byte_range wanted, std::byte* out,
                                     const arrow::StopToken& stop) {
        std::uint64_t requested_to = 0;
        for (std::uint64_t done = 0; done != wanted.size;) {
            const std::uint64_t at = wanted.offset + done;
            const std::uint64_t left = wanted.size - done;
            if (at >= requested_to) requested_to = request_ahead({at, left});
            const std::uint64_t part = std::min(left, left_in_line(at));
            ARROW_ASSIGN_OR_RAISE(const line held, get({at, part}, stop));
            std::memcpy(out + done, held.bytes_from(at).data(), part);
            done += part;
        }
        if (wanted.size != 0) counters_->reads.add(1);
        counters_->bytes_copied.add(wanted.size);
        return arrow::Status::OK();
    }
    // Starts requests for the first lines of a range, if it has several. Returns where they end.
    [[nodiscard]] std::uint64_t request_ahead(byte_range wanted) {
        const std::uint64_t first = wanted.offset / line_size_;
        const std::uint64_t lines = (wanted.offset + wanted.size - 1) / line_size_ - first + 1;
        const std::uint64_t most = std::max(lines_ahead, bytes_ahead / line_size_);
        const std::uint64_t ahead = std::min({lines, lines_of_cache_ / 4, most});
        if (ahead > 1) cache_->prefetch(object_ref(object_, how_), wanted.offset, ahead);
        return (first + std::max<std::uint64_t>(1, ahead)) * line_size_;
    }

    // Returns the line that has these bytes, which lie in one line, all of them arrived.
    [[nodiscard]] arrow::Result<line> get(byte_range wanted, const arrow::StopToken& stop) {
        ARROW_RETURN_NOT_OK(stop.Poll());
        line held = cache_->get(object_ref(object_, how_), wanted.offset, wanted.size,
                                [&] { return stop.IsStopRequested(); });
        ARROW_RETURN_NOT_OK(check_version(held));
        return held;
    }
    // Returns an empty range if these bytes are in no one piece of memory.
    [[nodiscard]] arrow::Result<line_range> get_range(byte_range wanted,
                                                      const arrow::StopToken& stop) {
        ARROW_RETURN_NOT_OK(stop.Poll());
        line_range held = cache_->get_range(object_ref(object_, how_), wanted.offset, wanted.size,
                                            [&] { return stop.IsStopRequested(); });
        if (held) ARROW_RETURN_NOT_OK(check_version(held));
        return held;
    }
    template <class Held>
    [[nodiscard]] arrow::Status check_version(const Held& held) const {
        if (held.object_size() != info_.size || held.entity_tag() != info_.entity_tag) {
            return arrow::Status::IOError(
                "object '", object_.name(), "': it was replaced while the file was open: it had ",
                info_.size, " bytes and the entity tag '", info_.entity_tag, "', and now has ",
                held.object_size(), " bytes and the entity tag '", held.entity_tag(),
                "'; open it again");
        }
        return arrow::Status::OK();
    }

    const std::shared_ptr<Cache> cache_;
    const cached_object object_;
    const object_info info_;  // at the time of open
    const arrow::io::IOContext context_;
    const access how_;
    const std::shared_ptr<detail::read_counters> counters_;
    const std::uint64_t line_size_;
    const std::uint64_t lines_of_cache_;
    const detail::made_before_fork made_before_fork_;
    std::int64_t position_ = 0;
    std::atomic<bool> is_closed_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI
