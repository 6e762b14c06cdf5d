// SPDX-License-Identifier: BSL-1.0
// Those who wait for a line without a thread: a callback, and a coroutine.
#pragma once

#include <freehold/cache/lines/cached_line.hpp>
#include <freehold/cache/lines/line.hpp>
#include <freehold/cache/lines/line_users.hpp>
#include <freehold/cache/lines/line_waiter.hpp>
#include <freehold/cache/lines/object_ref.hpp>
#include <freehold/cache/lines/stop.hpp>
#include <freehold/handle/arc.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Owns itself from wait_on or fail to the callback's end.
template <class Callback>
class async_waiter final : public line_waiter {
public:
    async_waiter(std::uint64_t wanted_end, std::uint64_t offset, Callback callback)
        : line_waiter(wanted_end), offset_(offset), callback_(std::move(callback)) {}

    void wait_on(arc<cached_line> waited_for, const stop_token& stop, line_users& users) noexcept {
        // Once the line knows of it, this object may be gone at any moment.
        const arc<cached_line> kept = waited_for;
        line_ = std::move(waited_for);
        if (stop.stop_possible() && !kept->has(end)) {
            // The thread that stops it may call back when the fetch is long over.
            user_.emplace(users);
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
        // A stop that is asked for meanwhile, on another thread, has been seen when this returns.
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

    std::optional<line_user> user_;  // the first, to leave when all else is gone
    const std::uint64_t offset_;
    Callback callback_;
    arc<cached_line> line_;
    std::optional<stop_callback<cancel>> stop_;
};

// What co_await waits for. Names no coroutine type, so that it needs no <coroutine>.
template <class Cache>
class awaited_line {
public:
    awaited_line(Cache& cache, object_ref object, std::uint64_t offset, std::uint64_t size,
                 stop_token stop) noexcept
        : cache_(cache), object_(object), offset_(offset), size_(size), stop_(std::move(stop)) {}
    awaited_line(const awaited_line&) = delete;
    awaited_line& operator=(const awaited_line&) = delete;

    [[nodiscard]] static bool await_ready() noexcept { return false; }

    // False if the line came before this returned, or is there.
    template <class Handle>
    bool await_suspend(Handle coroutine) {
        cache_.get_async(
            object_, offset_, size_,
            [this, coroutine](line found, std::exception_ptr why) noexcept {
                line_ = std::move(found);
                failure_ = std::move(why);
                // acq_rel: whoever is second, and lets the coroutine go on, sees what the first
                // wrote.
                if (has_met_.exchange(true, std::memory_order_acq_rel)) coroutine.resume();
            },
            stop_);
        return !has_met_.exchange(true, std::memory_order_acq_rel);  // acq_rel: as above
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
    std::atomic<bool> has_met_{false};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
