// SPDX-License-Identifier: BSL-1.0
// One line: whose it is, where its bytes are, how many of them have arrived, and who waits.
//
// Stands in the common pool's memory, apart from its bytes, which begin on a page of their own.
// Each reader, the fetch that fills it and the cache that finds it own it together; the last of
// them gives its memory back to the store.
//
// Bytes before `arrived` never change again and may be read by anybody; those behind it belong to
// the fetch alone. So nobody reads what has not arrived, nor what an earlier line left there.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/lines/line_store.hpp>
#include <freehold/cache/lines/line_waiter.hpp>
#include <freehold/cache/lines/object_record.hpp>
#include <freehold/cache/lines/stop.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/memory/spin_lock.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// What it took to fill a line.
struct line_cost {
    std::uint64_t faults = 0;        // of pages, on the threads that filled it
    std::uint64_t bytes_zeroed = 0;  // by the system, because the memory was new
    std::uint64_t bytes_copied = 0;  // stored by the source; the cache itself copies none
    std::chrono::nanoseconds fetch_time{0};
};

namespace detail {

class cached_line {
public:
    static constexpr std::uint64_t unknown = object_record::unknown;

    cached_line(arc<line_store> memory, arc<object_record> of_object, std::uint64_t its_version,
                std::uint64_t its_number, std::uint64_t its_hash)
        : object(std::move(of_object)),
          version(its_version),
          number(its_number),
          hash(its_hash),
          store_(std::move(memory)) {}
    cached_line(const cached_line&) = delete;
    cached_line& operator=(const cached_line&) = delete;
    ~cached_line() {
        if (place_.bytes == nullptr) return;
        // relaxed: there is no other owner.
        const std::uint64_t arrived = arrived_.load(std::memory_order_relaxed);
        if (!asked_for || failure_ != nullptr) store_->counters().bytes_wasted.add(arrived);
        place_.used = std::max<std::size_t>(place_.used, arrived);
        store_->give_back(place_);
    }

    const arc<object_record> object;
    const std::uint64_t version;  // of the object
    const std::uint64_t number;   // of the line in the object
    const std::uint64_t hash;

    // Guarded by the lock of the line's bucket.
    arc<cached_line> next;
    bool is_in_table = false;
    bool asked_for = false;  // by a reader
    std::uint8_t uses = 0;   // since it is in its queue, 3 at most
    // Guarded by the cache's mutex; see line_queue.
    bool is_in_main_queue = false;
    cached_line* older = nullptr;
    cached_line* newer = nullptr;

    [[nodiscard]] std::uint64_t offset() const noexcept { return number * store_->line_size(); }

    // By who has it fetched, before that.
    void set_place(line_place place) noexcept {
        place_ = place;
        // relaxed: says nothing of the place itself.
        is_fetched_.store(true, std::memory_order_relaxed);
    }
    // Whether it is being fetched, and need not wait for memory before.
    [[nodiscard]] bool is_fetched() const noexcept {
        // relaxed: as above.
        return is_fetched_.load(std::memory_order_relaxed) && !is_complete();
    }

    // By the fetch: the line will have so many bytes, of an object of which this is known.
    void begin(std::uint64_t size, told_info of_object) noexcept {
        unpoison(place_.bytes, size);
        told_ = std::move(of_object);
        // release: who sees the size sees the rest.
        size_.store(size, std::memory_order_release);
    }
    // By the fetch: where the bytes from there to the end of the line go.
    [[nodiscard]] std::span<std::byte> place(std::uint64_t from) const noexcept {
        return {place_.bytes + from, static_cast<std::size_t>(size() - from)};
    }
    // By the fetch: whether another line's bytes were there before, or the page was prefaulted.
    [[nodiscard]] bool is_recycled(std::uint64_t from) const noexcept { return from < place_.used; }
    // By the fetch: so many bytes have arrived by now. Returns those who are to be woken.
    [[nodiscard]] waiter_list show(std::uint64_t arrived) noexcept {
        waiter_list served;
        const std::lock_guard lock(lock_);
        // release: who sees the count sees the bytes, and with the last of them the cost.
        arrived_.store(arrived, std::memory_order_release);
        waiters_.move_to(served, [&](const line_waiter& waiter) { return has(waiter.end); });
        return served;
    }
    // The rest will not arrive. Returns those who are to be woken.
    [[nodiscard]] waiter_list fail(const std::exception_ptr& why) noexcept {
        waiter_list all;
        const std::lock_guard lock(lock_);
        if (failure_ == nullptr) failure_ = why;
        waiters_.move_to(all, [](const line_waiter&) { return true; });
        return all;
    }

    // Whether the first `end` bytes are there, or all that the line has.
    [[nodiscard]] bool has(std::uint64_t end) const noexcept {
        const std::uint64_t arrived = arrived_bytes();
        // relaxed: unknown or final, and the latter is seen by who sees that bytes arrived.
        return arrived >= std::min(end, size_.load(std::memory_order_relaxed));
    }
    [[nodiscard]] std::uint64_t arrived_bytes() const noexcept {
        // acquire: the bytes are there for who sees the count.
        return arrived_.load(std::memory_order_acquire);
    }
    [[nodiscard]] bool is_complete() const noexcept { return has(unknown); }

    // False if there is nothing to wait for: the bytes are there, or will not come, or the waiter
    // was cancelled before.
    [[nodiscard]] bool wait(line_waiter& waiter) noexcept {
        const std::lock_guard lock(lock_);
        if (waiter.cancelled || failure_ != nullptr || has(waiter.end)) return false;
        waiters_.push(waiter);
        return true;
    }
    // Wakes the waiter unless somebody else does, and keeps it from waiting later.
    void cancel(line_waiter& waiter) noexcept {
        waiter_list found;
        {
            const std::lock_guard lock(lock_);
            // relaxed: a hint to the fetch, which then looks closer.
            was_cancelled_.store(true, std::memory_order_relaxed);
            waiter.cancelled = true;
            waiters_.move_to(found, [&](const line_waiter& each) { return &each == &waiter; });
        }
        found.wake_all();
    }

    [[nodiscard]] bool was_cancelled() const noexcept {
        return was_cancelled_.load(std::memory_order_relaxed);  // relaxed: as above
    }

    // Sleeps until the first `end` bytes are there. Throws what kept them from arriving.
    void wait_for(std::uint64_t end) {
        if (has(end)) return;
        blocking_waiter waiter(end);
        if (wait(waiter)) waiter.sleep();
        if (!has(end)) std::rethrow_exception(failure());
    }
    // The same for a get: the byte at this offset of the object must be among them, and the wait
    // ends when a stop is asked for.
    void await(std::uint64_t offset_in_object, std::uint64_t end, const stop_token& stop) {
        blocking_waiter waiter(end);
        {
            const auto cancel_it = [&]() noexcept { cancel(waiter); };
            std::optional<stop_callback<decltype(cancel_it)>> stopping;
            if (stop.stop_possible()) stopping.emplace(stop, cancel_it);
            if (wait(waiter)) waiter.sleep();
        }
        check(offset_in_object, end, waiter.cancelled);
    }
    // After a wait for the first `end` bytes: throws unless they are there, and with them the byte
    // at this offset of the object.
    void check(std::uint64_t offset_in_object, std::uint64_t end, bool was_cancelled) const {
        if (!has(end)) {
            if (!was_cancelled) std::rethrow_exception(failure());
            store_->counters().cancelled.add(1);
            throw source_error(source_failure::cancelled,
                               "object '" + object->name + "', offset " +
                                   std::to_string(offset_in_object) +
                                   ": the reader cancelled before it had arrived");
        }
        if (!has_byte_at(offset_in_object)) {
            throw object_record::past_the_end(object->name, object_size(), offset_in_object);
        }
    }
    [[nodiscard]] bool has_byte_at(std::uint64_t offset_in_object) const noexcept {
        return offset_in_object - offset() < arrived_bytes();
    }
    // nullptr, or why the rest will not arrive.
    [[nodiscard]] std::exception_ptr failure() const noexcept {
        const std::lock_guard lock(lock_);
        return failure_;
    }

    // As far as it has begun: nothing before.
    [[nodiscard]] std::uint64_t size() const noexcept {
        // acquire: see begin.
        const std::uint64_t size = size_.load(std::memory_order_acquire);
        return size != unknown ? size : 0;
    }
    [[nodiscard]] std::uint64_t object_size() const noexcept {
        return size() != 0 ? told_->size : 0;
    }
    [[nodiscard]] std::string_view entity_tag() const noexcept {
        return size() != 0 ? std::string_view(told_->entity_tag) : std::string_view();
    }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {place_.bytes, static_cast<std::size_t>(arrived_bytes())};
    }

    // By the fetch, before the last byte is shown.
    void set_cost(std::uint64_t faults, std::chrono::nanoseconds fetch_time) noexcept {
        faults_ = faults;
        fetch_time_ = fetch_time;
    }
    // Of a line that is complete, or whose cost was just set.
    [[nodiscard]] line_cost cost() const noexcept {
        return {faults_, size() - std::min<std::uint64_t>(size(), place_.used), size(),
                fetch_time_};
    }

private:
    const arc<line_store> store_;
    line_place place_;
    std::atomic<std::uint64_t> size_{unknown};
    std::atomic<std::uint64_t> arrived_{0};
    std::atomic<bool> was_cancelled_{false};
    std::atomic<bool> is_fetched_{false};
    mutable spin_lock lock_;
    waiter_list waiters_;         // guarded by lock_
    std::exception_ptr failure_;  // guarded by lock_
    told_info told_;              // from begin on
    std::uint64_t faults_ = 0;
    std::chrono::nanoseconds fetch_time_{0};
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
