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
#include <freehold/line/detail/active_operations.hpp>
#include <freehold/line/detail/cached_line.hpp>
#include <freehold/line/detail/completions_in_flight.hpp>
#include <freehold/line/detail/line_geometry.hpp>
#include <freehold/line/detail/line_queues.hpp>
#include <freehold/line/detail/line_store.hpp>
#include <freehold/line/detail/line_table.hpp>
#include <freehold/line/detail/object_table.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/line_cache_statistics.hpp>
#include <freehold/line/line_source.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Throws std::invalid_argument if the options make no sense.
inline const line_cache_options& validated(const line_cache_options& options) {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("line_cache '" + options.name + "': " + why);
    };
    if (options.line_size == 0 || options.line_size % 4096 != 0) {
        refuse("line_size is " + std::to_string(options.line_size) +
               "; it must be a multiple of 4096");
    }
    if (options.capacity < options.line_size) {
        refuse("capacity is " + std::to_string(options.capacity) +
               " bytes; it must be at least one line, " + std::to_string(options.line_size));
    }
    if (options.reserve > options.capacity) {
        refuse("reserve is " + std::to_string(options.reserve) +
               " bytes; it must be at most the capacity, " + std::to_string(options.capacity));
    }
    if (options.coalesce == 0) refuse("coalesce is 0; a request asks for at least one line");
    return options;
}

inline std::string all_in_use_message(const line_cache_options& options) {
    return "line_cache '" + options.name + "': all " +
           std::to_string(options.capacity / options.line_size) + " lines of " +
           std::to_string(options.line_size) +
           " bytes are in use; release lines, or increase its capacity";
}

class line_core {
public:
    using clock = std::chrono::steady_clock;
    using line_ptr = arc<cached_line>;

    explicit line_core(const line_cache_options& options)
        : options_(validated(options)),
          geometry_(options.line_size),
          store_(make_arc<line_store>(options_)),
          table_(options.capacity / options.line_size, options.line_size),
          queues_(options.capacity / options.line_size) {
        store_->reserve(options_.reserve);
    }
    line_core(const line_core&) = delete;
    line_core& operator=(const line_core&) = delete;
    ~line_core() {
        drop_lines([](const cached_line&) { return true; }, [] {});
    }

    [[nodiscard]] const line_cache_options& options() const noexcept { return options_; }
    [[nodiscard]] line_counters& counters() const noexcept { return store_->counters(); }
    [[nodiscard]] const line_geometry& geometry() const noexcept { return geometry_; }

    struct found {
        line_ptr line;
        bool has_all = false;
        bool is_first = false;  // this is the first request for it
    };
    // All of a hit.
    [[nodiscard]] found find(const line_key& key, std::uint64_t end) const noexcept {
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
    [[nodiscard]] insertion find_or_insert(const line_key& key, bool counts = true) {
        const std::lock_guard lock(mutex_);
        const arc<object_entry> object = entry_of(key);
        line_table::bucket& bucket = table_.of(key.hash);
        {
            const std::lock_guard bucket_lock(bucket.lock);
            if (const line_ptr* const at = bucket.find(key)) {
                if (counts) ++bucket.joined;
                (**at).was_requested = true;
                if (key.how == access::again) (**at).is_for_once = false;
                return {*at, false};
            }
        }
        line_ptr line = make_line(key, object);
        line->was_requested = true;
        insert(line, bucket);
        if (counts) counters().misses.add(1);
        return {std::move(line), true, place_around(key, 1)};
    }
    // Inserts a line that no reader asked for, and gives it the slot. Returns nullptr if the line
    // is there, or if it is beyond the known end of the object.
    [[nodiscard]] line_ptr insert_ahead(const line_key& key, line_slot& slot) {
        const std::lock_guard lock(mutex_);
        const arc<object_entry> object = entry_of(key);
        if (key.number >= geometry_.lines_of(object->size) || is_there(key)) return nullptr;
        line_ptr line = make_line(key, object);
        // Before the line is inserted, because a thread that looks for memory waits only for lines
        // that are being fetched.
        line->set_slot(slot);
        slot.is_in_table = true;
        insert(line, table_.of(key.hash));
        counters().prefetched.add(1);
        return line;
    }
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
    [[nodiscard]] gap gap_at(const line_key& first, std::uint64_t most) {
        const std::lock_guard lock(mutex_);
        if (const arc<object_entry> object = entry_if_any(first); object != nullptr) {
            const std::uint64_t lines = geometry_.lines_of(object->size);
            most = first.number < lines ? std::min(most, lines - first.number) : 0;
        }
        most = std::min<std::uint64_t>(most, most_at_once());
        gap missing;
        while (missing.lines != most && !is_there(first.at(first.number + missing.lines))) {
            ++missing.lines;
        }
        if (missing.lines != 0) missing.near = place_around(first, missing.lines);
        return missing;
    }
    // A run of more lines would fill the cache by itself, or hold the mutex for long.
    [[nodiscard]] std::size_t most_at_once() const noexcept {
        return std::clamp<std::size_t>(store_->max_slots() / 2, 1, 1024);
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
                                        std::size_t& evictions) {
        for (;;) {
            try {
                const line_slots slots = store_->take(count, near.before, near.behind);
                if (slots.count != 0) return slots;
            } catch (const std::bad_alloc&) {
                if (evictions == 0) break;
            }
            if (evictions == 0 || store_->free_slots() >= count + store_->max_slots() / 32) break;
            const eviction tried = evict(count);
            if (tried.lines == 0) break;
            evictions -= std::min(evictions, tried.lines);
        }
        const line_slots longest = store_->take_longest(count);
        if (longest.count != 0) return longest;
        line_slot* const one = take_slot({}, near);
        return {one, one != nullptr ? std::size_t{1} : 0};
    }
    void give_back(line_slots slots) noexcept { store_->give_back(slots); }

    // Takes memory for one line, and evicts another line if necessary. Returns nullptr if there is
    // none.
    [[nodiscard]] line_slot* take_slot(const wait_deadlines& deadlines, const place& near) {
        for (;;) {
            const clock::time_point begin = clock::now();
            const std::uint64_t completions_before = completions_.now();
            eviction tried;
            try {
                const line_slots slot = store_->take(1, near.before, near.behind);
                if (slot.count != 0) return slot.first;
                tried = evict(1);
            } catch (const std::bad_alloc&) {
                tried = evict(1);
                if (tried.lines == 0) throw;
            }
            if (tried.lines != 0) continue;
            if (completions_.any_since(completions_before)) {
                std::this_thread::yield();
                continue;
            }
            if (deadlines.stop.is_requested()) return nullptr;
            const clock::time_point now = clock::now();
            const clock::time_point until =
                tried.is_one_fetched ? deadlines.with_fetches : deadlines.with_holders;
            if (now >= until) {
                counters().refusals.add(1);
                return nullptr;
            }
            // Releasing a line does not notify anybody, so that it costs no more than its count. So
            // this thread looks again at intervals; it spends at most a tenth of its time looking,
            // because other threads need the mutex.
            const clock::duration pause =
                std::max<clock::duration>(min_retry_interval, 10 * (now - begin));
            store_->wait_for_return(std::min(until - now, pause));
        }
    }
    [[nodiscard]] cache_full full() const { return cache_full(all_in_use_message(options_)); }

    // Removes a line that will not be completed. Returns its waiters, to be woken by the caller.
    [[nodiscard]] waiter_list drop_failed(cached_line& line,
                                          const std::exception_ptr& why) noexcept {
        const line_ptr dropped = take_out(line);
        return line.fail(why);
    }
    void fail(cached_line& line, const std::exception_ptr& why) noexcept {
        drop_failed(line, why).wake_all();
    }

    // Removes the incomplete lines of a fetch from the table. Returns false if a line has an owner
    // besides the table and the fetch.
    [[nodiscard]] bool abandon(std::span<const line_ptr> lines) noexcept {
        bool is_wanted = false;
        for (const line_ptr& line : lines) {
            line_ptr dropped;
            const std::lock_guard lock(mutex_);
            line_table::bucket& bucket = table_.of(line->hash);
            const std::lock_guard bucket_lock(bucket.lock);
            if (line.use_count() > (line->is_in_table ? 2 : 1)) {
                is_wanted = true;
            } else if (line->is_in_table) {
                queues_.remove(*line);
                dropped = unlink(bucket, *line);
            }
        }
        return !is_wanted;
    }

    // Returns the information for the object's lines, or nullptr if the object is not the one that
    // other lines came from.
    [[nodiscard]] shared_object_info accept_info(const cached_line& line, const object_info& info) {
        const std::lock_guard lock(mutex_);
        if (line.version == line.object->version) return line.object->accept(info);
        return share_info(info);
    }
    [[nodiscard]] std::string entity_tag_of(const cached_line& line) {
        const std::lock_guard lock(mutex_);
        return line.version == line.object->version ? line.object->entity_tag : std::string();
    }
    [[nodiscard]] object_info info_of(std::string_view name) {
        const std::lock_guard lock(mutex_);
        const arc<object_entry> object = objects_.find(name);
        // Without lines, the object may have been replaced since it was described.
        if (object == nullptr || object->lines == 0 || object->size == object_entry::unknown) {
            return {0, {}};
        }
        return {object->size, object->entity_tag};
    }
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
                                            std::uint64_t count) {
        if (count == 0) return 0;
        const std::lock_guard lock(mutex_);
        if (object.size == object_entry::unknown) return 0;
        const std::uint64_t lines = geometry_.lines_of(object.size);
        return first < lines ? std::min(count, lines - first) : 0;
    }
    [[nodiscard]] arc<object_entry> open(std::string_view name) {
        const std::lock_guard lock(mutex_);
        return objects_.intern(name);
    }
    // Expects this version of the object, if it has no lines.
    [[nodiscard]] arc<object_entry> open(std::string_view name, const object_info& now) {
        std::string tag = now.entity_tag;
        const std::lock_guard lock(mutex_);
        arc<object_entry> object = objects_.intern(name);
        if (object->lines == 0) object->expect(std::move(tag), now.size);
        return object;
    }

    // Drops all lines of this version.
    void invalidate(const cached_line& line) noexcept {
        const object_entry& object = *line.object;
        const std::uint64_t version = line.version;
        drop_lines(
            [&](const cached_line& each) {
                return each.object.get() == &object && each.version == version;
            },
            [&] {
                if (line.object->version == version) line.object->begin_version({});
            });
    }
    void invalidate(std::string_view name, std::string_view entity_tag) {
        std::string tag(entity_tag);
        arc<object_entry> object;
        {
            const std::lock_guard lock(mutex_);
            object = entity_tag.empty() ? objects_.find(name) : objects_.intern(name);
            if (object == nullptr) return;
            // Without a look at all lines, because callers confirm the tag at each opening.
            if (!entity_tag.empty() && object->entity_tag == entity_tag) return;
        }
        bool is_same = false;
        drop_lines([&](const cached_line& each) { return !is_same && each.object == object; },
                   [&] {
                       is_same = !entity_tag.empty() && object->entity_tag == entity_tag;
                       if (!is_same) object->begin_version(std::move(tag));
                   });
    }

    // Drops all unused lines and frees their memory. Returns the number of bytes.
    std::size_t trim() noexcept {
        drop_lines([](const cached_line&) { return true; }, [] {}, true);
        return store_->trim();
    }

    [[nodiscard]] completions_in_flight& completions() noexcept { return completions_; }
    [[nodiscard]] active_operations& operations() noexcept { return operations_; }
    [[nodiscard]] wait_recorder& waits() noexcept { return waits_; }

    [[nodiscard]] line_cache_statistics statistics() {
        line_cache_statistics all;
        table_.for_each_bucket([&](const line_table::bucket& bucket) {
            all.hits += bucket.hits;
            all.joined += bucket.joined;
        });
        counters().read_into(all);
        all.waits = waits_.read();
        const line_store::usage usage = store_->read_usage();
        all.bytes_held = usage.held;
        all.most_bytes_held = usage.most_held;
        all.bytes_in_lines = usage.taken;
        const std::lock_guard lock(mutex_);
        all.lines = queues_.size();
        return all;
    }

private:
    static constexpr std::chrono::milliseconds min_retry_interval{1};

    // Requires mutex_.
    [[nodiscard]] arc<object_entry> entry_of(const line_key& key) {
        return key.object != nullptr ? *key.object : objects_.intern(key.name);
    }
    // Returns nullptr if nothing is known of the object. Requires mutex_.
    [[nodiscard]] arc<object_entry> entry_if_any(const line_key& key) const {
        return key.object != nullptr ? *key.object : objects_.find(key.name);
    }
    // Requires mutex_.
    [[nodiscard]] place place_around(const line_key& first, std::uint64_t lines) const noexcept {
        return {first.number != 0 ? slot_of(first.at(first.number - 1)) : nullptr,
                slot_of(first.at(first.number + lines))};
    }
    // Requires mutex_.
    [[nodiscard]] const line_slot* slot_of(const line_key& key) const noexcept {
        line_table::bucket& bucket = table_.of(key.hash);
        const std::lock_guard lock(bucket.lock);
        const line_ptr* const at = bucket.find(key);
        return at != nullptr ? (**at).slot() : nullptr;
    }
    // Requires mutex_.
    [[nodiscard]] line_ptr make_line(const line_key& key, const arc<object_entry>& object) {
        line_ptr line =
            make_arc<cached_line>(store_, object, object->version, key.number, key.hash);
        line->is_for_once = key.how == access::once;
        return line;
    }
    // Requires mutex_.
    void insert(const line_ptr& line, line_table::bucket& bucket) noexcept {
        line->entered = ++insertions_;
        if (line->is_for_once) {
            queues_.insert_for_scan(*line);
        } else if (queues_.insert(*line)) {
            counters().refetched.add(1);
        }
        const std::lock_guard bucket_lock(bucket.lock);
        bucket.link(line);
        ++line->object->lines;
    }

    [[nodiscard]] line_ptr take_out(cached_line& line) noexcept {
        const std::lock_guard lock(mutex_);
        line_table::bucket& bucket = table_.of(line.hash);
        const std::lock_guard bucket_lock(bucket.lock);
        if (!line.is_in_table) return nullptr;
        queues_.remove(line);
        return unlink(bucket, line);
    }
    // Requires mutex_ and the bucket's lock.
    [[nodiscard]] static line_ptr unlink(line_table::bucket& bucket,
                                         const cached_line& line) noexcept {
        line.object->remove_line();
        if (line.slot() != nullptr) line.slot()->is_in_table = false;
        return bucket.unlink(line);
    }

    struct eviction {
        std::size_t lines = 0;
        bool is_one_fetched = false;  // a line can be evicted as soon as it has arrived
    };

    // Evicts the line that S3-FIFO chooses. If `count` slots around it are free or have lines that
    // would be evicted at their turn, and have had a quarter of its time, evicts these, too. So
    // adjacent slots become free.
    [[nodiscard]] eviction evict(std::size_t count) {
        eviction done;
        line_ptr gone;
        {
            const std::lock_guard lock(mutex_);
            const auto take_unless_owned = [&](cached_line& line, bool is_its_turn) {
                line_table::bucket& bucket = table_.of(line.hash);
                const std::lock_guard bucket_lock(bucket.lock);
                const line_ptr& owner = *bucket.owner_of(line);
                if (!owner.unique()) {
                    // Owned by the table and its fetch only.
                    if (line.is_fetched() && owner.use_count() == 2) done.is_one_fetched = true;
                    return verdict::pinned;
                }
                if (is_used(line)) {
                    if (is_its_turn) count_down(line);
                    return verdict::recently_used;
                }
                line_ptr taken = unlink(bucket, line);
                taken->next = std::move(gone);
                gone = std::move(taken);
                ++done.lines;
                return verdict::evict;
            };
            const bool evicted =
                queues_.evict_one([&](cached_line& line) { return take_unless_owned(line, true); });
            if (evicted && count > 1) {
                const cached_line& chosen = *gone;
                const std::uint32_t age = insertions_ - chosen.entered;
                const auto is_as_good = [&](const line_slot& slot) {
                    return slot.is_in_table && insertions_ - slot.line->entered >= age / 4 &&
                           is_evictable(*slot.line);
                };
                store_->use_around(*chosen.slot(), count, is_as_good, [&](const line_slot& slot) {
                    if (!slot.is_in_table) return;
                    cached_line& line = *slot.line;
                    if (take_unless_owned(line, false) == verdict::evict) queues_.evict(line);
                });
            }
        }
        counters().evictions.add(done.lines);
        // One at a time, because each line owns the next.
        while (gone) gone = line_ptr(std::move(gone->next));
        return done;
    }
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
    [[nodiscard]] bool is_evictable(const cached_line& line) const noexcept {
        line_table::bucket& bucket = table_.of(line.hash);
        const std::lock_guard bucket_lock(bucket.lock);
        return bucket.owner_of(line)->unique() && !is_used(line);
    }

    // Calls first(), then removes the chosen lines.
    template <class Chosen, class First>
    void drop_lines(Chosen chosen, First first, bool unused_only = false) noexcept {
        line_ptr dropped;
        {
            const std::lock_guard lock(mutex_);
            first();
            queues_.for_each([&](cached_line& line) {
                line_table::bucket& bucket = table_.of(line.hash);
                const std::lock_guard bucket_lock(bucket.lock);
                if (!chosen(line) || (unused_only && !bucket.owner_of(line)->unique())) return;
                queues_.remove(line);
                line_ptr taken = unlink(bucket, line);
                taken->next = std::move(dropped);
                dropped = std::move(taken);
            });
        }
        // One at a time, because each line owns the next.
        while (dropped) dropped = line_ptr(std::move(dropped->next));
    }

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
    line_queues<cached_line> queues_;
    std::uint32_t insertions_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
