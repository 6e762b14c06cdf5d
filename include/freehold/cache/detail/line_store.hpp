// SPDX-License-Identifier: BSL-1.0
// The memory of lines, in slots of one line each. Slots come from the upstream up to the bound, and
// are reused from then on. Lines smaller than a huge page are allocated 2 MiB at a time.
//
// The store never touches a slot's bytes. A reused slot keeps its huge, faulted-in pages and its
// old contents. Under the address sanitizer a slot is poisoned until its line knows its size.
//
// Thread-safe. take throws what the upstream throws, and std::bad_alloc.
#pragma once

#include <freehold/cache/detail/line_counters.hpp>
#include <freehold/cache/line_cache_options.hpp>
#include <freehold/cache/stop_token.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/poison.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

struct line_slot {
    std::byte* bytes = nullptr;
    // The bytes from the start that were used before, so that their pages are there.
    std::size_t used = 0;
};

// How long a get waits for memory: for lines that others hold, and for lines that are being fetched
// but held by no reader, which can be evicted when they are complete. A requested stop ends both.
struct wait_deadlines {
    using time_point = std::chrono::steady_clock::time_point;
    time_point with_holders = time_point::min();
    time_point with_fetches = time_point::min();
    stop_token stop = {};
};

class line_store {
public:
    explicit line_store(const line_cache_options& options)
        : line_size_(options.line_size),
          max_slots_(options.capacity / options.line_size),
          pages_(page_options{options.huge, options.prefault, options.in_children}),
          upstream_(options.upstream != nullptr ? *options.upstream : pages_),
          new_pages_are_used_(options.prefault && options.upstream == nullptr) {}
    line_store(const line_store&) = delete;
    line_store& operator=(const line_store&) = delete;
    ~line_store() {
        for (const slab& each : slabs_) return_to_upstream(each);
    }

    [[nodiscard]] std::size_t line_size() const noexcept { return line_size_; }
    [[nodiscard]] line_counters& counters() noexcept { return counters_; }
    [[nodiscard]] page_resource& pages() noexcept { return pages_; }

    // Takes memory until there are slots for `bytes`, or as many as the bound allows.
    void reserve(std::size_t bytes) {
        std::unique_lock lock(mutex_);
        const std::size_t wanted =
            std::min(bytes / line_size_ + (bytes % line_size_ != 0 ? 1 : 0), max_slots_);
        while (slots_ < wanted) grow(slots_of_growth(), lock);
    }

    // Returns a slot whose `bytes` is nullptr if all slots are taken.
    [[nodiscard]] line_slot take() {
        std::unique_lock lock(mutex_);
        if (free_.empty()) {
            const std::size_t slots = slots_of_growth();
            if (slots == 0) return {};
            grow(slots, lock);
        }
        const line_slot slot = free_.back();
        free_.pop_back();
        ++taken_;
        return slot;
    }

    void give_back(line_slot slot) noexcept {
        poison(slot.bytes, line_size_);
        {
            const std::lock_guard lock(mutex_);
            --taken_;
            free_.push_back(slot);  // does not allocate: grow has reserved the space
        }
        returned_.notify_one();
    }

    // Returns when a slot was given back, or after `time`.
    void wait_for_return(std::chrono::nanoseconds time) {
        std::unique_lock lock(mutex_);
        returned_.wait_for(lock, time, [&] { return !free_.empty(); });
    }

    // Returns to the upstream every allocation that is entirely free. Returns the number of bytes.
    std::size_t trim() noexcept {
        const std::lock_guard lock(mutex_);
        std::sort(free_.begin(), free_.end(),
                  [](line_slot a, line_slot b) { return a.bytes < b.bytes; });
        std::size_t trimmed = 0;
        auto kept = slabs_.begin();
        for (const slab& each : slabs_) {
            const auto first = lower_bound(each.bytes);
            const auto last = lower_bound(each.bytes + each.slots * line_size_);
            if (static_cast<std::size_t>(last - first) != each.slots) {
                *kept++ = each;
                continue;
            }
            free_.erase(first, last);
            return_to_upstream(each);
            slots_ -= each.slots;
            trimmed += each.slots * line_size_;
        }
        slabs_.erase(kept, slabs_.end());
        return trimmed;
    }

    struct usage {
        std::size_t held = 0;
        std::size_t most_held = 0;
        std::size_t taken = 0;
    };
    // In bytes.
    [[nodiscard]] usage read_usage() const {
        const std::lock_guard lock(mutex_);
        return {slots_ * line_size_, max_slots_ever_ * line_size_, taken_ * line_size_};
    }

private:
    struct slab {
        std::byte* bytes;
        std::size_t slots;
    };

    // The slots of the next allocation, 0 at the bound. Requires mutex_.
    [[nodiscard]] std::size_t slots_of_growth() const noexcept {
        return std::min(std::max<std::size_t>(1, huge_page_size / line_size_), max_slots_ - slots_);
    }
    // Counts the slots before it calls the upstream, so that concurrent calls do not exceed the
    // bound. The lock is released meanwhile.
    void grow(std::size_t slots, std::unique_lock<std::mutex>& lock) {
        reserve_for(free_, slots_ + slots);
        reserve_for(slabs_, slots_ + slots);
        slots_ += slots;
        lock.unlock();
        std::byte* bytes = nullptr;
        try {
            bytes =
                static_cast<std::byte*>(upstream_.allocate(slots * line_size_, alignment(slots)));
        } catch (...) {
            lock.lock();
            slots_ -= slots;
            throw;
        }
        poison(bytes, slots * line_size_);
        lock.lock();
        max_slots_ever_ = std::max(max_slots_ever_, slots_);
        slabs_.push_back({bytes, slots});
        for (std::size_t i = slots; i-- != 0;) {
            free_.push_back({bytes + i * line_size_, new_pages_are_used_ ? line_size_ : 0});
        }
    }

    template <class T>
    static void reserve_for(std::vector<T>& all, std::size_t slots) {
        if (all.capacity() < slots) all.reserve(std::max(slots, 2 * all.capacity()));
    }

    void return_to_upstream(const slab& each) noexcept {
        unpoison(each.bytes, each.slots * line_size_);
        upstream_.deallocate(each.bytes, each.slots * line_size_, alignment(each.slots));
    }
    [[nodiscard]] std::size_t alignment(std::size_t slots) const noexcept {
        return slots * line_size_ % huge_page_size == 0 ? huge_page_size : 4096;
    }
    [[nodiscard]] std::vector<line_slot>::iterator lower_bound(const std::byte* bytes) noexcept {
        return std::lower_bound(
            free_.begin(), free_.end(), bytes,
            [](line_slot slot, const std::byte* bound) { return slot.bytes < bound; });
    }

    const std::size_t line_size_;
    const std::size_t max_slots_;
    page_resource pages_;
    memory_resource& upstream_;
    const bool new_pages_are_used_;
    line_counters counters_;
    mutable std::mutex mutex_;
    std::condition_variable returned_;
    // Guarded by mutex_. Invariants: taken_ + free_.size() == slots_ <= max_slots_, except while
    // the upstream is called; free_ and slabs_ have the capacity for slots_ elements.
    std::vector<line_slot> free_;  // ordered by time of use, the latest at the end
    std::vector<slab> slabs_;
    std::size_t slots_ = 0;
    std::size_t max_slots_ever_ = 0;
    std::size_t taken_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
