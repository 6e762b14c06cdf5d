// SPDX-License-Identifier: BSL-1.0
// What freehold::pool would cost if it counted no allocations: its fast paths over the same
// magazines, depot and pages.
#pragma once

#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool.hpp>

#include "competitors/competitor.hpp"
#include "suites/packets/source.hpp"
#include "suites/packets/sources/freehold_pool.hpp"

#include <cstddef>
#include <new>
#include <span>

namespace lab::packets {

template <std::size_t BlockBytes>
class not_counted_blocks {
public:
    static constexpr bool has_bulk = true;

    explicit not_counted_blocks(std::size_t capacity) : depot_(layout(capacity)) {
        depot_.reserve(capacity);
    }
    not_counted_blocks(const not_counted_blocks&) = delete;
    not_counted_blocks& operator=(const not_counted_blocks&) = delete;
    ~not_counted_blocks() { caches::forget(caches_); }

    [[gnu::always_inline]] void* allocate() {
        freehold::detail::thread_cache& mine = caches::fast(slot_);
        if (mine.is_empty()) [[unlikely]]
            return allocate_slowly();
        return mine.take();
    }
    [[gnu::always_inline]] void deallocate(void* block) noexcept {
        freehold::detail::thread_cache& mine = caches::fast(slot_);
        if (mine.is_full()) [[unlikely]]
            return deallocate_slowly(block);
        mine.put(block);
    }
    [[gnu::always_inline]] void allocate_bulk(std::span<void*> blocks) {
        if (caches::fast(slot_).take_all(blocks)) [[likely]]
            return;
        for (void*& block : blocks) block = allocate();
    }
    [[gnu::always_inline]] void deallocate_bulk(std::span<void* const> blocks) noexcept {
        if (caches::fast(slot_).put_all(blocks)) [[likely]]
            return;
        for (void* const block : blocks) deallocate(block);
    }

private:
    using caches = freehold::detail::caches_of_this_thread;

    [[nodiscard]] freehold::detail::depot_layout layout(std::size_t capacity) {
        const freehold::pool model(options_of(BlockBytes, capacity));
        return {.stride = model.stride(),
                .alignment = 64,
                .magazine_size = model.magazine_size(),
                .bursts_ascend = true,
                .maximum_capacity = capacity,
                .prefault_ahead = std::size_t{64} << 10,
                .upstream = &pages_,
                .name = "not counted"};
    }

    [[nodiscard, gnu::noinline]] void* allocate_slowly() {
        freehold::detail::thread_cache* const mine = caches::find(slot_, caches_);
        if (mine == nullptr || (mine->is_empty() && !mine->refill())) throw std::bad_alloc();
        return mine->take();
    }
    [[gnu::noinline]] void deallocate_slowly(void* block) noexcept {
        freehold::detail::thread_cache* const mine = caches::find(slot_, caches_);
        if (mine == nullptr) return depot_.give(&block, 1);
        if (mine->is_full()) mine->spill();
        mine->put(block);
    }

    const freehold::detail::process_number number_;
    const std::size_t slot_ = number_.value();
    freehold::page_resource pages_;
    freehold::detail::depot depot_;
    freehold::detail::pool_caches caches_{depot_};
};

struct freehold_pool_not_counted : competitor {
    static constexpr const char* name = "freehold::pool, not counted";
    template <std::size_t BlockBytes>
    using source = not_counted_blocks<BlockBytes>;
};

}  // namespace lab::packets
