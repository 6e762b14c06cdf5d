// SPDX-License-Identifier: BSL-1.0
// The rules of jemalloc's thread cache as a policy of a buffer_cache, to compare others with.
//
// Sizes are rounded up, four to a doubling, and kept up to 32 KiB by the thread that lets go of
// them, the last to come back first to go out. Of a size up to 14 KiB a thread keeps twice as many
// as a slab has, but at least 20 and at most 200; of a larger one 20. When they are more, the older
// half goes. Each time that a thread has asked for 64 KiB, and each time that it has let go of as
// much, the next size in turn is looked at: of those that it has not needed since the last look,
// three quarters go, the oldest ones.
//
// Three things differ: bins are filled by what comes back alone, for a cache has no slabs to take
// several from at once; looks that requests are the cause of wait for the next buffer that comes
// back, which is when a policy can let some go; and what goes is freed, where jemalloc's arenas
// keep the pages for some seconds more.
//
// Costs 1.4 KiB for each thread. Its constructor throws std::invalid_argument if the options make
// no sense.
// Source: tcache.c, cache_bin.h and sc.c of jemalloc/jemalloc, 5.3, with pages of 4 KiB.
#pragma once

#include <freehold/cache/buffers/idle_lists.hpp>
#include <freehold/cache/policies/peers/quarter_sizes.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::peers {

class jemalloc_tcache : public detail::policy_of_lists {
public:
    struct options {
        std::size_t largest = 32 * 1024;       // bytes; larger ones are not kept
        std::size_t small_entries_least = 20;  // of each size up to 14 KiB
        std::size_t small_entries_most = 200;
        std::size_t large_entries = 20;             // of each larger one
        std::size_t bytes_between_looks = 1 << 16;  // at least 1
    };

    explicit jemalloc_tcache(const options& asked)
        : policy_of_lists(
              detail::idle_lists(bin_of(std::clamp(asked.largest, std::size_t{1}, most)) + 1, 0)),
          asked_(asked),
          bins_(bin_of(std::clamp(asked.largest, std::size_t{1}, most)) + 1) {
        if (asked.small_entries_most == 0 || asked.large_entries == 0) {
            throw std::invalid_argument(
                "peers::jemalloc_tcache: 0 entries of a size; it keeps at least 1");
        }
    }

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        if (size <= 8) return 8;
        return size <= most ? quarter_sizes::round_up(size) : size;
    }

    [[nodiscard]] detail::buffer_block* take(buffer_request request,
                                             buffer_occasion occasion) noexcept {
        if (!has_bins(occasion.thread)) return nullptr;
        asked_for(occasion.thread, capacity_for(request.size));
        if (request.size > asked_.largest) return nullptr;
        const std::size_t list = list_of(occasion.thread, bin_of(request.size));
        detail::buffer_block* const block = lists_.take_newest(list, request);
        low_water_[list] = std::min(low_water_[list], lists_.count(list));
        return block;
    }

    void keep(detail::buffer_block& block, buffer_occasion occasion,
              detail::dropped_buffers& dropped) noexcept {
        if (!has_bins(occasion.thread)) {
            dropped.push(block);
            return;
        }
        thread_state& thread = threads_[occasion.thread];
        const std::size_t bytes = block.capacity;
        if (bytes > asked_.largest) {
            dropped.push(block);
        } else {
            const std::size_t bin = bin_of(bytes);
            const std::size_t list = list_of(occasion.thread, bin);
            if (lists_.count(list) == places(bin)) {
                flush_to(list, places(bin) / 2, dropped);
            }
            lists_.keep(list, block, occasion.now);
        }
        thread.let_go += bytes;
        if (thread.let_go >= asked_.bytes_between_looks) {
            thread.let_go = 0;
            ++thread.looks_due;
        }
        for (; thread.looks_due > 0; --thread.looks_due) look(occasion.thread, dropped);
    }

    void trim(std::size_t bytes, buffer_occasion occasion,
              detail::dropped_buffers& dropped) noexcept {
        policy_of_lists::trim(bytes, occasion, dropped);
        note_low_water();
    }
    void trim_older(std::uint64_t nanoseconds, buffer_occasion occasion,
                    detail::dropped_buffers& dropped) noexcept {
        policy_of_lists::trim_older(nanoseconds, occasion, dropped);
        note_low_water();
    }

private:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t largest_small = 14 * 1024;
    // Beyond this, sizes are not rounded here.
    static constexpr std::size_t most = std::size_t{1} << 48;

    struct thread_state {
        std::size_t asked_for = 0;  // bytes, since that last made a look due
        std::size_t let_go = 0;
        std::size_t looks_due = 0;
        std::size_t next_bin = 0;  // to look at
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
        if (size > largest_small) return asked_.large_entries;
        // A slab is as many pages as make a whole number of blocks.
        const std::size_t blocks_of_slab = page / std::min(page, size & (~size + 1));
        return std::min(std::max(2 * blocks_of_slab, asked_.small_entries_least),
                        asked_.small_entries_most);
    }

    // False if there is no memory for them.
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

    void asked_for(std::size_t thread, std::size_t bytes) noexcept {
        thread_state& state = threads_[thread];
        state.asked_for += bytes;
        if (state.asked_for >= asked_.bytes_between_looks) {
            state.asked_for = 0;
            ++state.looks_due;
        }
    }

    void flush_to(std::size_t list, std::size_t rest, detail::dropped_buffers& dropped) noexcept {
        while (lists_.count(list) > rest) lists_.drop_oldest(list, dropped);
        low_water_[list] = std::min(low_water_[list], rest);
    }

    void look(std::size_t thread, detail::dropped_buffers& dropped) noexcept {
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

    options asked_;
    std::size_t bins_;  // of each thread
    std::vector<thread_state> threads_;
    // The fewest blocks that the list had since it was last looked at. As many as lists, or more.
    std::vector<std::size_t> low_water_;
};

}  // namespace freehold::inline FREEHOLD_ABI::peers
