// SPDX-License-Identifier: BSL-1.0
// How lines enter and leave the table. The lookup of a hit is in line_core.hpp.
#include "line/line_core.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

line_core::insertion line_core::find_or_insert(const line_key& key, bool counts) {
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

line_core::line_ptr line_core::insert_ahead(const line_key& key, line_slot& slot) {
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

line_core::gap line_core::gap_at(const line_key& first, std::uint64_t most) {
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

bool line_core::abandon(std::span<const line_ptr> lines) noexcept {
    bool is_wanted = false;
    for (const line_ptr& line : lines) {
        line_ptr dropped;
        const std::lock_guard lock(mutex_);
        line_table::bucket& bucket = table_.of(line->hash);
        const std::lock_guard bucket_lock(bucket.lock);
        if (line.use_count() > (line->is_in_table ? 2 : 1)) {
            is_wanted = true;
        } else if (line->is_in_table) {
            order_.remove(*line);
            dropped = unlink(bucket, *line);
        }
    }
    return !is_wanted;
}

waiter_list line_core::drop_failed(cached_line& line, const std::exception_ptr& why) noexcept {
    const line_ptr dropped = take_out(line);
    return line.fail(why);
}

const line_slot* line_core::slot_of(const line_key& key) const noexcept {
    line_table::bucket& bucket = table_.of(key.hash);
    const std::lock_guard lock(bucket.lock);
    const line_ptr* const at = bucket.find(key);
    return at != nullptr ? (**at).slot() : nullptr;
}

line_core::line_ptr line_core::make_line(const line_key& key, const arc<object_entry>& object) {
    line_ptr line = make_arc<cached_line>(store_, object, object->version, key.number, key.hash);
    line->is_for_once = key.how == access::once;
    return line;
}

void line_core::insert(const line_ptr& line, line_table::bucket& bucket) noexcept {
    line->entered = ++insertions_;
    if (line->is_for_once) {
        order_.insert_for_scan(*line);
    } else if (order_.insert(*line)) {
        counters().refetched.add(1);
    }
    const std::lock_guard bucket_lock(bucket.lock);
    bucket.link(line);
    ++line->object->lines;
}

line_core::line_ptr line_core::take_out(cached_line& line) noexcept {
    const std::lock_guard lock(mutex_);
    line_table::bucket& bucket = table_.of(line.hash);
    const std::lock_guard bucket_lock(bucket.lock);
    if (!line.is_in_table) return nullptr;
    order_.remove(line);
    return unlink(bucket, line);
}

line_core::line_ptr line_core::unlink(line_table::bucket& bucket,
                                      const cached_line& line) noexcept {
    line.object->remove_line();
    if (line.slot() != nullptr) line.slot()->is_in_table = false;
    return bucket.unlink(line);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
