// SPDX-License-Identifier: BSL-1.0
// A line_source whose objects are the files below a folder; an object's name is the file's path
// from there.
//
// fetch reads on the calling thread, start on threads of the source's own, of which none is made
// before the first start. Each read opens the file, so that a file that is replaced is seen at the
// next read, and preads 512 KiB at a time straight into the line: one copy by the kernel, or none
// with `direct`. The entity tag is made of device, inode, size and time of modification; a file
// that is written to while it is read makes the read fail (source_failure::changed), as far as the
// file system's clock tells: replace files by renaming new ones, which is always noticed. A name
// that leads out of the folder by ".." or from the root is refused; symbolic links are followed.
// Thread-safe. Only the constructor and describe throw; the destructor cancels what was started.
#pragma once

#include <freehold/cache/event_counter.hpp>
#include <freehold/cache/files/open_file.hpp>
#include <freehold/cache/line_source.hpp>
#include <freehold/cache/read_name.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

struct file_source_options {
    bool direct = false;   // past the page cache (O_DIRECT), as far as the file system allows it
    unsigned threads = 1;  // that do what was started
};

struct file_source_statistics {
    std::uint64_t bytes_direct = 0;         // read past the page cache
    std::uint64_t bytes_through_cache = 0;  // read through it, whatever was asked for
};

class file_source {
public:
    // Throws std::invalid_argument if `root` is no folder or `options` ask for no thread.
    explicit file_source(std::filesystem::path root, file_source_options options = {})
        : root_(std::move(root)), options_(options) {
        if (!std::filesystem::is_directory(root_)) {
            throw std::invalid_argument("file_source: '" + root_.string() +
                                        "' is not a folder: name one that holds the objects");
        }
        if (options_.threads == 0) {
            throw std::invalid_argument("file_source: threads is 0: it takes 1 to read with");
        }
    }

    file_source(const file_source&) = delete;
    file_source& operator=(const file_source&) = delete;

    ~file_source() {
        {
            const std::lock_guard lock(mutex_);
            // relaxed: the mutex shows it to whoever waits; to others it is a hint.
            ending_.store(true, std::memory_order_relaxed);
        }
        something_to_do_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        for (line_read* const read : started_) {
            read->fail(failure_of(*read, source_failure::cancelled,
                                  std::make_error_code(std::errc::operation_canceled)));
        }
    }

    void fetch(line_read& read) noexcept { transfer(read); }

    void start(line_read& read) noexcept {
        try {
            {
                const std::lock_guard lock(mutex_);
                while (threads_.size() < options_.threads) {
                    threads_.emplace_back([this] { serve(); });
                }
                started_.push_back(&read);
            }
            something_to_do_.notify_one();
        } catch (...) {
            read.fail(std::current_exception());
        }
    }

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

    [[nodiscard]] file_source_statistics statistics() const noexcept {
        return {bytes_direct_.read(), bytes_through_cache_.read()};
    }

private:
    // As much as a level-2 cache holds, and as a waiting reader is made to wait for.
    static constexpr std::size_t piece = std::size_t{512} << 10;

    [[nodiscard]] std::filesystem::path path_of(std::string_view object) const {
        const std::filesystem::path path(object);
        const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
        if (object.empty() || path.is_absolute() || leaves ||
            object.find('\0') != std::string_view::npos) {
            throw source_error(source_failure::not_found,
                               "object '" + std::string(object) + "': it names no file below " +
                                   root_.string() + ": name it by its path from there, without ..");
        }
        return root_ / path;
    }

    void transfer(line_read& read) noexcept {
        std::exception_ptr failure;
        try {
            read_range(read);
        } catch (const std::system_error& error) {
            failure = failure_of(read, reason_of(error), error.code());
        } catch (...) {
            failure = std::current_exception();
        }
        // Outside the handlers, so that the reader is the failure's only owner.
        if (failure) {
            read.fail(std::move(failure));
        } else {
            read.finish();
        }
    }

    void read_range(line_read& read) {
        detail::open_file file(path_of(read.object()), options_.direct);
        const object_info info = file.describe();
        if (!read.entity_tag().empty() && read.entity_tag() != info.entity_tag) {
            throw error(read, source_failure::changed,
                        "the file is not the one asked for any more");
        }
        if (read.offset() >= info.size) {
            throw error(read, source_failure::past_the_end,
                        "the file ends at " + std::to_string(info.size));
        }
        bool wanted = read.begin(info);
        const std::uint64_t end = read.offset() + std::min(read.size(), info.size - read.offset());
        for (std::uint64_t offset = read.offset(); offset != end;) {
            // relaxed: only to end soon; the next piece finds it at the latest.
            if (!wanted || !read.wanted() || ending_.load(std::memory_order_relaxed)) {
                throw error(read, source_failure::cancelled, "cancelled");
            }
            const std::span<std::byte> room = read.room();
            const auto most =
                static_cast<std::size_t>(std::min<std::uint64_t>(piece, end - offset));
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
            throw error(read, source_failure::changed, "the file was written to while it was read");
        }
    }

    void serve() noexcept {
        std::unique_lock lock(mutex_);
        for (;;) {
            // relaxed, here and below: under the mutex under which it is stored.
            something_to_do_.wait(lock, [this] {
                return ending_.load(std::memory_order_relaxed) || !started_.empty();
            });
            if (ending_.load(std::memory_order_relaxed)) return;
            line_read* const read = started_.front();
            started_.pop_front();
            lock.unlock();
            transfer(*read);
            lock.lock();
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

    std::mutex mutex_;  // of all that follows; ending_ is also looked at without it, between pieces
    std::condition_variable something_to_do_;
    std::atomic<bool> ending_{false};
    std::deque<line_read*> started_;
    std::vector<std::thread> threads_;
};

static_assert(line_source<file_source>);

}  // namespace freehold::inline FREEHOLD_ABI
