// SPDX-License-Identifier: BSL-1.0
// A line_source that does what a test tells it: it serves objects of made bytes, or hands each
// request to the test's own function, or holds what was started until the test takes it.
#pragma once

#include <freehold/cache/line_source.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::tests {

// Differ from object to object, from version to version, and from offset to offset.
inline std::byte made_byte(std::string_view object, int version, std::uint64_t offset) {
    const std::uint64_t seed = std::hash<std::string_view>()(object) + std::uint64_t(version) * 977;
    const std::uint64_t word = (seed + offset / 8) * 0x9e3779b97f4a7c15;
    return static_cast<std::byte>((word ^ (word >> 29)) >> (8 * (offset % 8)));
}

inline bool are_made(std::span<const std::byte> bytes, std::string_view object, int version,
                     std::uint64_t offset) {
    for (std::size_t i = 0; i != bytes.size(); ++i) {
        if (bytes[i] != made_byte(object, version, offset + i)) return false;
    }
    return true;
}

class scripted_source {
public:
    struct request {
        std::string object;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        std::string entity_tag;
    };

    // With no threads, start does what fetch does.
    explicit scripted_source(unsigned threads = 1) {
        for (unsigned i = 0; i != threads; ++i) threads_.emplace_back([this] { work(); });
    }
    scripted_source(const scripted_source&) = delete;
    scripted_source& operator=(const scripted_source&) = delete;
    ~scripted_source() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        for (line_read* const read : started_) read->fail(failure(source_failure::cancelled));
    }

    // Makes the object, or its next version, which begins with 1.
    void put(const std::string& object, std::uint64_t size) {
        const std::lock_guard lock(mutex_);
        kept& one = objects_[object];
        one.size = size;
        ++one.version;
    }
    void without_tags() {
        const std::lock_guard lock(mutex_);
        has_tags_ = false;
    }
    // What is done with each request from now on.
    void on_request(std::function<void(line_read&)> answer) {
        const std::lock_guard lock(mutex_);
        answer_ = std::move(answer);
    }
    // What is started from now on waits for next().
    void hold() {
        const std::lock_guard lock(mutex_);
        holds_ = true;
    }
    [[nodiscard]] line_read& next() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !started_.empty(); });
        line_read* const read = started_.front();
        started_.pop_front();
        return *read;
    }
    void let_go() {
        {
            const std::lock_guard lock(mutex_);
            holds_ = false;
        }
        changed_.notify_all();
    }

    [[nodiscard]] std::vector<request> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    [[nodiscard]] std::size_t request_count() const { return requests().size(); }

    // As a source should; `piece` bytes at a time.
    void serve(line_read& read, std::size_t piece = 1500) {
        object_info info;
        int version = 0;
        try {
            const kept found = find(read.object());
            info = {found.size, tag_of(found)};
            version = found.version;
        } catch (const source_error&) {
            return read.fail(std::current_exception());
        }
        if (!read.entity_tag().empty() && read.entity_tag() != info.entity_tag) {
            return read.fail(failure(source_failure::changed));
        }
        if (read.offset() >= info.size) return read.fail(failure(source_failure::past_the_end));
        bool is_wanted = read.begin(info);
        const std::uint64_t end = std::min(info.size, read.offset() + read.size());
        for (std::uint64_t at = read.offset(); at != end;) {
            if (!is_wanted) return read.fail(failure(source_failure::cancelled));
            const std::size_t filled =
                fill(read, version, at, std::min<std::uint64_t>(piece, end - at));
            at += filled;
            is_wanted = read.arrived(filled);
        }
        read.finish();
    }
    // Writes made bytes into the room, as many as there is room for; says how many.
    static std::size_t fill(line_read& read, int version, std::uint64_t offset, std::size_t bytes) {
        const std::span<std::byte> room = read.room();
        const std::size_t filled = std::min(bytes, room.size());
        for (std::size_t i = 0; i != filled; ++i) {
            room[i] = made_byte(read.object(), version, offset + i);
        }
        return filled;
    }
    static std::exception_ptr failure(source_failure reason) {
        return std::make_exception_ptr(source_error(reason, "as the test wants it"));
    }

    void fetch(line_read& read) {
        std::function<void(line_read&)> answer;
        {
            const std::lock_guard lock(mutex_);
            answer = answer_;
            requests_.push_back({std::string(read.object()), read.offset(), read.size(),
                                 std::string(read.entity_tag())});
        }
        answer ? answer(read) : serve(read);
    }
    void start(line_read& read) {
        if (threads_.empty()) return fetch(read);
        {
            const std::lock_guard lock(mutex_);
            if (holds_) {
                requests_.push_back({std::string(read.object()), read.offset(), read.size(),
                                     std::string(read.entity_tag())});
            }
            started_.push_back(&read);
        }
        changed_.notify_all();
    }
    [[nodiscard]] object_info describe(std::string_view object) {
        const kept found = find(object);
        return {found.size, tag_of(found)};
    }

private:
    struct kept {
        std::uint64_t size = 0;
        int version = 0;
    };

    [[nodiscard]] std::string tag_of(const kept& object) const {
        const std::lock_guard lock(mutex_);
        return has_tags_ ? "version " + std::to_string(object.version) : std::string();
    }
    [[nodiscard]] kept find(std::string_view object) const {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(std::string(object));
        if (found != objects_.end()) return found->second;
        throw source_error(source_failure::not_found, "there is no " + std::string(object));
    }

    void work() {
        for (;;) {
            line_read* read = nullptr;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return is_ending_ || (!holds_ && !started_.empty()); });
                if (is_ending_) return;
                read = started_.front();
                started_.pop_front();
            }
            fetch(*read);
        }
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, kept> objects_;
    std::function<void(line_read&)> answer_;
    std::vector<request> requests_;
    std::deque<line_read*> started_;
    bool has_tags_ = true;
    bool holds_ = false;
    bool is_ending_ = false;
    std::vector<std::thread> threads_;
};

// The reason of the source_error that it throws, or a failure of the test.
template <class Function>
source_failure reason_of(Function function) {
    try {
        function();
    } catch (const source_error& error) {
        return error.reason();
    }
    throw std::logic_error("it was to throw a source_error, and threw nothing");
}

}  // namespace freehold::tests
