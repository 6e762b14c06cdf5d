// SPDX-License-Identifier: BSL-1.0
// A line_cache without its source: which lines there are, which requests get memory, and which
// lines are evicted.
//
// Invariant: a line is in the table exactly as long as it is in a queue. It enters and leaves both
// under mutex_ and then its bucket's lock. A lookup takes the bucket's lock only. So a thread that
// holds both can establish that only the table owns a line, and remove it. No line is destroyed and
// no waiter is woken under either lock.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/access.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/line_cache_statistics.hpp>
#include <freehold/line/line_source.hpp>

#include "line/active_operations.hpp"
#include "line/cached_line.hpp"
#include "line/eviction_order.hpp"
#include "line/line_geometry.hpp"
#include "line/line_store.hpp"
#include "line/line_table.hpp"
#include "line/object_table.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Counts the fetches that are publishing a complete line but still own it. In this moment a reader
// may release the line, and a thread that looks for memory may find it in use although nobody reads
// it. Such a thread looks again if any completion was in flight.
class completions_in_flight {
public:
    void begin() noexcept {
        // relaxed: a thread that sees the complete line sees this, because publish is a release.
        state_.fetch_add(one_begun + one_under_way, std::memory_order_relaxed);
    }
    void end() noexcept {
        // release: a thread that sees this sees that the fetch has released the line.
        state_.fetch_sub(one_under_way, std::memory_order_release);
    }
    // The value to pass to any_since later.
    [[nodiscard]] std::uint64_t now() const noexcept {
        return state_.load(std::memory_order_acquire);  // acquire: see end
    }
    // Whether a completion was in flight at `then`, or has begun since.
    [[nodiscard]] bool any_since(std::uint64_t then) const noexcept {
        return then % one_begun != 0 || now() != then;
    }

private:
    static constexpr std::uint64_t one_under_way = 1;
    static constexpr std::uint64_t one_begun = std::uint64_t{1} << 32;

    // Lower half: completions in flight. Upper half: completions begun, which may wrap around.
    std::atomic<std::uint64_t> state_{0};
};

class line_core {
public:
    using clock = std::chrono::steady_clock;
    using line_ptr = arc<cached_line>;

    explicit line_core(const line_cache_options& options);
    line_core(const line_core&) = delete;
    line_core& operator=(const line_core&) = delete;
    ~line_core();

    [[nodiscard]] const line_cache_options& options() const noexcept { return options_; }
    [[nodiscard]] const line_store& store() const noexcept { return *store_; }
    [[nodiscard]] line_counters& counters() const noexcept { return store_->counters(); }
    [[nodiscard]] const line_geometry& geometry() const noexcept { return geometry_; }

    struct found {
        line_ptr line;
        bool has_all = false;
        bool is_first = false;  // this is the first request for it
    };
    // All of a hit. Inlined in the gets: a call takes a tenth of a hit's time.
    [[nodiscard, gnu::always_inline]] found find(const line_key& key,
                                                 std::uint64_t end) const noexcept;

    // Returns the line, or nullptr if it is not there. That is no use of the line.
    [[nodiscard]] line_ptr pin(const line_key& key) const noexcept {
        line_table::bucket& bucket = table_.of(key.hash);
        const std::lock_guard lock(bucket.lock);
        const line_ptr* const at = bucket.find(key);
        return at != nullptr ? *at : nullptr;
    }
    // The slots of the cached lines before and behind a run of lines, which is best placed between
    // them. They are hints, because these lines may be evicted meanwhile.
    struct place {
        const line_slot* before = nullptr;
        const line_slot* behind = nullptr;
    };
    struct insertion {
        line_ptr line;
        bool is_new = false;  // the caller must fetch the line or fail it
        place near = {};      // for a new line
    };
    // Returns the line, and inserts it if it is missing. That may be beyond the known end of the
    // object, because only the source knows the present end. `counts` is false if a reader tries
    // again, so that each get counts once.
    [[nodiscard]] insertion find_or_insert(const line_key& key, bool counts = true);
    // Inserts a line that no reader asked for, and gives it the slot. Returns nullptr if the line
    // is there, or if it is beyond the known end of the object.
    [[nodiscard]] line_ptr insert_ahead(const line_key& key, line_slot& slot);
    void give_memory(cached_line& line, line_slot& slot) noexcept {
        const std::lock_guard lock(mutex_);
        line.set_slot(slot);
        slot.is_in_table = line.is_in_table;
    }

    struct gap {
        std::size_t lines = 0;
        place near = {};
    };
    // The missing lines from the first one on, as far as the object is known to have them, and at
    // most `most` or as many as are inserted at once.
    [[nodiscard]] gap gap_at(const line_key& first, std::uint64_t most);
    // A run of more lines would fill the cache by itself, or hold the mutex for long.
    [[nodiscard]] std::size_t most_at_once() const noexcept {
        return std::clamp<std::size_t>(store_->max_slots / 2, 1, 1024);
    }
    [[nodiscard]] bool is_there(const line_key& key) const noexcept {
        line_table::bucket& bucket = table_.of(key.hash);
        const std::lock_guard lock(bucket.lock);
        return bucket.find(key) != nullptr;
    }

    // Takes memory for several lines, in adjacent slots, and evicts others if necessary. Does not
    // wait. Where no slots are adjacent, takes fewer. Evicts at most `evictions` lines to make
    // slots adjacent, and reduces that number. Does not do so while many slots are free.
    [[nodiscard]] line_slots take_slots(std::size_t count, const place& near,
                                        std::size_t& evictions);
    void give_back(line_slots slots) noexcept { store_->give_back(slots); }

    // Takes memory for one line, and evicts another line if necessary. Returns nullptr if there is
    // none.
    [[nodiscard]] line_slot* take_slot(const wait_deadlines& deadlines, const place& near);
    [[nodiscard]] cache_full full() const;

    // Removes a line that will not be completed. Returns its waiters, to be woken by the caller.
    [[nodiscard]] waiter_list drop_failed(cached_line& line,
                                          const std::exception_ptr& why) noexcept;
    void fail(cached_line& line, const std::exception_ptr& why) noexcept {
        drop_failed(line, why).wake_all();
    }

    // Removes the incomplete lines of a fetch from the table. Returns false if a line has an owner
    // besides the table and the fetch.
    [[nodiscard]] bool abandon(std::span<const line_ptr> lines) noexcept;

    // Returns the information for the object's lines, or nullptr if the object is not the one that
    // other lines came from.
    [[nodiscard]] shared_object_info accept_info(const cached_line& line, const object_info& info);
    [[nodiscard]] std::string entity_tag_of(const cached_line& line) {
        const std::lock_guard lock(mutex_);
        return line.version == line.object->version ? line.object->entity_tag : std::string();
    }
    [[nodiscard]] object_info info_of(std::string_view name);
    // Returns object_entry::unknown if the object's size is not known.
    [[nodiscard]] std::uint64_t size_of(const line_key& key) {
        const std::lock_guard lock(mutex_);
        const arc<object_entry> object = entry_if_any(key);
        return object != nullptr ? object->size : object_entry::unknown;
    }
    [[nodiscard]] bool knows_size_of(const line_key& key) {
        return size_of(key) != object_entry::unknown;
    }
    // How many of the `count` lines from `first` on the object is known to have.
    [[nodiscard]] std::uint64_t lines_ahead(const object_entry& object, std::uint64_t first,
                                            std::uint64_t count);
    [[nodiscard]] arc<object_entry> open(std::string_view name) {
        const std::lock_guard lock(mutex_);
        return objects_.intern(name);
    }
    // Expects this version of the object, if it has no lines.
    [[nodiscard]] arc<object_entry> open(std::string_view name, const object_info& now);

    // Drops all lines of this version.
    void invalidate(const cached_line& line) noexcept;
    void invalidate(std::string_view name, std::string_view entity_tag);

    // Drops all unused lines and frees their memory. Returns the number of bytes.
    std::size_t trim() noexcept;

    [[nodiscard]] completions_in_flight& completions() noexcept { return completions_; }
    [[nodiscard]] active_operations& operations() noexcept { return operations_; }
    [[nodiscard]] wait_recorder& waits() noexcept { return waits_; }

    [[nodiscard]] line_cache_statistics statistics();

private:
    static constexpr std::chrono::milliseconds min_retry_interval{1};

    // Requires mutex_.
    [[nodiscard]] arc<object_entry> entry_of(const line_key& key) {
        return key.object != nullptr ? owner_of(key.object) : objects_.intern(key.name);
    }
    // Returns nullptr if nothing is known of the object. Requires mutex_.
    [[nodiscard]] arc<object_entry> entry_if_any(const line_key& key) const {
        return key.object != nullptr ? owner_of(key.object) : objects_.find(key.name);
    }
    // Requires mutex_.
    [[nodiscard]] place place_around(const line_key& first, std::uint64_t lines) const noexcept {
        return {first.number != 0 ? slot_of(first.at(first.number - 1)) : nullptr,
                slot_of(first.at(first.number + lines))};
    }
    // Requires mutex_.
    [[nodiscard]] const line_slot* slot_of(const line_key& key) const noexcept;
    // Requires mutex_.
    [[nodiscard]] line_ptr make_line(const line_key& key, const arc<object_entry>& object);
    // Requires mutex_.
    void insert(const line_ptr& line, line_table::bucket& bucket) noexcept;

    [[nodiscard]] line_ptr take_out(cached_line& line) noexcept;
    // Requires mutex_ and the bucket's lock.
    [[nodiscard]] static line_ptr unlink(line_table::bucket& bucket,
                                         const cached_line& line) noexcept;

    struct eviction {
        std::size_t lines = 0;
        bool is_one_fetched = false;  // a line can be evicted as soon as it has arrived
    };

    // Evicts the line that S3-FIFO chooses. If `count` slots around it are free or have lines that
    // would be evicted at their turn, and have had a quarter of its time, evicts these, too. So
    // adjacent slots become free.
    [[nodiscard]] eviction evict(std::size_t count);
    // Whether the line has earned another round in its queue. Requires mutex_ and the bucket's
    // lock.
    [[nodiscard]] static bool is_used(const cached_line& line) noexcept {
        switch (line.queue) {
            case queue_name::scan:
                return !line.is_for_once;
            case queue_name::small:
                return line.uses > 1;
            case queue_name::main:
                return line.uses > 0;
        }
        return false;
    }
    // Called for the line's next round. Requires mutex_ and the bucket's lock.
    static void count_down(cached_line& line) noexcept {
        if (line.queue == queue_name::small) line.uses = 0;
        if (line.queue == queue_name::main) --line.uses;
    }
    // Requires mutex_.
    [[nodiscard]] bool is_evictable(const cached_line& line) const noexcept;

    // Calls first(), then removes the chosen lines.
    template <class Chosen, class First>
    void drop_lines(Chosen chosen, First first, bool unused_only = false) noexcept;

    const line_cache_options options_;
    const line_geometry geometry_;
    const arc<line_store> store_;
    const line_table table_;
    wait_recorder waits_;
    active_operations operations_;
    completions_in_flight completions_;
    std::mutex mutex_;
    // Guarded by mutex_.
    object_table objects_;
    eviction_order<cached_line> order_;
    std::uint32_t insertions_ = 0;
};

inline line_core::found line_core::find(const line_key& key, std::uint64_t end) const noexcept {
    line_table::bucket& bucket = table_.of(key.hash);
    const std::lock_guard lock(bucket.lock);
    const line_ptr* const at = bucket.find(key);
    if (at == nullptr) return {};
    cached_line& line = **at;
    const bool has_all = line.has(end);
    const bool is_first = !std::exchange(line.was_requested, true);
    ++(has_all ? bucket.hits : bucket.joined);
    if (key.how == access::again) {
        // The readers that wait for one fetch count as one use, and so does the first reader.
        if (has_all && !is_first && !line.is_for_once && line.uses < 3) ++line.uses;
        line.is_for_once = false;
    }
    return {*at, has_all, is_first};
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
