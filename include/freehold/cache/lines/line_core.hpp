// SPDX-License-Identifier: BSL-1.0
// A line_cache without its source: which lines there are, who gets memory, who goes.
//
// A line is in the table exactly as long as it is in a queue. It enters and leaves both under
// mutex_ and the lock of its bucket, taken in this order; who only looks for it takes the latter
// alone. So whoever holds mutex_ can make sure that a line has no owner but the table, and take it
// out. Lines are destroyed, and waiters woken, under neither.
#pragma once

#include <freehold/cache/line_source.hpp>
#include <freehold/cache/lines/cached_line.hpp>
#include <freehold/cache/lines/line_cache_options.hpp>
#include <freehold/cache/lines/line_geometry.hpp>
#include <freehold/cache/lines/line_handovers.hpp>
#include <freehold/cache/lines/line_queues.hpp>
#include <freehold/cache/lines/line_store.hpp>
#include <freehold/cache/lines/line_table.hpp>
#include <freehold/cache/lines/line_users.hpp>
#include <freehold/cache/lines/object_record.hpp>
#include <freehold/cache/lines/wait_histogram.hpp>
#include <freehold/handle/arc.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_core {
public:
    using clock = std::chrono::steady_clock;
    using line_ptr = arc<cached_line>;

    explicit line_core(const line_cache_options& options)
        : options_(checked(options)),
          geometry_(options.line_size),
          store_(make_arc<line_store>(options_)),
          table_(options.capacity / options.line_size, options.line_size),
          queues_(options.capacity / options.line_size) {}
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
        bool is_first = false;  // to ask for it
    };
    // The whole of a warm get.
    [[nodiscard]] found find(const line_key& key, std::uint64_t end) const noexcept {
        line_table::bucket& bucket = table_.of(key.hash);
        const std::lock_guard lock(bucket.lock);
        const line_ptr* const at = bucket.find(key);
        if (at == nullptr) return {};
        cached_line& line = **at;
        const bool has_all = line.has(end);
        const bool is_first = !std::exchange(line.asked_for, true);
        ++(has_all ? bucket.hits : bucket.joined);
        // Those who wait for one fetch use the line once, together.
        if (has_all && !is_first && line.uses < 3) ++line.uses;
        return {*at, has_all, is_first};
    }

    struct claim {
        line_ptr line;
        bool is_new = false;  // the caller has to have it fetched, or to fail it
    };
    // Also beyond the end that is known: only the source knows where the object ends by now. A
    // reader counts once, however often it tries.
    [[nodiscard]] claim claim_for_reader(const line_key& key, bool counts = true) {
        const std::lock_guard lock(mutex_);
        const arc<object_record> object = record_of(key);
        line_table::bucket& bucket = table_.of(key.hash);
        {
            const std::lock_guard bucket_lock(bucket.lock);
            if (const line_ptr* const at = bucket.find(key)) {
                if (counts) ++bucket.joined;
                (**at).asked_for = true;
                return {*at, false};
            }
        }
        line_ptr line = make_line(key, object);
        line->asked_for = true;
        insert(line, bucket);
        if (counts) counters().misses.add(1);
        return {std::move(line), true};
    }
    // For a line that nobody asked for yet; nullptr if it is there already, if it is beyond the end
    // of the object as far as that is known, or if there is no memory for it.
    [[nodiscard]] line_ptr claim_ahead(const line_key& key) {
        if (!is_missing(key)) return nullptr;
        const line_place place = take_place({});
        if (place.bytes == nullptr) return nullptr;
        line_ptr line;
        try {
            line = insert_ahead(key, place);
        } catch (...) {
            store_->give_back(place);
            throw;
        }
        if (line) {
            counters().prefetched.add(1);
        } else {
            store_->give_back(place);
        }
        return line;
    }
    [[nodiscard]] bool is_there(const line_key& key) const noexcept {
        line_table::bucket& bucket = table_.of(key.hash);
        const std::lock_guard lock(bucket.lock);
        return bucket.find(key) != nullptr;
    }

    // Memory for one line, of another that goes if need be; `bytes` is nullptr if there is none.
    [[nodiscard]] line_place take_place(const line_patience& patience) {
        for (;;) {
            const clock::time_point begin = clock::now();
            const std::uint64_t handovers_before = handovers_.now();
            eviction tried = eviction::done;
            try {
                const line_place place = store_->take();
                if (place.bytes != nullptr) return place;
                tried = evict_one();
            } catch (const std::bad_alloc&) {
                tried = evict_one();
                if (tried != eviction::done) throw;
            }
            if (tried == eviction::done) continue;
            if (handovers_.is_one_since(handovers_before)) {
                std::this_thread::yield();
                continue;
            }
            if (patience.stop.stop_requested()) return {};
            const clock::time_point now = clock::now();
            const clock::time_point until =
                tried == eviction::soon ? patience.with_fetches : patience.with_holders;
            if (now >= until) {
                counters().refusals.add(1);
                return {};
            }
            // That a reader let go of a line which stays in the cache nobody tells: a release is
            // to cost no more than its count. So it is looked for again and again, for a tenth of
            // the time at most: others need the mutex.
            const clock::duration pause =
                std::max<clock::duration>(look_again_after, 10 * (now - begin));
            store_->wait_for_return(std::min(until - now, pause));
        }
    }
    [[nodiscard]] cache_full full() const { return cache_full(all_in_use(options_)); }

    // The line will not be completed: nobody finds it any more, and all who wait are to be told.
    [[nodiscard]] waiter_list give_up(cached_line& line, const std::exception_ptr& why) noexcept {
        const line_ptr dropped = take_out(line);
        return line.fail(why);
    }
    void fail(cached_line& line, const std::exception_ptr& why) noexcept {
        give_up(line, why).wake_all();
    }

    // Of a fetch that nobody waits for: takes its incomplete lines out of the table, unless one has
    // an owner beside the table and the fetch.
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

    // What its lines are told of the object; nullptr if it is no more what others were fetched
    // from.
    [[nodiscard]] told_info agreed(const cached_line& line, const object_info& info) {
        const std::lock_guard lock(mutex_);
        if (line.version == line.object->version) return line.object->agreed(info);
        return tell(info);
    }
    [[nodiscard]] std::string entity_tag_of(const cached_line& line) {
        const std::lock_guard lock(mutex_);
        return line.version == line.object->version ? line.object->entity_tag : std::string();
    }
    [[nodiscard]] object_info info_of(std::string_view name) {
        const std::lock_guard lock(mutex_);
        const arc<object_record> object = objects_.find(name);
        if (object == nullptr || object->size == object_record::unknown) return {0, {}};
        return {object->size, object->entity_tag};
    }
    [[nodiscard]] bool knows_size_of(const line_key& key) {
        const std::lock_guard lock(mutex_);
        const arc<object_record> object = record_if_any(key);
        return object != nullptr && object->size != object_record::unknown;
    }
    // How many of `count` lines from there on the object is known to have.
    [[nodiscard]] std::uint64_t lines_ahead(const object_record& object, std::uint64_t first,
                                            std::uint64_t count) {
        const std::lock_guard lock(mutex_);
        if (object.size == object_record::unknown || count == 0) return 0;
        const std::uint64_t lines = geometry_.lines_of(object.size);
        return first < lines ? std::min(count, lines - first) : 0;
    }
    [[nodiscard]] arc<object_record> open(std::string_view name) {
        const std::lock_guard lock(mutex_);
        return objects_.intern(name);
    }

    // Drops all lines of this version.
    void invalidate(const cached_line& line) noexcept {
        const object_record& object = *line.object;
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
        std::string told(entity_tag);
        arc<object_record> object;
        {
            const std::lock_guard lock(mutex_);
            object = entity_tag.empty() ? objects_.find(name) : objects_.intern(name);
            if (object == nullptr) return;
        }
        bool is_same = false;
        drop_lines([&](const cached_line& each) { return !is_same && each.object == object; },
                   [&] {
                       is_same = !entity_tag.empty() && object->entity_tag == entity_tag;
                       if (!is_same) object->begin_version(std::move(told));
                   });
    }

    // Drops all lines that nobody uses and gives their memory back; says how many bytes.
    std::size_t trim() noexcept {
        drop_lines([](const cached_line&) { return true; }, [] {}, true);
        return store_->trim();
    }

    [[nodiscard]] line_handovers& handovers() noexcept { return handovers_; }
    [[nodiscard]] line_users& users() noexcept { return users_; }
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
    static constexpr std::chrono::milliseconds look_again_after{1};

    // Under mutex_.
    [[nodiscard]] arc<object_record> record_of(const line_key& key) {
        return key.object != nullptr ? *key.object : objects_.intern(key.name);
    }
    // nullptr if nothing is known of the object. Under mutex_.
    [[nodiscard]] arc<object_record> record_if_any(const line_key& key) const {
        return key.object != nullptr ? *key.object : objects_.find(key.name);
    }
    // As far as is known. Before a line goes to make room for it.
    [[nodiscard]] bool is_missing(const line_key& key) {
        const std::lock_guard lock(mutex_);
        const arc<object_record> object = record_if_any(key);
        return (object == nullptr || key.number < geometry_.lines_of(object->size)) &&
               !is_there(key);
    }
    [[nodiscard]] line_ptr insert_ahead(const line_key& key, line_place place) {
        const std::lock_guard lock(mutex_);
        const arc<object_record> object = record_of(key);
        if (key.number >= geometry_.lines_of(object->size) || is_there(key)) return nullptr;
        line_ptr line = make_line(key, object);
        // From the start on: who looks for memory meanwhile waits for lines that are being fetched.
        line->set_place(place);
        insert(line, table_.of(key.hash));
        return line;
    }
    // Under mutex_.
    [[nodiscard]] line_ptr make_line(const line_key& key, const arc<object_record>& object) {
        return make_arc<cached_line>(store_, object, object->version, key.number, key.hash);
    }
    // Under mutex_.
    void insert(const line_ptr& line, line_table::bucket& bucket) noexcept {
        if (queues_.insert(*line)) counters().refetched.add(1);
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
    // Under mutex_ and the bucket's lock.
    [[nodiscard]] static line_ptr unlink(line_table::bucket& bucket,
                                         const cached_line& line) noexcept {
        line.object->lose_line();
        return bucket.unlink(line);
    }

    enum class eviction { done, soon, none };

    [[nodiscard]] eviction evict_one() {
        line_ptr gone;
        bool is_one_fetched = false;
        const std::lock_guard lock(mutex_);
        const bool evicted = queues_.let_one_go([&](cached_line& line) {
            line_table::bucket& bucket = table_.of(line.hash);
            const std::lock_guard bucket_lock(bucket.lock);
            const line_ptr& owner = *bucket.owner_of(line);
            if (!owner.unique()) {
                // Owned by the table and the fetch.
                if (line.is_fetched() && owner.use_count() == 2) is_one_fetched = true;
                return verdict::in_use;
            }
            if (line.is_in_main_queue ? line.uses > 0 : line.uses > 1) {
                line.uses = line.is_in_main_queue ? line.uses - 1 : 0;
                return verdict::used;
            }
            gone = unlink(bucket, line);
            return verdict::goes;
        });
        if (!evicted) return is_one_fetched ? eviction::soon : eviction::none;
        counters().evictions.add(1);
        return eviction::done;
    }

    // Takes the chosen lines out, after `first`.
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
        // One by one: each owns the next.
        while (dropped) dropped = line_ptr(std::move(dropped->next));
    }

    const line_cache_options options_;
    const line_geometry geometry_;
    const arc<line_store> store_;
    const line_table table_;
    wait_recorder waits_;
    line_users users_;
    line_handovers handovers_;
    std::mutex mutex_;
    // Guarded by mutex_.
    object_table objects_;
    line_queues queues_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
