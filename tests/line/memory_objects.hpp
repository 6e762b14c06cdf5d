// SPDX-License-Identifier: BSL-1.0
// A line_source with objects in memory: the minimum that the contract requires.
#pragma once

#include <freehold/line/line_source.hpp>

#include "line/reads.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::contracts {

class memory_objects {
public:
    memory_objects() : thread_([this] { serve(); }) {}
    memory_objects(const memory_objects&) = delete;
    memory_objects& operator=(const memory_objects&) = delete;
    ~memory_objects() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        something_to_do_.notify_one();
        thread_.join();
        for (line_read* const read : started_) {
            read->fail(failure(*read, source_failure::cancelled, "cancelled"));
        }
    }

    void put(std::string object, std::vector<std::byte> bytes) {
        const std::lock_guard lock(mutex_);
        objects_[std::move(object)] = {std::move(bytes), "version " + std::to_string(++versions_)};
    }

    object_info describe(std::string_view object) {
        const kept found = find(object);
        return {found.bytes.size(), found.tag};
    }

    void start(line_read& read) noexcept {
        {
            const std::lock_guard lock(mutex_);
            started_.push_back(&read);
        }
        something_to_do_.notify_one();
    }

    void fetch(line_read& read) noexcept {
        detail::end_read_after(read, [this](line_read& each) { transfer(each); });
    }

private:
    struct kept {
        std::vector<std::byte> bytes;
        std::string tag;
    };

    kept find(std::string_view object) {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(std::string(object));
        if (found != objects_.end()) return found->second;
        throw source_error(source_failure::not_found,
                           "object '" + std::string(object) + "' is not in memory");
    }

    void transfer(line_read& read) {
        if (!read.wanted()) throw_failure(read, source_failure::cancelled, "cancelled");
        const kept found = find_for(read);
        if (!read.entity_tag().empty() && read.entity_tag() != found.tag) {
            throw_failure(read, source_failure::changed, "it is " + found.tag);
        }
        if (read.offset() >= found.bytes.size() && read.offset() != 0) {
            throw_failure(read, source_failure::past_the_end, "it ends before");
        }
        bool wanted = read.begin({found.bytes.size(), found.tag});
        std::span<const std::byte> rest(found.bytes);
        rest = rest.subspan(read.offset());
        rest = rest.first(std::min<std::size_t>(rest.size(), read.size()));
        while (!rest.empty()) {
            if (!wanted) throw_failure(read, source_failure::cancelled, "cancelled");
            const std::span<std::byte> room = read.room();
            const std::size_t most = std::min(room.size(), rest.size());
            std::memcpy(room.data(), rest.data(), most);
            rest = rest.subspan(most);
            wanted = read.arrived(most);
        }
    }

    kept find_for(const line_read& read) {
        try {
            return find(read.object());
        } catch (const source_error&) {
            throw_failure(read, source_failure::not_found, "it is not in memory");
        }
    }

    static std::exception_ptr failure(const line_read& read, source_failure reason,
                                      const std::string& why) {
        return std::make_exception_ptr(
            source_error(reason, "object '" + std::string(read.object()) + "', bytes " +
                                     std::to_string(read.offset()) + "-" +
                                     std::to_string(read.offset() + read.size() - 1) + ": " + why));
    }
    [[noreturn]] static void throw_failure(const line_read& read, source_failure reason,
                                           const std::string& why) {
        std::rethrow_exception(failure(read, reason, why));
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            something_to_do_.wait(lock, [this] { return ending_ || !started_.empty(); });
            if (ending_) return;
            line_read* const read = started_.front();
            started_.pop_front();
            lock.unlock();
            fetch(*read);
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable something_to_do_;
    std::map<std::string, kept> objects_;
    int versions_ = 0;
    std::deque<line_read*> started_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace freehold::contracts
