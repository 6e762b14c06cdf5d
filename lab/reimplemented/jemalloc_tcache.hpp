// SPDX-License-Identifier: BSL-1.0
// The rules of jemalloc's thread cache as a policy of buffer_cache. For comparison.
//
// Sizes are rounded up to four per power of two. Sizes up to 32 KiB are kept by the thread that
// returns them, last in, first out. For a size up to 14 KiB, a thread keeps twice as many as a slab
// holds, but at least 20 and at most 200; for a larger one 20. If a return exceeds that, the older
// half is dropped. Each time that a thread has requested 64 KiB, and each time that it has returned
// as much, it inspects the next size in turn. Three quarters of the buffers that it did not need
// since the last inspection are dropped, the oldest first.
//
// Differences from the original:
// 1. Only returned buffers fill the bins, because a cache has no slabs to take several from at
//    once.
// 2. An inspection due to a request waits for the next return, because a policy can drop blocks
//    only then.
// 3. Dropped blocks are freed. jemalloc's arenas keep the pages for some seconds.
//
// Each thread takes 1.4 KiB. The constructor throws std::invalid_argument if the options make no
// sense.
//
// Source: tcache.c, cache_bin.h and sc.c of jemalloc/jemalloc, 5.3, with pages of 4 KiB.
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include "reimplemented/quarter_sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

namespace freehold::reimplemented {

class jemalloc_tcache : public list_policy {
public:
    struct options {
        std::size_t largest = 32 * 1024;       // bytes; larger buffers are not kept
        std::size_t small_entries_least = 20;  // for each size up to 14 KiB
        std::size_t small_entries_most = 200;
        std::size_t large_entries = 20;             // for each larger size
        std::size_t bytes_between_looks = 1 << 16;  // at least 1
    };

    explicit jemalloc_tcache(const options& settings)
        : list_policy(
              idle_lists(bin_of(std::clamp(settings.largest, std::size_t{1}, most)) + 1, 0)),
          options_(settings),
          bins_(bin_of(std::clamp(settings.largest, std::size_t{1}, most)) + 1) {
        if (settings.small_entries_most == 0 || settings.large_entries == 0) {
            throw std::invalid_argument(
                "reimplemented::jemalloc_tcache: the entries of a size must be at least 1");
        }
    }

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        if (size <= 8) return 8;
        return size <= most ? quarter_sizes::round_up(size) : size;
    }

    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context context) noexcept {
        if (!has_bins(context.thread)) return nullptr;
        requested(context.thread, capacity_for(request.size));
        if (request.size > options_.largest) return nullptr;
        const std::size_t list = list_of(context.thread, bin_of(request.size));
        buffer_block* const block = lists_.take_newest(list, request);
        low_water_[list] = std::min(low_water_[list], lists_.count(list));
        return block;
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        if (!has_bins(context.thread)) {
            dropped.push(block);
            return;
        }
        thread_state& thread = threads_[context.thread];
        const std::size_t bytes = block.capacity;
        if (bytes > options_.largest) {
            dropped.push(block);
        } else {
            const std::size_t bin = bin_of(bytes);
            const std::size_t list = list_of(context.thread, bin);
            if (lists_.count(list) == places(bin)) {
                flush_to(list, places(bin) / 2, dropped);
            }
            lists_.keep(list, block, context.now);
        }
        thread.returned += bytes;
        if (thread.returned >= options_.bytes_between_looks) {
            thread.returned = 0;
            ++thread.inspections_due;
        }
        for (; thread.inspections_due > 0; --thread.inspections_due)
            inspect(context.thread, dropped);
    }

    void trim(std::size_t bytes, buffer_context context, dropped_buffers& dropped) noexcept {
        list_policy::trim(bytes, context, dropped);
        note_low_water();
    }
    void trim_older(std::uint64_t nanoseconds, buffer_context context,
                    dropped_buffers& dropped) noexcept {
        list_policy::trim_older(nanoseconds, context, dropped);
        note_low_water();
    }

private:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t largest_small = 14 * 1024;
    // Larger sizes are not rounded.
    static constexpr std::size_t most = std::size_t{1} << 48;

    struct thread_state {
        std::size_t requested = 0;  // bytes, since they last made an inspection due
        std::size_t returned = 0;
        std::size_t inspections_due = 0;
        std::size_t next_bin = 0;  // to inspect
    };

    [[nodiscard]] static std::size_t bin_of(std::size_t bytes) noexcept {
        return bytes <= 8 ? 0 : quarter_sizes::index(bytes) + 1;
    }
    [[nodiscard]] static std::size_t size_of(std::size_t bin) noexcept {
        return bin == 0 ? 8 : quarter_sizes::size(bin - 1);
    }
    [[nodiscard]] std::size_t list_of(std::size_t thread, std::size_t bin) const noexcept {
        return thread * bins_ + bin;
    }

    [[nodiscard]] std::size_t places(std::size_t bin) const noexcept {
        const std::size_t size = size_of(bin);
        if (size > largest_small) return options_.large_entries;
        // A slab has as many pages as hold a whole number of blocks.
        const std::size_t blocks_of_slab = page / std::min(page, size & (~size + 1));
        return std::min(std::max(2 * blocks_of_slab, options_.small_entries_least),
                        options_.small_entries_most);
    }

    // Returns false if memory is exhausted.
    [[nodiscard]] bool has_bins(std::size_t thread) noexcept {
        if (thread < threads_.size()) return true;
        try {
            low_water_.resize((thread + 1) * bins_);
            if (!lists_.grow_to((thread + 1) * bins_)) return false;
            threads_.resize(thread + 1);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    void requested(std::size_t thread, std::size_t bytes) noexcept {
        thread_state& state = threads_[thread];
        state.requested += bytes;
        if (state.requested >= options_.bytes_between_looks) {
            state.requested = 0;
            ++state.inspections_due;
        }
    }

    void flush_to(std::size_t list, std::size_t rest, dropped_buffers& dropped) noexcept {
        while (lists_.count(list) > rest) lists_.drop_oldest(list, dropped);
        low_water_[list] = std::min(low_water_[list], rest);
    }

    void inspect(std::size_t thread, dropped_buffers& dropped) noexcept {
        thread_state& state = threads_[thread];
        const std::size_t list = list_of(thread, state.next_bin);
        const std::size_t unneeded = low_water_[list];
        flush_to(list, lists_.count(list) - (unneeded - unneeded / 4), dropped);
        low_water_[list] = lists_.count(list);
        state.next_bin = (state.next_bin + 1) % bins_;
    }

    void note_low_water() noexcept {
        for (std::size_t list = 0; list < lists_.size(); ++list) {
            low_water_[list] = std::min(low_water_[list], lists_.count(list));
        }
    }

    options options_;
    std::size_t bins_;  // of each thread
    std::vector<thread_state> threads_;
    // The fewest blocks of each list since its last inspection. At least one element for each list.
    std::vector<std::size_t> low_water_;
};

}  // namespace freehold::reimplemented
