// SPDX-License-Identifier: BSL-1.0
// The waiters of asynchronous gets: a callback, and a coroutine.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/detail/active_operations.hpp>
#include <freehold/line/detail/cached_line.hpp>
#include <freehold/line/detail/line_waiter.hpp>
#include <freehold/line/line.hpp>
#include <freehold/line/stop_token.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Owns itself from wait_on or fail to the end of the callback.
template <class Callback>
class async_waiter final : public line_waiter {
public:
    async_waiter(std::uint64_t wanted_end, std::uint64_t offset, Callback callback)
        : line_waiter(wanted_end), offset_(offset), callback_(std::move(callback)) {}

    void wait_on(arc<cached_line> waited_for, const stop_token& stop,
                 active_operations& operations) noexcept {
        // After wait(), another thread may have destroyed this object.
        const arc<cached_line> kept = waited_for;
        line_ = std::move(waited_for);
        if (stop.stop_possible() && !kept->has(end)) {
            // The thread that requests a stop may run the callback long after the fetch has ended.
            guard_.emplace(operations);
            stop_.emplace(stop, cancel{this});
        }
        if (!kept->wait(*this)) wake();
    }
    void fail(const std::exception_ptr& why) noexcept {
        const std::unique_ptr<async_waiter> self(this);
        line_ = nullptr;
        callback_(line(), why);
    }

    void wake() noexcept override {
        // When this returns, a concurrent stop has set `cancelled`, or will not.
        stop_.reset();
        try {
            line_->check(offset_, end, cancelled);
        } catch (...) {
            return fail(std::current_exception());
        }
        const std::unique_ptr<async_waiter> self(this);
        callback_(line_access::make(std::move(line_)), std::exception_ptr());
    }

private:
    struct cancel {
        async_waiter* waiter;
        void operator()() const noexcept { waiter->line_->cancel(*waiter); }
    };

    std::optional<operation_guard> guard_;  // first, so that it is destroyed last
    const std::uint64_t offset_;
    Callback callback_;
    arc<cached_line> line_;
    std::optional<stop_callback<cancel>> stop_;
};

// The awaitable of async_get. It names no coroutine type, so it does not need <coroutine>.
template <class Cache>
class awaited_line {
public:
    awaited_line(Cache& cache, object_ref object, std::uint64_t offset, std::uint64_t size,
                 stop_token stop) noexcept
        : cache_(cache), object_(object), offset_(offset), size_(size), stop_(std::move(stop)) {}
    awaited_line(const awaited_line&) = delete;
    awaited_line& operator=(const awaited_line&) = delete;

    [[nodiscard]] static bool await_ready() noexcept { return false; }

    // Returns false if the line is there, or came before this returned.
    template <class Handle>
    bool await_suspend(Handle coroutine) {
        cache_.get_async(
            object_, offset_, size_,
            [this, coroutine](line found, std::exception_ptr why) noexcept {
                line_ = std::move(found);
                failure_ = std::move(why);
                // acq_rel: the second of the two threads resumes the coroutine, and sees what the
                // first wrote.
                if (other_side_done_.exchange(true, std::memory_order_acq_rel)) coroutine.resume();
            },
            stop_);
        return !other_side_done_.exchange(true, std::memory_order_acq_rel);  // acq_rel: as above
    }

    [[nodiscard]] line await_resume() {
        if (failure_ != nullptr) std::rethrow_exception(std::move(failure_));
        return std::move(line_);
    }

private:
    Cache& cache_;
    const object_ref object_;
    const std::uint64_t offset_;
    const std::uint64_t size_;
    const stop_token stop_;
    line line_;
    std::exception_ptr failure_;
    std::atomic<bool> other_side_done_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
