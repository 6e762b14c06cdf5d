// SPDX-License-Identifier: BSL-1.0
// A line_read that keeps what it is given, and fails the test if the source's calls do not come in
// the order that line_source.hpp asks for.
#pragma once

#include <freehold/line/line_source.hpp>

#include "wait_until.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

class observed_read final : public line_read {
public:
    static constexpr auto always = std::numeric_limits<std::size_t>::max();

    struct manner {
        std::size_t room_at_once = always;  // bytes that room() offers at most
        std::size_t wanted_bytes = always;  // no more is wanted once these have arrived
        bool wanted_at_all = true;          // what begin returns
    };

    observed_read(std::string object, std::uint64_t offset, std::uint64_t size,
                  std::string entity_tag = "")
        : observed_read(std::move(object), offset, size, std::move(entity_tag), manner()) {}
    observed_read(std::string object, std::uint64_t offset, std::uint64_t size,
                  std::string entity_tag, manner how)
        : line_read(std::move(object), offset, size, std::move(entity_tag)), how_(how) {
        bytes_.resize(static_cast<std::size_t>(size), guard);
    }
    ~observed_read() { EXPECT_TRUE(ended_) << object() << ": neither finished nor failed"; }

    bool begin(const object_info& info) noexcept override {
        const std::lock_guard lock(mutex_);
        EXPECT_FALSE(begun_ || ended_) << "a second begin, or one after the end";
        begun_ = true;
        info_ = info;
        return how_.wanted_at_all;
    }

    std::span<std::byte> room() noexcept override {
        const std::lock_guard lock(mutex_);
        EXPECT_TRUE(begun_ && !ended_);
        const std::span<std::byte> rest = std::span(bytes_).subspan(got_);
        offered_ = std::min(how_.room_at_once, rest.size());
        return rest.first(offered_);
    }

    bool arrived(std::size_t bytes) noexcept override {
        const std::lock_guard lock(mutex_);
        EXPECT_TRUE(begun_ && !ended_);
        EXPECT_GT(bytes, 0u);
        EXPECT_LE(bytes, offered_) << "more than there was room for";
        EXPECT_LE(info_.size - offset() - got_, info_.size) << "past the object's end";
        offered_ = 0;
        got_ += bytes;
        changed_.notify_all();
        return got_ < how_.wanted_bytes;
    }

    bool wanted() const noexcept override {
        const std::lock_guard lock(mutex_);
        return wanted_;
    }

    void finish() noexcept override { end(nullptr); }
    void fail(std::exception_ptr why) noexcept override {
        EXPECT_TRUE(why);
        end(std::move(why));
    }

    // From here on, what a test asks.

    void cancel() {
        const std::lock_guard lock(mutex_);
        wanted_ = false;
    }

    // Both end the process, after a failure of the test, if it takes too long.
    void wait_for_end() {
        wait("the end of a read of ", [this] { return ended_; });
    }
    void wait_for_bytes(std::size_t bytes) {
        wait("bytes of ", [this, bytes] { return ended_ || got_ >= bytes; });
    }

    bool finished() const {
        const std::lock_guard lock(mutex_);
        return ended_ && !failure_;
    }
    bool ended() const {
        const std::lock_guard lock(mutex_);
        return ended_;
    }
    std::size_t got() const {
        const std::lock_guard lock(mutex_);
        return got_;
    }
    object_info info() const {
        const std::lock_guard lock(mutex_);
        return info_;
    }
    std::vector<std::byte> bytes() const {
        const std::lock_guard lock(mutex_);
        return {bytes_.begin(), bytes_.begin() + std::ptrdiff_t(got_)};
    }
    bool untouched_behind_what_arrived() const {
        const std::lock_guard lock(mutex_);
        return std::all_of(bytes_.begin() + std::ptrdiff_t(got_), bytes_.end(),
                           [](std::byte byte) { return byte == guard; });
    }

    // What it failed with, or a failure of the test.
    source_failure reason() const {
        try {
            if (failure_) std::rethrow_exception(failure_);
        } catch (const source_error& error) {
            return error.reason();
        } catch (const std::exception& error) {
            ADD_FAILURE() << "no source_error: " << error.what();
        }
        ADD_FAILURE() << object() << ": it did not fail";
        return source_failure::cancelled;
    }
    std::string message() const {
        try {
            if (failure_) std::rethrow_exception(failure_);
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }

private:
    static constexpr std::byte guard{0xA5};

    template <class Condition>
    void wait(const char* what, Condition condition) {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, tests::longest_wait, condition)) return;
        tests::end_after_waiting(__FILE__, __LINE__, what + std::string(object()));
    }

    void end(std::exception_ptr why) noexcept {
        const std::lock_guard lock(mutex_);
        EXPECT_FALSE(ended_) << "a second end";
        if (!why) {
            EXPECT_TRUE(begun_) << "finished, and never begun";
        }
        ended_ = true;
        failure_ = std::move(why);
        changed_.notify_all();
    }

    const manner how_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::byte> bytes_;
    object_info info_;
    std::size_t got_ = 0;
    std::size_t offered_ = 0;
    bool begun_ = false;
    bool ended_ = false;
    bool wanted_ = true;
    std::exception_ptr failure_;
};

}  // namespace freehold::contracts
