// SPDX-License-Identifier: BSL-1.0
// A blocking get that ends early when an arrow::StopToken requests it. Arrow's token has no
// callbacks, so the waiting thread polls it. A hit takes no lock but the cache's.
#pragma once

#include <freehold/cache/access.hpp>
#include <freehold/cache/line.hpp>
#include <freehold/cache/line_cache_options.hpp>
#include <freehold/cache/line_source.hpp>
#include <freehold/cache/stop_token.hpp>
#include <freehold/config.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <arrow/util/cancel.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// What the waiting thread and the callback of get_async share. The callback may come after the
// waiting thread has left.
class awaited_get {
public:
    void finish(line got, std::exception_ptr failure) noexcept {
        {
            const std::lock_guard lock(mutex_);
            line_ = std::move(got);
            failure_ = std::move(failure);
            is_finished_ = true;
        }
        finished_.notify_one();
    }
    [[nodiscard]] bool wait(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        return finished_.wait_for(lock, time, [this] { return is_finished_; });
    }
    // Called after wait has returned true. Throws what kept the bytes from arriving.
    [[nodiscard]] line take() {
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        return std::move(line_);
    }

private:
    std::mutex mutex_;
    std::condition_variable finished_;
    line line_;
    std::exception_ptr failure_;
    bool is_finished_ = false;
};

inline constexpr std::chrono::milliseconds stop_poll_interval{10};

// Returns the line that holds `offset` when `size` bytes from there have arrived, as far as they
// are in the line. Throws what line_cache::get throws. A requested stop ends the wait for bytes
// with source_failure::cancelled, but not a wait for memory.
template <class Cache>
line get_unless_stopped(Cache& cache, const cached_object& object, access how, std::uint64_t offset,
                        std::uint64_t size, const arrow::StopToken& stop) {
    const object_ref wanted(object, how);
    const auto state = std::make_shared<awaited_get>();
    const auto callback = [state](line got, std::exception_ptr failure) noexcept {
        state->finish(std::move(got), std::move(failure));
    };
#ifdef __cpp_lib_jthread
    std::stop_source stopping;
    cache.get_async(wanted, offset, size, callback, stopping.get_token());
#else
    cache.get_async(wanted, offset, size, callback);
#endif
    while (!state->wait(stop_poll_interval)) {
        if (!stop.IsStopRequested()) continue;
#ifdef __cpp_lib_jthread
        stopping.request_stop();
#endif
        throw source_error(source_failure::cancelled,
                           "object '" + std::string(object.name()) + "': the read was cancelled");
    }
    try {
        return state->take();
    } catch (const cache_full&) {
        // Only a blocking get waits for memory.
        return cache.get(wanted, offset, size);
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
