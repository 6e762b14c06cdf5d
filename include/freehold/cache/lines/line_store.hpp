// SPDX-License-Identifier: BSL-1.0
// The memory of lines: taken from the upstream as far as the bound allows, recycled for ever after.
//
// A place for one line is a line_place. The store touches none of its bytes, so those of a line
// that is recycled are what they were: huge, faulted in, and not zeroed. Under the address
// sanitizer a place is poisoned until its line knows how many bytes it will have. Lines smaller
// than a huge page come from the upstream by 2 MiB at a time.
//
// Thread-safe. Exceptions: take throws what the upstream throws, and std::bad_alloc.
#pragma once

#include <freehold/cache/lines/line_cache_options.hpp>
#include <freehold/cache/lines/line_counters.hpp>
#include <freehold/cache/lines/poison.hpp>
#include <freehold/cache/lines/stop.hpp>
#include <freehold/memory/memory_resource.hpp>
#include <freehold/memory/pages.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

struct line_place {
    std::byte* bytes = nullptr;
    std::size_t used = 0;  // bytes from the start on that a line has been in: their pages are there
};

// Until when somebody waits for memory: of lines that others hold, and of lines that are still
// being fetched but held by nobody, which can go as soon as they are there. Neither once a stop is
// asked for.
struct line_patience {
    using time_point = std::chrono::steady_clock::time_point;
    time_point with_holders = time_point::min();
    time_point with_fetches = time_point::min();
    stop_token stop = {};
};

class line_store {
public:
    explicit line_store(const line_cache_options& options)
        : line_size_(options.line_size),
          most_places_(options.capacity / options.line_size),
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

    // A place with `bytes` nullptr if all that the bound allows are taken.
    [[nodiscard]] line_place take() {
        std::unique_lock lock(mutex_);
        if (free_.empty()) {
            const std::size_t places = std::min(
                std::max<std::size_t>(1, huge_page_size / line_size_), most_places_ - places_);
            if (places == 0) return {};
            grow(places, lock);
        }
        const line_place place = free_.back();
        free_.pop_back();
        ++taken_;
        return place;
    }

    void give_back(line_place place) noexcept {
        poison(place.bytes, line_size_);
        {
            const std::lock_guard lock(mutex_);
            --taken_;
            free_.push_back(place);  // has had the room for it since grow
        }
        returned_.notify_one();
    }

    // Until a place was given back, or the time is over.
    void wait_for_return(std::chrono::nanoseconds time) {
        std::unique_lock lock(mutex_);
        returned_.wait_for(lock, time, [&] { return !free_.empty(); });
    }

    // Gives all that nobody uses back to the upstream, as far as it came from there by itself;
    // says how many bytes that were.
    std::size_t trim() noexcept {
        const std::lock_guard lock(mutex_);
        std::sort(free_.begin(), free_.end(),
                  [](line_place a, line_place b) { return a.bytes < b.bytes; });
        std::size_t trimmed = 0;
        auto kept = slabs_.begin();
        for (const slab& each : slabs_) {
            const auto first = lower_bound(each.bytes);
            const auto last = lower_bound(each.bytes + each.places * line_size_);
            if (static_cast<std::size_t>(last - first) != each.places) {
                *kept++ = each;
                continue;
            }
            free_.erase(first, last);
            return_to_upstream(each);
            places_ -= each.places;
            trimmed += each.places * line_size_;
        }
        slabs_.erase(kept, slabs_.end());
        return trimmed;
    }

    struct usage {
        std::size_t held = 0;
        std::size_t most_held = 0;
        std::size_t taken = 0;
    };
    // Bytes.
    [[nodiscard]] usage read_usage() const {
        const std::lock_guard lock(mutex_);
        return {places_ * line_size_, most_ever_ * line_size_, taken_ * line_size_};
    }

private:
    struct slab {
        std::byte* bytes;
        std::size_t places;
    };

    // The places count as held from before the upstream is asked, so that no two threads together
    // ask for more than the bound; the lock is not held meanwhile.
    void grow(std::size_t places, std::unique_lock<std::mutex>& lock) {
        reserve_for(free_, places_ + places);
        reserve_for(slabs_, places_ + places);
        places_ += places;
        lock.unlock();
        std::byte* bytes = nullptr;
        try {
            bytes =
                static_cast<std::byte*>(upstream_.allocate(places * line_size_, alignment(places)));
        } catch (...) {
            lock.lock();
            places_ -= places;
            throw;
        }
        poison(bytes, places * line_size_);
        lock.lock();
        most_ever_ = std::max(most_ever_, places_);
        slabs_.push_back({bytes, places});
        for (std::size_t i = places; i-- != 0;) {
            free_.push_back({bytes + i * line_size_, new_pages_are_used_ ? line_size_ : 0});
        }
    }

    template <class T>
    static void reserve_for(std::vector<T>& all, std::size_t places) {
        if (all.capacity() < places) all.reserve(std::max(places, 2 * all.capacity()));
    }

    void return_to_upstream(const slab& each) noexcept {
        unpoison(each.bytes, each.places * line_size_);
        upstream_.deallocate(each.bytes, each.places * line_size_, alignment(each.places));
    }
    [[nodiscard]] std::size_t alignment(std::size_t places) const noexcept {
        return places * line_size_ % huge_page_size == 0 ? huge_page_size : 4096;
    }
    [[nodiscard]] std::vector<line_place>::iterator lower_bound(const std::byte* bytes) noexcept {
        return std::lower_bound(
            free_.begin(), free_.end(), bytes,
            [](line_place place, const std::byte* bound) { return place.bytes < bound; });
    }

    const std::size_t line_size_;
    const std::size_t most_places_;
    page_resource pages_;
    memory_resource& upstream_;
    const bool new_pages_are_used_;
    line_counters counters_;
    mutable std::mutex mutex_;
    std::condition_variable returned_;
    // Guarded by mutex_. taken_ + free_.size() == places_ <= most_places_ while nothing is on its
    // way from the upstream; each of free_ and slabs_ has room for places_.
    std::vector<line_place> free_;  // the last one was used last
    std::vector<slab> slabs_;
    std::size_t places_ = 0;
    std::size_t most_ever_ = 0;
    std::size_t taken_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
