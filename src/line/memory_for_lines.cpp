// SPDX-License-Identifier: BSL-1.0
// Where the memory of a new line comes from: a free slot, or that of a line that is evicted. Each
// retry, and each wait, is here.
#include "line/line_core.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

line_slots line_core::take_slots(std::size_t count, const place& near, std::size_t& evictions) {
    for (;;) {
        try {
            const line_slots slots = store_->take(count, near.before, near.behind);
            if (slots.count != 0) return slots;
        } catch (const std::bad_alloc&) {
            if (evictions == 0) break;
        }
        if (evictions == 0 || store_->free_slots() >= count + store_->max_slots / 32) break;
        const eviction tried = evict(count);
        if (tried.lines == 0) break;
        evictions -= std::min(evictions, tried.lines);
    }
    const line_slots longest = store_->take_longest(count);
    if (longest.count != 0) return longest;
    line_slot* const one = take_slot({}, near);
    return {one, one != nullptr ? std::size_t{1} : 0};
}

line_slot* line_core::take_slot(const wait_deadlines& deadlines, const place& near) {
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

cache_full line_core::full() const {
    return cache_full("line_cache '" + options_.name + "': all " +
                      std::to_string(options_.capacity / options_.line_size) + " lines of " +
                      std::to_string(options_.line_size) +
                      " bytes are in use; release lines, or increase its capacity");
}

line_core::eviction line_core::evict(std::size_t count) {
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
            order_.evict_one([&](cached_line& line) { return take_unless_owned(line, true); });
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
                if (take_unless_owned(line, false) == verdict::evict) order_.evict(line);
            });
        }
    }
    counters().evictions.add(done.lines);
    // One at a time, because each line owns the next.
    while (gone) gone = line_ptr(std::move(gone->next));
    return done;
}

bool line_core::is_evictable(const cached_line& line) const noexcept {
    line_table::bucket& bucket = table_.of(line.hash);
    const std::lock_guard bucket_lock(bucket.lock);
    return bucket.owner_of(line)->unique() && !is_used(line);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
