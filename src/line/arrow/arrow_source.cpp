// SPDX-License-Identifier: BSL-1.0
#include <freehold/line/arrow_source.hpp>

#include "line/event_counter.hpp"
#include "line/job_threads.hpp"
#include "line/reads.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/util/io_util.h>
#include <arrow/util/key_value_metadata.h>
#include <arrow/util/string.h>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

class arrow_reader {
public:
    arrow_reader(std::shared_ptr<arrow::fs::FileSystem> files, arrow_source_options options)
        : files_(std::move(files)),
          options_(options),
          started_(options.threads, [this](line_read* read) { transfer(*read); }) {
        if (!files_) throw std::invalid_argument("arrow_source: give it a file system");
        if (options_.threads == 0) {
            throw std::invalid_argument("arrow_source: threads is 0; it must be at least 1");
        }
        if (options_.request_size == 0) {
            throw std::invalid_argument("arrow_source: request_size is 0; it must be at least 1");
        }
    }
    arrow_reader(const arrow_reader&) = delete;
    arrow_reader& operator=(const arrow_reader&) = delete;
    ~arrow_reader() {
        for (line_read* const read : started_.end()) {
            read->fail(failure_of(*read, arrow::Status::Cancelled("the source is destroyed")));
        }
    }

    void fetch(line_read& read) noexcept { transfer(read); }

    void start(line_read& read) noexcept { start_read(started_, read); }

    bool stop(std::chrono::milliseconds limit) noexcept {
        std::unique_lock lock(mutex_);
        has_stopped_ = true;
        return none_under_way_.wait_for(lock, limit, [this] { return under_way_ == 0; });
    }

    [[nodiscard]] object_info describe(std::string_view object) {
        arrow::Result<object_info> info = ask(std::string(object));
        if (info.ok()) return std::move(info).ValueUnsafe();
        throw error("object '" + std::string(object) + "'", info.status());
    }

    [[nodiscard]] arrow_source_statistics statistics() const noexcept {
        return {descriptions_.read(), reads_.read(), bytes_.read()};
    }

private:
    // The form of an entity tag: SIZE-VERSION.
    static std::string tag_of(std::int64_t size, std::string_view version) {
        return version.empty() ? std::string() : std::to_string(size) + '-' + std::string(version);
    }
    // Returns the size that is part of a tag of this source, or `otherwise` for any other text.
    static std::uint64_t size_in(std::string_view tag, std::uint64_t otherwise) noexcept {
        std::uint64_t size = 0;
        const auto [end, failure] = std::from_chars(tag.data(), tag.data() + tag.size(), size);
        const bool is_ours =
            failure == std::errc() && end != tag.data() + tag.size() && *end == '-';
        return is_ours ? size : otherwise;
    }

    arrow::Result<object_info> ask(const std::string& path) {
        descriptions_.add(1);
        ARROW_ASSIGN_OR_RAISE(const auto file, files_->OpenInputFile(path));
        ARROW_ASSIGN_OR_RAISE(std::int64_t size, file->GetSize());
        ARROW_ASSIGN_OR_RAISE(const auto metadata, file->ReadMetadata());
        std::string version;
        for (std::int64_t i = 0; metadata && version.empty() && i != metadata->size(); ++i) {
            if (arrow::internal::AsciiEqualsCaseInsensitive(metadata->key(i), "etag")) {
                version = metadata->value(i);
            }
        }
        if (version.empty()) {
            ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, files_->GetFileInfo(path));
            if (info.size() != arrow::fs::kNoSize) size = info.size();
            if (info.mtime() != arrow::fs::kNoTime) {
                version = std::to_string(info.mtime().time_since_epoch().count());
            }
        }
        return object_info{static_cast<std::uint64_t>(size), tag_of(size, version)};
    }

    void transfer(line_read& read) noexcept {
        const bool may_begin = begin_one();
        end_read_after(read, [&](line_read& each) {
            if (!may_begin) throw error(read_name(each), cancelled());
            read_range(each);
        });
        if (may_begin) end_one();
    }

    [[nodiscard]] bool begin_one() noexcept {
        const std::lock_guard lock(mutex_);
        if (!has_stopped_) ++under_way_;
        return !has_stopped_;
    }
    void end_one() noexcept {
        const std::lock_guard lock(mutex_);
        // Under the mutex, because the waiting thread may destroy this object.
        if (--under_way_ == 0) none_under_way_.notify_all();
    }
    [[nodiscard]] bool is_ending() noexcept {
        const std::lock_guard lock(mutex_);
        return has_stopped_ || started_.is_ending();
    }
    static arrow::Status cancelled() { return arrow::Status::Cancelled("cancelled"); }

    void read_range(line_read& read) {
        const std::string path(read.object());
        // A tag is checked after each read, and not before: both would be a request to the store.
        object_info info{size_in(read.entity_tag(), 0), std::string(read.entity_tag())};
        if (info.size == 0) {
            info = checked(read, ask(path));
            if (!read.entity_tag().empty()) require_version(read, info.entity_tag);
        }
        if (read.offset() >= info.size && read.offset() != 0) {
            throw source_error(source_failure::past_the_end,
                               read_name(read) + ": the file ends at " + std::to_string(info.size));
        }
        arrow::fs::FileInfo known(path, arrow::fs::FileType::File);
        known.set_size(static_cast<std::int64_t>(info.size));
        const auto file = checked(read, files_->OpenInputFile(known));

        bool wanted = read.begin(info);
        const std::uint64_t end = read.offset() + std::min(read.size(), info.size - read.offset());
        for (std::uint64_t offset = read.offset(); offset != end;) {
            if (!wanted || !read.wanted() || is_ending()) {
                throw error(read_name(read), cancelled());
            }
            const std::span<std::byte> room = read.room();
            const std::uint64_t most =
                std::min<std::uint64_t>({room.size(), options_.request_size, end - offset});
            reads_.add(1);
            const arrow::Result<std::int64_t> bytes = file->ReadAt(
                static_cast<std::int64_t>(offset), static_cast<std::int64_t>(most), room.data());
            if (!info.entity_tag.empty()) {
                const object_info now = checked(read, ask(path));
                require_version(read, now.entity_tag, info.entity_tag);
            }
            const auto got = static_cast<std::uint64_t>(checked(read, bytes));
            if (got == 0) {
                throw source_error(source_failure::wrong_length,
                                   read_name(read) + ": the file was " + std::to_string(info.size) +
                                       " bytes long, and now ends at " + std::to_string(offset));
            }
            bytes_.add(got);
            offset += got;
            wanted = read.arrived(static_cast<std::size_t>(got));
        }
    }

    static void require_version(const line_read& read, std::string_view now) {
        require_version(read, now, read.entity_tag());
    }
    static void require_version(const line_read& read, std::string_view now,
                                std::string_view wanted) {
        if (now == wanted) return;
        throw source_error(source_failure::changed,
                           read_name(read) + ": the file has changed: its entity tag was " +
                               std::string(wanted) + ", and is now " + std::string(now));
    }

    template <class Value>
    static Value checked(const line_read& read, arrow::Result<Value> result) {
        if (!result.ok()) throw error(read_name(read), result.status());
        return std::move(result).ValueUnsafe();
    }
    static source_error error(const std::string& name, const arrow::Status& status) {
        return {reason_of(status), name + ": " + status.message()};
    }
    static std::exception_ptr failure_of(const line_read& read,
                                         const arrow::Status& status) noexcept {
        try {
            return std::make_exception_ptr(error(read_name(read), status));
        } catch (...) {
            return std::current_exception();
        }
    }
    static source_failure reason_of(const arrow::Status& status) {
        if (status.IsCancelled()) return source_failure::cancelled;
        switch (arrow::internal::ErrnoFromStatus(status)) {
            case ENOENT:
            case ENOTDIR:
            case EISDIR:
            case ENAMETOOLONG:
                return source_failure::not_found;
            case EACCES:
            case EPERM:
                return source_failure::refused;
            default:
                return source_failure::answered_error;
        }
    }

    const std::shared_ptr<arrow::fs::FileSystem> files_;
    const arrow_source_options options_;
    event_counter descriptions_;
    event_counter reads_;
    event_counter bytes_;
    std::mutex mutex_;  // guards the three below
    std::condition_variable none_under_way_;
    std::size_t under_way_ = 0;  // reads that may be in the file system
    bool has_stopped_ = false;
    job_threads<line_read*> started_;
};

}  // namespace detail

arrow_source::arrow_source(std::shared_ptr<arrow::fs::FileSystem> files,
                           arrow_source_options options)
    : reader_(std::make_unique<detail::arrow_reader>(std::move(files), options)) {}

arrow_source::~arrow_source() = default;

void arrow_source::fetch(line_read& read) noexcept {
    reader_->fetch(read);
}

void arrow_source::start(line_read& read) noexcept {
    reader_->start(read);
}

object_info arrow_source::describe(std::string_view object) {
    return reader_->describe(object);
}

bool arrow_source::stop(std::chrono::milliseconds limit) noexcept {
    return reader_->stop(limit);
}

arrow_source_statistics arrow_source::statistics() const noexcept {
    return reader_->statistics();
}

}  // namespace freehold::inline FREEHOLD_ABI
