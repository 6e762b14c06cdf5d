// SPDX-License-Identifier: BSL-1.0
// What the threads that use one free_list share: full lists of `Batch` blocks, single blocks that
// threads left behind, and the slabs that all blocks were cut from.
//
// Costs a mutex for each call, and one word for each slab of `Batch` blocks.
// Thread-safe. Exceptions: taking throws std::bad_alloc if there is nothing and operator new fails.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

namespace freehold::detail {

struct free_block {
    free_block* next_block;
    // Has a meaning only in the first block of a list that lies in the depot.
    free_block* next_list;
};

template <std::size_t BlockSize, std::size_t Alignment, std::size_t Batch>
class free_list_depot {
public:
    constexpr free_list_depot() noexcept = default;

    struct chain {
        free_block* first;
        std::size_t length;
    };

    // Between one block and Batch.
    [[nodiscard]] chain take_list() {
        {
            const std::lock_guard lock(mutex_);
            if (lists_ != nullptr) {
                return {std::exchange(lists_, lists_->next_list), Batch};
            }
            if (singles_ != nullptr) {
                return {std::exchange(singles_, nullptr), std::exchange(single_count_, 0)};
            }
        }
        return {cut_slab(), Batch};
    }

    void give_list(free_block* list) noexcept {
        const std::lock_guard lock(mutex_);
        push_list(list);
    }

    [[nodiscard]] free_block* take_one() {
        free_block* const taken = take_list().first;
        for (free_block* rest = taken->next_block; rest != nullptr;) {
            free_block* const next = rest->next_block;
            give_one(rest);
            rest = next;
        }
        return taken;
    }

    void give_one(free_block* block) noexcept {
        const std::lock_guard lock(mutex_);
        block->next_block = singles_;
        singles_ = block;
        if (++single_count_ < Batch) return;
        push_list(singles_);
        singles_ = nullptr;
        single_count_ = 0;
    }

    [[nodiscard]] std::size_t reserved_blocks() noexcept {
        const std::lock_guard lock(mutex_);
        return reserved_blocks_;
    }

private:
    struct slab {
        slab* next;
    };

    void push_list(free_block* list) noexcept {
        list->next_list = lists_;
        lists_ = list;
    }

    // operator new is called without the lock: a replaced one may itself use this depot.
    free_block* cut_slab() {
        constexpr std::size_t first = std::max(sizeof(slab), Alignment);
        void* const memory =
            ::operator new(first + Batch * BlockSize,
                           std::align_val_t(std::max(Alignment, alignof(std::max_align_t))));
        free_block* list = nullptr;
        for (std::size_t i = Batch; i-- > 0;) {
            void* const place = static_cast<std::byte*>(memory) + first + i * BlockSize;
            list = ::new (place) free_block{list, nullptr};
        }
        const std::lock_guard lock(mutex_);
        slabs_ = ::new (memory) slab{slabs_};
        reserved_blocks_ += Batch;
        return list;
    }

    std::mutex mutex_;
    free_block* lists_ = nullptr;
    free_block* singles_ = nullptr;
    std::size_t single_count_ = 0;  // always less than Batch
    slab* slabs_ = nullptr;         // never given back; kept so that leak checkers find the blocks
    std::size_t reserved_blocks_ = 0;
};

}  // namespace freehold::detail
