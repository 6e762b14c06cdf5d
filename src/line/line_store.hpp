// SPDX-License-Identifier: BSL-1.0
// The memory of lines, in slots of one line each. Slots come from the upstream up to the bound, and
// are reused from then on. Lines smaller than a huge page are allocated 2 MiB at a time, in slabs.
//
// The slots of a slab lie one behind the other. All slabs do, too, if the memory is the cache's
// own: then the store reserves addresses for the whole capacity, and takes memory slab by slab. So
// lines of neighbouring slots are one piece of memory.
//
// Free slots form runs of adjacent ones. The first and the last slot of a run know its length, so a
// run is cut, and merged with its neighbours, in constant time. Runs of similar length are in one
// list, as in a segregated-fit allocator.
//
// The store never touches a slot's bytes. A reused slot keeps its huge, faulted-in pages and its
// old contents. Under the address sanitizer a slot is poisoned until its line knows its size.
//
// Thread-safe. take and reserve throw what the upstream throws, and std::bad_alloc.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/poison.hpp>
#include <freehold/line/line_cache.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/stop_token.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>

#include "line/line_counters.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

class cached_line;

// One slot. It lives as long as the store, also while it has no memory.
struct line_slot {
    // nullptr: there is no memory. Constant while the slot is taken.
    std::byte* bytes = nullptr;
    // The bytes from the start that were used before, so that their pages are there. Belongs to the
    // slot's line, or else to the store.
    std::size_t used = 0;
    // The line that the slot was given to last. Readers that hold this line may read it.
    cached_line* line = nullptr;
    // Whether that line is in the table. Guarded by the cache's mutex.
    bool is_in_table = false;

    // All guarded by the store's mutex.
    bool is_free = false;
    std::uint32_t length = 0;       // of a run of free slots; in its first and last slot
    line_slot* previous = nullptr;  // in the list of runs; in the first slot of a run
    line_slot* next = nullptr;
};

// Slots that lie one behind the other, in ascending order.
struct line_slots {
    line_slot* first = nullptr;
    std::size_t count = 0;

    [[nodiscard]] line_slot* pop() noexcept {
        --count;
        return first++;
    }
};

// How long a get waits for memory: for lines that others hold, and for lines that are being fetched
// but held by no reader, which can be evicted when they are complete. A requested stop ends both.
// What `stop` asks must outlive it.
struct wait_deadlines {
    using time_point = std::chrono::steady_clock::time_point;
    time_point with_holders = time_point::min();
    time_point with_fetches = time_point::min();
    stop_check stop = {};
};

class line_store : public line_store_figures {
public:
    explicit line_store(const line_cache_options& options);
    line_store(const line_store&) = delete;
    line_store& operator=(const line_store&) = delete;
    ~line_store();

    [[nodiscard]] line_counters& counters() noexcept { return counters_; }

    // Takes memory until there are slots for `bytes`, or as many as the bound allows.
    void reserve(std::size_t bytes);

    // Takes this many adjacent slots, or as many as one slab has if slabs are not adjacent:
    // directly behind `before` if they are free, else directly before `behind`, else anywhere. Both
    // are hints: they may be nullptr or free. Takes none if there are too few.
    [[nodiscard]] line_slots take(std::size_t count, const line_slot* before = nullptr,
                                  const line_slot* behind = nullptr);
    [[nodiscard]] std::size_t free_slots() const noexcept {
        const std::lock_guard lock(mutex_);
        return held - taken;
    }
    // Takes the longest run of free slots, but at most `count` slots of it.
    [[nodiscard]] line_slots take_longest(std::size_t count) noexcept;

    void give_back(line_slots slots) noexcept;

    // Returns when a slot was given back, or after `time`.
    void wait_for_return(std::chrono::nanoseconds time) {
        std::unique_lock lock(mutex_);
        returned_.wait_for(lock, time, [&] { return classes_in_use_ != 0; });
    }

    // Whether the memory of the one follows that of the other. Both slots are taken.
    [[nodiscard]] bool is_behind(const line_slot& slot, const line_slot& other) const noexcept {
        return &slot == &other + 1 && slot.bytes == other.bytes + line_size;
    }
    // Finds `count` adjacent slots, the given one among them, that are free or that usable(slot)
    // allows, and calls use(slot) for those that are not free. Prefers the slots behind the given
    // one. Returns false if there are too few.
    template <class Usable, class Use>
    bool use_around(line_slot& around, std::size_t count, Usable usable, Use use) const {
        const std::lock_guard lock(mutex_);
        const auto extend = [&](line_slot* from, std::ptrdiff_t step, std::size_t most) {
            std::size_t found = 0;
            for (line_slot* at = from; found != most; ++found) {
                at = neighbour(at, step);
                if (at == nullptr || !(at->is_free || usable(*at))) break;
            }
            return found;
        };
        const std::size_t behind = extend(&around, 1, count - 1);
        const std::size_t before = extend(&around, -1, count - 1 - behind);
        if (before + behind + 1 < count) return false;
        line_slot* const first = &around - before;
        std::for_each(first, first + count, [&](line_slot& each) {
            if (!each.is_free) use(each);
        });
        return true;
    }

    // Bounds the lines that are pinned for ranges. Returns false if these would be too many.
    [[nodiscard]] bool pin(std::size_t lines) noexcept;
    void unpin(std::size_t lines) noexcept;

    // Returns to the upstream every slab that is entirely free. Returns the number of bytes. The
    // upstream is called without the lock that takes and returns of slots need.
    std::size_t trim() noexcept;

    [[nodiscard]] line_store_figures figures() const {
        const std::lock_guard lock(mutex_);
        return *this;
    }

private:
    enum class slab_state : std::uint8_t { absent, growing, present, returning };

    // Returns the slot that lies directly behind the given one, or before it if `step` is -1, or
    // nullptr. Requires mutex_.
    [[nodiscard]] line_slot* neighbour(const line_slot* slot, std::ptrdiff_t step) const noexcept;
    // Returns the neighbour of a taken slot if it is free. It is then the first or last slot of a
    // run. Requires mutex_.
    [[nodiscard]] line_slot* end_of_run(const line_slot* slot, std::ptrdiff_t step) const noexcept;
    [[nodiscard]] bool continues(line_slots run, const line_slot& slot) const noexcept {
        return run.count == 0 || neighbour(run.first + (run.count - 1), 1) == &slot;
    }

    // Makes the runs of all free slots anew. Requires mutex_.
    void find_runs() noexcept;
    // Adds free slots, and merges them with the runs before and behind them. Requires mutex_.
    void add_run(line_slots slots) noexcept;
    // Takes `count` slots out of the run that begins with `first`, after `skipped` of its slots,
    // which are none or all before the last `count`. Requires mutex_.
    [[nodiscard]] line_slots cut(line_slot& first, std::size_t skipped, std::size_t count) noexcept;

    [[nodiscard]] static std::size_t class_of(std::size_t length) noexcept {
        return static_cast<std::size_t>(std::bit_width(length)) - 1;
    }
    // Returns the first slot of a short run that is long enough, or nullptr. Requires mutex_.
    [[nodiscard]] line_slot* shortest_run_of(std::size_t count) const noexcept;
    // Requires mutex_.
    void link(line_slots run) noexcept;
    // Requires mutex_.
    void unlink(line_slot& first) noexcept;

    [[nodiscard]] std::size_t index_of(const line_slot& slot) const noexcept {
        return static_cast<std::size_t>(&slot - slots_.get());
    }
    [[nodiscard]] line_slots slots_of(std::size_t slab) const noexcept {
        const std::size_t first = slab * slots_of_slab_;
        return {&slots_[first], std::min(slots_of_slab_, max_slots - first)};
    }

    [[nodiscard]] std::span<std::byte> bytes_of(line_slots slots) const noexcept {
        return {slots.first->bytes, slots.count * line_size};
    }

    // Takes memory for one more slab. Returns false at the bound. Counts the slab before it calls
    // the upstream, so that concurrent calls do not exceed the bound. The lock is released
    // meanwhile.
    bool grow(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] std::byte* from_upstream(std::size_t offset, std::size_t slots);
    void return_to_upstream(std::span<std::byte> bytes) noexcept;
    [[nodiscard]] std::size_t alignment(std::size_t slots) const noexcept {
        return slots * line_size % huge_page_size == 0 ? huge_page_size : 4096;
    }

    // The system gives memory to addresses when they are touched, except for reserved huge pages.
    // Without the addresses, because a limit or the system refuses them, each slab is allocated.
    void reserve_addresses(const line_cache_options& options) noexcept;

    const std::size_t slots_of_slab_;  // the last slab may have fewer
    page_resource pages_;
    memory_resource& upstream_;
    const bool prefaults_;
    std::byte* region_ = nullptr;  // the addresses of all slots, if they are reserved
    line_counters counters_;
    std::atomic<std::size_t> pinned_{0};
    std::mutex trim_mutex_;  // locked before mutex_
    mutable std::mutex mutex_;
    std::condition_variable returned_;
    // Guarded by mutex_, except for what belongs to a taken slot's line. Invariants: a slot is
    // free, taken, or has no memory; each free slot is in one run; two runs are never adjacent.
    const std::unique_ptr<line_slot[]> slots_;
    std::vector<slab_state> slabs_;
    std::size_t first_absent_ = 0;  // no slab before it is absent
    // The first slots of runs, by the logarithm of the length; each list begins with the latest.
    std::array<line_slot*, 32> runs_{};
    std::uint64_t classes_in_use_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
