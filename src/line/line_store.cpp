// SPDX-License-Identifier: BSL-1.0
#include "line/line_store.hpp"

#include <freehold/config.hpp>
#include <freehold/detail/poison.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

line_store::line_store(const line_cache_options& options)
    : line_store_figures{options.line_size, options.capacity / options.line_size},
      slots_of_slab_(std::min(std::max<std::size_t>(1, huge_page_size / line_size), max_slots)),
      pages_(page_options{options.huge, false, options.in_children}),
      upstream_(options.upstream != nullptr ? *options.upstream : pages_),
      prefaults_(options.prefault && options.upstream == nullptr),
      slots_(std::make_unique<line_slot[]>(max_slots)),
      slabs_((max_slots + slots_of_slab_ - 1) / slots_of_slab_, slab_state::absent) {
    reserve_addresses(options);
}

line_store::~line_store() {
    for (std::size_t i = 0; i != slabs_.size(); ++i) {
        if (slabs_[i] == slab_state::present) return_to_upstream(bytes_of(slots_of(i)));
    }
    if (region_ != nullptr) pages_.deallocate(region_, max_slots * line_size, 4096);
}

void line_store::reserve(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    const std::size_t wanted =
        std::min(bytes / line_size + (bytes % line_size != 0 ? 1 : 0), max_slots);
    while (held < wanted && grow(lock)) {
    }
}

line_slots line_store::take(std::size_t count, const line_slot* before, const line_slot* behind) {
    count = std::min(count, region_ != nullptr ? max_slots : slots_of_slab_);
    std::unique_lock lock(mutex_);
    std::size_t slabs_left = count / slots_of_slab_ + 2;
    do {
        if (classes_in_use_ == 0) continue;
        if (line_slot* const next = end_of_run(before, 1);
            next != nullptr && next->length >= count) {
            return cut(*next, 0, count);
        }
        if (const line_slot* const last = end_of_run(behind, -1);
            last != nullptr && last->length >= count) {
            line_slot& first = slots_[index_of(*last) + 1 - last->length];
            return cut(first, first.length - count, count);
        }
        if (line_slot* const run = shortest_run_of(count)) return cut(*run, 0, count);
    } while (--slabs_left != 0 && grow(lock));
    return {};
}

line_slots line_store::take_longest(std::size_t count) noexcept {
    const std::lock_guard lock(mutex_);
    if (classes_in_use_ == 0) return {};
    line_slot* longest = runs_[class_of(classes_in_use_)];
    return cut(*longest, 0, std::min<std::size_t>(count, longest->length));
}

void line_store::give_back(line_slots slots) noexcept {
    if (slots.count == 0) return;
    poison(slots.first->bytes, slots.count * line_size);
    {
        const std::lock_guard lock(mutex_);
        taken -= slots.count;
        add_run(slots);
    }
    slots.count == 1 ? returned_.notify_one() : returned_.notify_all();
}

bool line_store::pin(std::size_t lines) noexcept {
    // relaxed: a bound orders nothing.
    if (pinned_.fetch_add(lines, std::memory_order_relaxed) + lines <= max_slots / 2) {
        return true;
    }
    unpin(lines);
    return false;
}

void line_store::unpin(std::size_t lines) noexcept {
    pinned_.fetch_sub(lines, std::memory_order_relaxed);  // relaxed: as above
}

std::size_t line_store::trim() noexcept {
    const std::lock_guard trimming(trim_mutex_);
    std::unique_lock lock(mutex_);
    for (std::size_t i = 0; i != slabs_.size(); ++i) {
        const line_slots slots = slots_of(i);
        if (slabs_[i] != slab_state::present ||
            !std::all_of(slots.first, slots.first + slots.count,
                         [](const line_slot& slot) { return slot.is_free; })) {
            continue;
        }
        slabs_[i] = slab_state::returning;
        std::for_each(slots.first, slots.first + slots.count,
                      [](line_slot& slot) { slot.is_free = false; });
    }
    find_runs();
    std::size_t trimmed = 0;
    for (std::size_t i = 0; i != slabs_.size(); ++i) {
        if (slabs_[i] != slab_state::returning) continue;
        const line_slots slots = slots_of(i);
        lock.unlock();
        return_to_upstream(bytes_of(slots));
        lock.lock();
        std::fill_n(slots.first, slots.count, line_slot());
        slabs_[i] = slab_state::absent;
        first_absent_ = std::min(first_absent_, i);
        held -= slots.count;
        trimmed += slots.count * line_size;
    }
    return trimmed;
}

line_slot* line_store::neighbour(const line_slot* slot, std::ptrdiff_t step) const noexcept {
    if (slot == nullptr || slot->bytes == nullptr) return nullptr;
    const std::size_t index = index_of(*slot) + static_cast<std::size_t>(step);
    if (index >= max_slots) return nullptr;
    line_slot& found = slots_[index];
    return found.bytes == slot->bytes + step * static_cast<std::ptrdiff_t>(line_size) ? &found
                                                                                      : nullptr;
}

line_slot* line_store::end_of_run(const line_slot* slot, std::ptrdiff_t step) const noexcept {
    if (slot == nullptr || slot->is_free) return nullptr;
    line_slot* const found = neighbour(slot, step);
    return found != nullptr && found->is_free ? found : nullptr;
}

void line_store::find_runs() noexcept {
    runs_ = {};
    classes_in_use_ = 0;
    for (std::size_t i = 0; i != max_slots;) {
        line_slots run{&slots_[i], 0};
        while (i != max_slots && slots_[i].is_free && continues(run, slots_[i])) {
            ++run.count;
            ++i;
        }
        run.count != 0 ? link(run) : static_cast<void>(++i);
    }
}

void line_store::add_run(line_slots slots) noexcept {
    std::for_each(slots.first, slots.first + slots.count,
                  [](line_slot& each) { each.is_free = true; });
    if (line_slot* const last = neighbour(slots.first, -1); last != nullptr && last->is_free) {
        const std::size_t length = last->length;
        slots = {slots.first - length, slots.count + length};
        unlink(*slots.first);
    }
    if (line_slot* const next = neighbour(slots.first + (slots.count - 1), 1);
        next != nullptr && next->is_free) {
        unlink(*next);
        slots.count += next->length;
    }
    link(slots);
}

line_slots line_store::cut(line_slot& first, std::size_t skipped, std::size_t count) noexcept {
    const std::size_t length = first.length;
    unlink(first);
    line_slot* const cut_off = &first + skipped;
    std::for_each(cut_off, cut_off + count, [](line_slot& each) { each.is_free = false; });
    if (skipped != 0) link({&first, skipped});
    if (skipped + count != length) link({cut_off + count, length - skipped - count});
    taken += count;
    return {cut_off, count};
}

line_slot* line_store::shortest_run_of(std::size_t count) const noexcept {
    const std::size_t same = class_of(count);
    // In the class of `count` some are shorter. It is not worth much time to find another.
    std::size_t looks = 8;
    for (line_slot* at = runs_[same]; at != nullptr && looks != 0; at = at->next, --looks) {
        if (at->length >= count) return at;
    }
    const std::uint64_t longer = classes_in_use_ & (~std::uint64_t{1} << same);
    return longer != 0 ? runs_[static_cast<std::size_t>(std::countr_zero(longer))] : nullptr;
}

void line_store::link(line_slots run) noexcept {
    line_slot& first = *run.first;
    first.length = (run.first + (run.count - 1))->length = static_cast<std::uint32_t>(run.count);
    const std::size_t of = class_of(run.count);
    first.previous = nullptr;
    first.next = std::exchange(runs_[of], &first);
    if (first.next != nullptr) first.next->previous = &first;
    classes_in_use_ |= std::uint64_t{1} << of;
}

void line_store::unlink(line_slot& first) noexcept {
    const std::size_t of = class_of(first.length);
    (first.previous != nullptr ? first.previous->next : runs_[of]) = first.next;
    if (first.next != nullptr) first.next->previous = first.previous;
    if (runs_[of] == nullptr) classes_in_use_ &= ~(std::uint64_t{1} << of);
}

bool line_store::grow(std::unique_lock<std::mutex>& lock) {
    while (first_absent_ != slabs_.size() && slabs_[first_absent_] != slab_state::absent) {
        ++first_absent_;
    }
    if (first_absent_ == slabs_.size()) return false;
    const std::size_t number = first_absent_;
    const line_slots slots = slots_of(number);
    slabs_[number] = slab_state::growing;
    held += slots.count;
    lock.unlock();
    std::byte* bytes = nullptr;
    try {
        bytes = from_upstream(number * slots_of_slab_ * line_size, slots.count);
    } catch (...) {
        lock.lock();
        held -= slots.count;
        slabs_[number] = slab_state::absent;
        first_absent_ = std::min(first_absent_, number);
        throw;
    }
    poison(bytes, slots.count * line_size);
    lock.lock();
    slabs_[number] = slab_state::present;
    most_held = std::max(most_held, held);
    for (std::size_t i = 0; i != slots.count; ++i) {
        slots.first[i].bytes = bytes + i * line_size;
        slots.first[i].used = prefaults_ ? line_size : 0;
    }
    add_run(slots);
    return true;
}

std::byte* line_store::from_upstream(std::size_t offset, std::size_t slots) {
    const std::size_t size = slots * line_size;
    std::byte* const bytes =
        region_ != nullptr ? region_ + offset
                           : static_cast<std::byte*>(upstream_.allocate(size, alignment(slots)));
    if (prefaults_ && !pages_.prefault(bytes, size)) {
        return_to_upstream({bytes, size});
        throw std::bad_alloc();
    }
    return bytes;
}

void line_store::return_to_upstream(std::span<std::byte> bytes) noexcept {
    unpoison(bytes.data(), bytes.size());
    if (region_ != nullptr) {
        pages_.decommit(bytes.data(), bytes.size());
    } else {
        upstream_.deallocate(bytes.data(), bytes.size(), alignment(bytes.size() / line_size));
    }
}

void line_store::reserve_addresses(const line_cache_options& options) noexcept {
    if (options.upstream != nullptr || options.huge == huge_pages::reserved) return;
    try {
        region_ = static_cast<std::byte*>(pages_.allocate(max_slots * line_size, 4096));
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
