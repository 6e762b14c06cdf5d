// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/arrow_file.hpp>

#include "line/arrow/made_before_fork.hpp"
#include "line/arrow/read_counters.hpp"
#include "line/arrow/status_of.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/util/thread_pool.h>

namespace freehold::inline FREEHOLD_ABI {

std::uint32_t detail::forks_so_far() {
    if (!fork_participant::prepare()) throw std::bad_alloc();
    return fork_participant::forks();
}

namespace {

// The most that a read across lines requests ahead: so many lines, or lines of so many bytes.
constexpr std::uint64_t lines_ahead = 8;
constexpr std::uint64_t bytes_ahead = std::uint64_t{64} << 20;

// An arrow::Buffer over bytes of a line, or of adjacent lines. It holds the lines, so the bytes
// stay where they are until the last reference to the buffer is dropped.
template <class Held>
class line_buffer final : public arrow::Buffer {
public:
    // `bytes` are bytes of `held`.
    line_buffer(Held held, std::span<const std::byte> bytes) noexcept
        : arrow::Buffer(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                        static_cast<std::int64_t>(bytes.size())),
          held_(std::move(held)) {}

private:
    const Held held_;
};

}  // namespace

template <class Held>
arrow::Status any_arrow_file::check_version(const Held& held) const {
    if (held.object_size() != info_.size || held.entity_tag() != info_.entity_tag) {
        return arrow::Status::IOError(
            "object '", object_.name(), "': it was replaced while the file was open: it had ",
            info_.size, " bytes and the entity tag '", info_.entity_tag, "', and now has ",
            held.object_size(), " bytes and the entity tag '", held.entity_tag(),
            "'; open it again");
    }
    return arrow::Status::OK();
}

template <class Held>
std::shared_ptr<arrow::Buffer> any_arrow_file::pinned(Held held, std::span<const std::byte> bytes) {
    auto buffer = std::make_shared<line_buffer<Held>>(std::move(held), bytes);
    counters_->reads.add(1);
    counters_->bytes_pinned.add(bytes.size());
    return buffer;
}

arrow::Result<std::shared_ptr<any_arrow_file>> any_arrow_file::open(
    std::shared_ptr<any_line_cache> cache, std::string_view object,
    const arrow::io::IOContext& context, access how) {
    return open_counted(std::move(cache), object, context, how, nullptr, nullptr);
}

arrow::Result<std::shared_ptr<any_arrow_file>> any_arrow_file::open(
    any_line_cache& cache, std::string_view object, const arrow::io::IOContext& context,
    access how) {
    return open(std::shared_ptr<any_line_cache>(std::shared_ptr<void>(), &cache), object, context,
                how);
}

any_arrow_file::any_arrow_file(opened from)
    : cache_(std::move(from.cache)),
      object_(std::move(from.object)),
      info_(std::move(from.info)),
      context_(std::move(from.context)),
      how_(from.how),
      counters_(std::move(from.counters)),
      line_size_(cache_->options().line_size),
      lines_of_cache_(cache_->options().capacity / line_size_) {}

arrow::Status any_arrow_file::Close() {
    // relaxed: it orders nothing; a read that begins at the same time may still succeed.
    is_closed_.store(true, std::memory_order_relaxed);
    return arrow::Status::OK();
}

bool any_arrow_file::closed() const {
    return is_closed_.load(std::memory_order_relaxed);  // relaxed: see Close
}

arrow::Result<std::int64_t> any_arrow_file::GetSize() {
    ARROW_RETURN_NOT_OK(check_open());
    return static_cast<std::int64_t>(info_.size);
}

arrow::Result<std::int64_t> any_arrow_file::Tell() const {
    ARROW_RETURN_NOT_OK(check_open());
    return position_;
}

arrow::Status any_arrow_file::Seek(std::int64_t position) {
    ARROW_RETURN_NOT_OK(check(position, 0));
    position_ = position;
    return arrow::Status::OK();
}

arrow::Result<std::int64_t> any_arrow_file::Read(std::int64_t size, void* out) {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t read, ReadAt(position_, size, out));
    position_ += read;
    return read;
}

any_arrow_file::buffer_result any_arrow_file::Read(std::int64_t size) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> read, ReadAt(position_, size));
    position_ += read->size();
    return read;
}

arrow::Result<std::int64_t> any_arrow_file::ReadAt(std::int64_t position, std::int64_t size,
                                                   void* out) {
    using result = arrow::Result<std::int64_t>;
    return detail::result_of<result>([&]() -> result {
        ARROW_RETURN_NOT_OK(check(position, size));
        const byte_range wanted = range_in_object(position, size);
        ARROW_RETURN_NOT_OK(copy(wanted, static_cast<std::byte*>(out), context_.stop_token()));
        return static_cast<std::int64_t>(wanted.size);
    });
}

any_arrow_file::buffer_result any_arrow_file::ReadAt(std::int64_t position, std::int64_t size) {
    return read(context_, position, size);
}

any_arrow_file::buffer_future any_arrow_file::ReadAsync(const arrow::io::IOContext& context,
                                                        std::int64_t position, std::int64_t size) {
    const arrow::Status status = WillNeed({{position, size}});
    if (!status.ok()) return buffer_future::MakeFinished(status);
    auto self = std::dynamic_pointer_cast<any_arrow_file>(shared_from_this());
    return arrow::DeferNotOk(context.executor()->Submit(
        context.stop_token(), [self = std::move(self), context, position, size] {
            return self->read(context, position, size);
        }));
}

std::vector<any_arrow_file::buffer_future> any_arrow_file::ReadManyAsync(
    const arrow::io::IOContext& context, const std::vector<arrow::io::ReadRange>& ranges) {
    const arrow::Status status = WillNeed(ranges);
    std::vector<buffer_future> futures;
    futures.reserve(ranges.size());
    for (const arrow::io::ReadRange& each : ranges) {
        futures.push_back(status.ok() ? ReadAsync(context, each.offset, each.length)
                                      : buffer_future::MakeFinished(status));
    }
    return futures;
}

arrow::Status any_arrow_file::WillNeed(const std::vector<arrow::io::ReadRange>& ranges) {
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

arrow::Result<std::shared_ptr<any_arrow_file>> any_arrow_file::open_counted(
    std::shared_ptr<any_line_cache> cache, std::string_view object,
    const arrow::io::IOContext& context, access how,
    std::shared_ptr<detail::read_counters> counters, const object_info* version) {
    using result = arrow::Result<std::shared_ptr<any_arrow_file>>;
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
        return std::make_shared<any_arrow_file>(opened{std::move(cache), std::move(known),
                                                       std::move(info), context, how,
                                                       std::move(counters)});
    });
}

arrow::Status any_arrow_file::check_open() const {
    if (closed()) {
        return arrow::Status::Invalid("object '", object_.name(), "': the file is closed");
    }
    if (detail::has_forked_since(forks_before_)) {
        return detail::status_in_child("object '" + std::string(object_.name()) + "'");
    }
    return arrow::Status::OK();
}

arrow::Status any_arrow_file::check(std::int64_t position, std::int64_t size) const {
    ARROW_RETURN_NOT_OK(check_open());
    if (position >= 0 && size >= 0) return arrow::Status::OK();
    return arrow::Status::Invalid("object '", object_.name(), "': ", size, " bytes from position ",
                                  position, ": neither may be negative");
}

byte_range any_arrow_file::range_in_object(std::int64_t position, std::int64_t size) const {
    const auto begin = static_cast<std::uint64_t>(position);
    if (begin >= info_.size) return {begin, 0};
    return {begin, std::min(static_cast<std::uint64_t>(size), info_.size - begin)};
}

std::uint64_t any_arrow_file::left_in_line(std::uint64_t position) const {
    return line_size_ - position % line_size_;
}

any_arrow_file::buffer_result any_arrow_file::read(const arrow::io::IOContext& context,
                                                   std::int64_t position, std::int64_t size) {
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

arrow::Status any_arrow_file::copy(byte_range wanted, std::byte* out,
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

std::uint64_t any_arrow_file::request_ahead(byte_range wanted) {
    const std::uint64_t first = wanted.offset / line_size_;
    const std::uint64_t lines = (wanted.offset + wanted.size - 1) / line_size_ - first + 1;
    const std::uint64_t most = std::max(lines_ahead, bytes_ahead / line_size_);
    const std::uint64_t ahead = std::min({lines, lines_of_cache_ / 4, most});
    if (ahead > 1) cache_->prefetch(object_ref(object_, how_), wanted.offset, ahead);
    return (first + std::max<std::uint64_t>(1, ahead)) * line_size_;
}

arrow::Result<line> any_arrow_file::get(byte_range wanted, const arrow::StopToken& stop) {
    ARROW_RETURN_NOT_OK(stop.Poll());
    line held = cache_->get(object_ref(object_, how_), wanted.offset, wanted.size,
                            [&] { return stop.IsStopRequested(); });
    ARROW_RETURN_NOT_OK(check_version(held));
    return held;
}

arrow::Result<line_range> any_arrow_file::get_range(byte_range wanted,
                                                    const arrow::StopToken& stop) {
    ARROW_RETURN_NOT_OK(stop.Poll());
    line_range held = cache_->get_range(object_ref(object_, how_), wanted.offset, wanted.size,
                                        [&] { return stop.IsStopRequested(); });
    if (held) ARROW_RETURN_NOT_OK(check_version(held));
    return held;
}

arrow_file_statistics any_arrow_file::statistics() const noexcept {
    return counters_->read();
}

}  // namespace freehold::inline FREEHOLD_ABI
