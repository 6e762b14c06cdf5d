// SPDX-License-Identifier: BSL-1.0
// What the threads that use one block_cache share: a few batches of blocks that were just freed,
// on their way to whoever allocates next, and the slabs that all other free blocks lie in.
//
// Costs a mutex for each call. Batches that do not fit return to their slabs, a bit for each block;
// what a thread gets from a slab is in the order of addresses.
// Thread-safe. Exceptions: taking throws std::bad_alloc if there is nothing and operator new fails.
#pragma once

#include <freehold/memory/block_slab.hpp>
#include <freehold/memory/prefault.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>

namespace freehold::detail {

template <std::size_t BlockSize, std::size_t Batch>
class block_depot {
    using slab = block_slab<BlockSize>;

public:
    constexpr block_depot() noexcept = default;

    // Writes between one block and Batch to `place`, the next to use last; returns how many.
    [[nodiscard]] std::size_t take_batch(void** place) {
        {
            const std::lock_guard lock(mutex_);
            if (recent_count_ > 0) {
                std::copy_n(recent_[--recent_count_].begin(), Batch, place);
                return Batch;
            }
            if (slabs_ != nullptr) return take_from_slabs(place, Batch);
        }
        add_slab();
        return take_batch(place);
    }

    void give_batch(void* const* blocks) noexcept {
        const std::lock_guard lock(mutex_);
        if (recent_count_ < recent_.size()) {
            std::copy_n(blocks, Batch, recent_[recent_count_++].begin());
        } else {
            for (std::size_t i = 0; i < Batch; ++i) give_to_slab(blocks[i]);
        }
    }

    [[nodiscard]] void* take_one() {
        {
            const std::lock_guard lock(mutex_);
            void* block = nullptr;
            if (slabs_ != nullptr && take_from_slabs(&block, 1) == 1) return block;
        }
        add_slab();
        return take_one();
    }

    void give_some(void* const* blocks, std::size_t count) noexcept {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < count; ++i) give_to_slab(blocks[i]);
    }

    [[nodiscard]] std::size_t reserved_blocks() noexcept {
        const std::lock_guard lock(mutex_);
        return reserved_blocks_;
    }

private:
    std::size_t take_from_slabs(void** place, std::size_t wanted) noexcept {
        std::size_t missing = wanted;
        while (slabs_ != nullptr && missing > 0) {
            missing -= slabs_->take(place + missing, missing);
            if (slabs_->is_exhausted()) slabs_ = slabs_->next;
        }
        if (missing > 0) std::copy(place + missing, place + wanted, place);
        return wanted - missing;
    }

    void give_to_slab(void* block) noexcept {
        slab* const home = slab::of(block);
        if (home->is_exhausted()) {
            home->next = slabs_;
            slabs_ = home;
        }
        home->give(block);
    }

    // operator new is called without the lock: a replaced one may itself use this depot. The first
    // slab's pages come as they are touched, because many a process needs few blocks of a size; who
    // needs a second slab will need all of it, and gets its pages at once.
    void add_slab() {
        void* const memory = ::operator new(slab::size, std::align_val_t(slab::size));
        if (reserved_blocks() > 0) prefault(memory, slab::size);
        slab* const added = slab::make_in(memory);
        const std::lock_guard lock(mutex_);
        added->next = slabs_;
        slabs_ = added;
        reserved_blocks_ += added->free_blocks();
    }

    std::mutex mutex_;
    std::array<std::array<void*, Batch>, 16> recent_{};
    std::size_t recent_count_ = 0;
    slab* slabs_ = nullptr;  // those with free blocks; of the others only their blocks know
    std::size_t reserved_blocks_ = 0;
};

}  // namespace freehold::detail
