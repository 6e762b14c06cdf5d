// SPDX-License-Identifier: BSL-1.0
// The slow path of thread_cache for pools that hand out freed blocks in order.
#pragma once

#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/thread_cache.hpp>

#include <cstddef>
#include <cstring>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

bool thread_cache::refill_in_order(std::size_t next, std::size_t burst) {
    if (other_full_.get()) {
        swap();
        return true;
    }
    do {
        if (magazine* const full = depot_->take_full()) {
            full->take_over(size_);
            copy_in_order(full->blocks(), next, burst);
            depot_->give_empty(*full);
            note_received(size_);
            return true;
        }
        if (const std::size_t taken = depot_->take(bottom_.get(), size_); taken > 0) {
            turn_bursts(taken, next, burst);
            note_received(taken);
            return true;
        }
        // Another thread may have given a full magazine between the two attempts.
    } while (depot_->has_full());
    return false;
}

// Divides the blocks into a first part of `next` blocks and then parts of `burst` blocks. Calls
// visit(size) for each part.
template <class Visitor>
void for_each_burst(std::size_t blocks, std::size_t next, std::size_t burst, Visitor visit) {
    for (std::size_t size = next; blocks > 0; size = burst) {
        size = smaller(size, blocks);
        visit(size);
        blocks -= size;
    }
}

void thread_cache::copy_in_order(void* const* first, std::size_t next, std::size_t burst) noexcept {
    if (burst == 1) {
        void** top = bottom_.value + size_;
        for (std::size_t i = 0; i < size_; ++i) *--top = first[i];
        return;
    }
    void** top = bottom_.value + size_;
    for_each_burst(size_, next, burst, [&](std::size_t size) {
        top -= size;
        std::memcpy(top, first, size * sizeof(void*));
        first += size;
    });
}

void thread_cache::turn_bursts(std::size_t blocks, std::size_t next, std::size_t burst) noexcept {
    if (burst == 1) return;
    void** top = bottom_.value + blocks;
    for_each_burst(blocks, next, burst, [&](std::size_t size) {
        void** bottom = top - size;
        for (void** last = top - 1; bottom < last; ++bottom, --last) std::swap(*bottom, *last);
        top -= size;
    });
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
