// SPDX-License-Identifier: BSL-1.0
// What an asynchronous get calls: a callback, or the resumption of a coroutine.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line.hpp>
#include <freehold/line/stop_token.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
class any_line_cache;
}

namespace freehold::inline FREEHOLD_ABI::detail {

// Called once, and destroyed then.
class __attribute__((visibility("default"))) line_callback {
public:
    line_callback(const line_callback&) = delete;
    line_callback& operator=(const line_callback&) = delete;
    virtual ~line_callback();

    virtual void call(line found, std::exception_ptr why) noexcept = 0;

protected:
    line_callback() = default;
};

template <class Callback>
class line_callback_of final : public line_callback {
public:
    explicit line_callback_of(Callback callback) : callback_(std::move(callback)) {}
    void call(line found, std::exception_ptr why) noexcept override {
        callback_(std::move(found), std::move(why));
    }

private:
    Callback callback_;
};

// The awaitable of async_get. It names no coroutine type, so it does not need <coroutine>.
class __attribute__((visibility("default"))) awaited_line {
public:
    awaited_line(any_line_cache& cache, const object_ref& object, std::uint64_t offset,
                 std::uint64_t size, stop_token stop) noexcept
        : cache_(cache), object_(object), offset_(offset), size_(size), stop_(std::move(stop)) {}
    awaited_line(const awaited_line&) = delete;
    awaited_line& operator=(const awaited_line&) = delete;

    [[nodiscard]] static bool await_ready() noexcept { return false; }

    // Returns false if the line is there, or came before this returned.
    template <class Handle>
    bool await_suspend(Handle coroutine) {
        coroutine_ = coroutine.address();
        resume_ = [](void* address) { Handle::from_address(address).resume(); };
        return suspend();
    }

    [[nodiscard]] line await_resume();

private:
    [[nodiscard]] bool suspend();
    [[nodiscard]] bool is_second() noexcept;

    any_line_cache& cache_;
    const object_ref object_;
    const std::uint64_t offset_;
    const std::uint64_t size_;
    const stop_token stop_;
    void* coroutine_ = nullptr;
    void (*resume_)(void*) = nullptr;
    line line_;
    std::exception_ptr failure_;
    bool other_side_done_ = false;  // accessed atomically
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
