// SPDX-License-Identifier: BSL-1.0
// One line: its object, its memory, how many of its bytes have arrived, and its waiters. It lives
// in a common pool; its bytes are in a slot of their own.
//
// Its readers, its fetch and the table own it together. The last owner gives the slot back to the
// store.
//
// Invariant: the first `arrived_` bytes never change again, and any thread may read them. The bytes
// after them belong to the fetch. So no reader sees bytes that have not arrived, or an earlier
// line's.
//
// | state | size_ | arrived_ | failure_ |
// |---|---|---|---|
// | waits for memory, or for the source | unknown | 0 | null |
// | filling | known | less than size_ | null |
// | complete | known | size_ | null |
// | failed, and removed from the table | any | less than size_ | set |
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/spin_lock.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/line_cache_statistics.hpp>
#include <freehold/line/line_source.hpp>
#include <freehold/line/stop_token.hpp>

#include "line/eviction_order.hpp"
#include "line/line_store.hpp"
#include "line/line_waiter.hpp"
#include "line/object_table.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

class cached_line {
public:
    static constexpr std::uint64_t unknown = object_entry::unknown;

    cached_line(arc<line_store> memory, arc<object_entry> of_object, std::uint64_t its_version,
                std::uint64_t its_number, std::uint64_t its_hash);
    cached_line(const cached_line&) = delete;
    cached_line& operator=(const cached_line&) = delete;
    ~cached_line();

    const arc<object_entry> object;
    const std::uint64_t version;  // of the object
    const std::uint64_t number;   // of the line in the object
    const std::uint64_t hash;

    // Guarded by the lock of the line's bucket.
    arc<cached_line> next;
    bool is_in_table = false;
    bool was_requested = false;  // by a reader
    bool is_for_once = false;    // no reader but a scan has requested it
    std::uint8_t uses = 0;       // since it entered its queue, at most 3
    // Guarded by the cache's mutex; see eviction_order.
    queue_name queue = queue_name::small;
    std::uint32_t entered = 0;  // how many lines had been inserted before it, modulo 2^32
    cached_line* older = nullptr;
    cached_line* newer = nullptr;

    [[nodiscard]] std::uint64_t offset() const noexcept { return number * store_->line_size; }

    // Called before the fetch starts, under the cache's mutex.
    void set_slot(line_slot& slot) noexcept {
        bytes_ = slot.bytes;
        slot.line = this;
        // release: a thread that sees the slot sees its address and its line.
        slot_.store(&slot, std::memory_order_release);
    }
    // nullptr: the line has no memory yet.
    [[nodiscard]] line_slot* slot() const noexcept {
        return slot_.load(std::memory_order_acquire);  // acquire: see set_slot
    }
    [[nodiscard]] const arc<line_store>& store() const noexcept { return store_; }
    // Whether the line has memory and is being fetched.
    [[nodiscard]] bool is_fetched() const noexcept { return slot() != nullptr && !is_complete(); }

    // Called by the fetch, with the line's size and the object's information.
    void begin(std::uint64_t size, shared_object_info of_object) noexcept;
    // Called by the fetch: where the bytes from `from` to the line's end go.
    [[nodiscard]] std::span<std::byte> slot(std::uint64_t from) const noexcept {
        return {bytes_ + from, static_cast<std::size_t>(size() - from)};
    }
    // Called by the fetch: whether another line used these bytes before, or they were prefaulted.
    [[nodiscard]] bool is_recycled(std::uint64_t from) const noexcept {
        return from < slot()->used;
    }
    // Called by the fetch when this many bytes have arrived. Returns the waiters to wake.
    [[nodiscard]] waiter_list publish(std::uint64_t arrived) noexcept;
    // Records that the rest will not arrive. Returns the waiters to wake.
    [[nodiscard]] waiter_list fail(const std::exception_ptr& why) noexcept;

    // Whether the first `end` bytes have arrived, or the whole line.
    [[nodiscard]] bool has(std::uint64_t end) const noexcept {
        const std::uint64_t arrived = arrived_bytes();
        // acquire: a thread that has seen bytes arrive sees the size, but a line may have none.
        return arrived >= std::min(end, size_.load(std::memory_order_acquire));
    }
    [[nodiscard]] std::uint64_t arrived_bytes() const noexcept {
        // acquire: see publish.
        return arrived_.load(std::memory_order_acquire);
    }
    [[nodiscard]] bool is_complete() const noexcept { return has(unknown); }

    // Adds a waiter. Returns false if there is nothing to wait for: the bytes have arrived, or will
    // not arrive, or the waiter is cancelled.
    [[nodiscard]] bool wait(line_waiter& waiter) noexcept;
    // Cancels a waiter, and wakes it unless another thread does.
    void cancel(line_waiter& waiter) noexcept;

    [[nodiscard]] bool was_cancelled() const noexcept {
        return was_cancelled_.load(std::memory_order_relaxed);  // relaxed: see cancel
    }

    // Sleeps until the first `end` bytes have arrived. Throws what kept them from arriving.
    void wait_for(std::uint64_t end);
    // The same for a get: a requested stop ends the wait, and the byte at this offset of the object
    // must be among the arrived ones.
    void await(std::uint64_t offset_in_object, std::uint64_t end, const stop_check& stop);
    // Called after a wait for the first `end` bytes. Throws unless they have arrived, and with them
    // the byte at this offset of the object.
    void check(std::uint64_t offset_in_object, std::uint64_t end, bool was_cancelled) const;
    [[nodiscard]] bool has_byte_at(std::uint64_t offset_in_object) const noexcept {
        return offset_in_object - offset() < arrived_bytes() ||
               // The start of an empty object counts as one.
               (offset_in_object == 0 && has_begun() && size() == 0);
    }
    // Returns nullptr, or why the rest will not arrive.
    [[nodiscard]] std::exception_ptr failure() const noexcept {
        const std::lock_guard lock(lock_);
        return failure_;
    }

    // 0 until the fetch has begun.
    [[nodiscard]] std::uint64_t size() const noexcept {
        // acquire: see begin.
        const std::uint64_t size = size_.load(std::memory_order_acquire);
        return size != unknown ? size : 0;
    }
    [[nodiscard]] bool has_begun() const noexcept {
        return size_.load(std::memory_order_acquire) != unknown;  // acquire: see begin
    }
    [[nodiscard]] std::uint64_t object_size() const noexcept {
        return has_begun() ? info_->size : 0;
    }
    [[nodiscard]] std::string_view entity_tag() const noexcept {
        return has_begun() ? std::string_view(info_->entity_tag) : std::string_view();
    }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {bytes_, static_cast<std::size_t>(arrived_bytes())};
    }
    // Whether both are known to be of one version of the object. `version` alone does not tell: if
    // the object is invalidated while two requests for lines are under way, the source may serve
    // them from two versions. Requires that bytes of both lines have arrived.
    [[nodiscard]] bool has_same_info_as(const cached_line& other) const noexcept {
        return info_ == other.info_;
    }

    // Called by the fetch before it publishes the last byte.
    void set_cost(std::uint64_t faults, std::chrono::nanoseconds fetch_time) noexcept {
        faults_ = faults;
        fetch_time_ = fetch_time;
    }
    // Requires that the line is complete, or that set_cost was just called.
    [[nodiscard]] line_cost cost() const noexcept {
        return {faults_, size() - std::min<std::uint64_t>(size(), slot()->used), size(),
                fetch_time_};
    }

private:
    const arc<line_store> store_;
    std::byte* bytes_ = nullptr;  // of the slot
    std::atomic<line_slot*> slot_{nullptr};
    std::atomic<std::uint64_t> size_{unknown};
    std::atomic<std::uint64_t> arrived_{0};
    std::atomic<bool> was_cancelled_{false};
    mutable spin_lock lock_;
    waiter_list waiters_;         // guarded by lock_
    std::exception_ptr failure_;  // guarded by lock_
    shared_object_info info_;     // set by begin
    std::uint64_t faults_ = 0;
    std::chrono::nanoseconds fetch_time_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
