// SPDX-License-Identifier: BSL-1.0
#include "line/cached_line.hpp"

#include <freehold/config.hpp>
#include <freehold/detail/poison.hpp>
#include <freehold/line/line_source.hpp>
#include <freehold/line/stop_token.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

namespace {

constexpr std::chrono::milliseconds poll_interval{10};

// A thread that sleeps until it is woken.
class blocking_waiter final : public line_waiter {
public:
    using line_waiter::line_waiter;

    void wake() noexcept override {
        // Notifies under the mutex, because the thread may destroy this object as soon as it can
        // lock it.
        const std::lock_guard lock(mutex_);
        woken_ = true;
        called_.notify_one();
    }
    void sleep() {
        std::unique_lock lock(mutex_);
        called_.wait(lock, [&] { return woken_; });
    }
    // Returns false if it was not woken within this time.
    [[nodiscard]] bool sleep_for(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        return called_.wait_for(lock, time, [&] { return woken_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable called_;
    bool woken_ = false;
};

}  // namespace

cached_line::cached_line(arc<line_store> memory, arc<object_entry> of_object,
                         std::uint64_t its_version, std::uint64_t its_number,
                         std::uint64_t its_hash)
    : object(std::move(of_object)),
      version(its_version),
      number(its_number),
      hash(its_hash),
      store_(std::move(memory)) {}

cached_line::~cached_line() {
    line_slot* const slot = this->slot();
    if (slot == nullptr) return;
    // relaxed: there is no other owner.
    const std::uint64_t arrived = arrived_.load(std::memory_order_relaxed);
    if (!was_requested || failure_ != nullptr) store_->counters().bytes_wasted.add(arrived);
    slot->used = std::max<std::size_t>(slot->used, arrived);
    store_->give_back({slot, 1});
}

void cached_line::begin(std::uint64_t size, shared_object_info of_object) noexcept {
    unpoison(bytes_, size);
    info_ = std::move(of_object);
    // release: a thread that sees the size sees the information.
    size_.store(size, std::memory_order_release);
}

waiter_list cached_line::publish(std::uint64_t arrived) noexcept {
    waiter_list served;
    const std::lock_guard lock(lock_);
    // release: a thread that sees the count sees the bytes, and with the last of them the cost.
    arrived_.store(arrived, std::memory_order_release);
    waiters_.move_to(served, [&](const line_waiter& waiter) { return has(waiter.end); });
    return served;
}

waiter_list cached_line::fail(const std::exception_ptr& why) noexcept {
    waiter_list all;
    const std::lock_guard lock(lock_);
    if (failure_ == nullptr) failure_ = why;
    waiters_.move_to(all, [](const line_waiter&) { return true; });
    return all;
}

bool cached_line::wait(line_waiter& waiter) noexcept {
    const std::lock_guard lock(lock_);
    if (waiter.cancelled || failure_ != nullptr || has(waiter.end)) return false;
    waiters_.push(waiter);
    return true;
}

void cached_line::cancel(line_waiter& waiter) noexcept {
    waiter_list found;
    {
        const std::lock_guard lock(lock_);
        // relaxed: a hint for the fetch, which then inspects the owners.
        was_cancelled_.store(true, std::memory_order_relaxed);
        waiter.cancelled = true;
        waiters_.move_to(found, [&](const line_waiter& each) { return &each == &waiter; });
    }
    found.wake_all();
}

void cached_line::await(std::uint64_t offset_in_object, std::uint64_t end, const stop_check& stop) {
    blocking_waiter waiter(end);
    if (stop.is_polled()) {
        if (stop.is_requested()) cancel(waiter);
        if (wait(waiter)) {
            while (!waiter.sleep_for(poll_interval)) {
                if (!stop.is_requested()) continue;
                cancel(waiter);
                waiter.sleep();
                break;
            }
        }
    } else {
        const auto cancel_it = [&]() noexcept { cancel(waiter); };
        std::optional<stop_callback<decltype(cancel_it)>> stopping;
        if (stop.token() != nullptr) stopping.emplace(*stop.token(), cancel_it);
        if (wait(waiter)) waiter.sleep();
    }
    check(offset_in_object, end, waiter.cancelled);
}

void cached_line::check(std::uint64_t offset_in_object, std::uint64_t end,
                        bool was_cancelled) const {
    if (!has(end)) {
        if (!was_cancelled) std::rethrow_exception(failure());
        store_->counters().cancelled.add(1);
        throw source_error(source_failure::cancelled,
                           "object '" + object->name + "', offset " +
                               std::to_string(offset_in_object) +
                               ": cancelled by the reader before it arrived");
    }
    if (!has_byte_at(offset_in_object)) {
        throw object_entry::past_the_end(object->name, object_size(), offset_in_object);
    }
}

void cached_line::wait_for(std::uint64_t end) {
    if (has(end)) return;
    blocking_waiter waiter(end);
    if (wait(waiter)) waiter.sleep();
    if (!has(end)) std::rethrow_exception(failure());
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
