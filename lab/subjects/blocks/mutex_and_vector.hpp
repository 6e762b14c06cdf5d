// SPDX-License-Identifier: BSL-1.0
// The pool that most programs try first: a stack of free blocks and a mutex. Its bulk calls take
// the mutex once.
#pragma once

#include "runner/subject.hpp"
#include "suites/packets/source.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace lab::blocks {

template <std::size_t BlockBytes>
class mutex_and_vector_blocks {
public:
    static constexpr bool has_bulk = true;

    explicit mutex_and_vector_blocks(std::size_t capacity)
        : blocks_(std::make_unique_for_overwrite<place[]>(capacity)) {
        for (std::size_t i = 0; i < capacity; ++i) free_.push_back(&blocks_[i]);
    }

    void* allocate() {
        void* block = nullptr;
        allocate_bulk({&block, 1});
        return block;
    }
    void deallocate(void* block) noexcept { deallocate_bulk({&block, 1}); }

    void allocate_bulk(std::span<void*> blocks) {
        const std::lock_guard lock(mutex_);
        if (free_.size() < blocks.size()) [[unlikely]]
            throw std::bad_alloc();
        const auto first = free_.end() - static_cast<std::ptrdiff_t>(blocks.size());
        std::copy(first, free_.end(), blocks.begin());
        free_.erase(first, free_.end());
    }
    /// Does not allocate: the vector got room for all blocks when they were made.
    void deallocate_bulk(std::span<void* const> blocks) noexcept {
        const std::lock_guard lock(mutex_);
        free_.insert(free_.end(), blocks.begin(), blocks.end());
    }

private:
    /// An odd number of cache lines, so that blocks spread over a cache's sets.
    struct alignas(64) place {
        std::byte bytes[BlockBytes / 64 * 64 + (BlockBytes / 64 % 2 == 0 ? 64 : 0)];
    };
    static_assert(sizeof(place) >= BlockBytes && sizeof(place) / 64 % 2 == 1);

    const std::unique_ptr<place[]> blocks_;
    std::mutex mutex_;
    std::vector<void*> free_;
};

struct mutex_and_vector {
    static constexpr identity is = {
        .name = "mutex and vector", .family = family::allocator, .order = 13};
    template <std::size_t BlockBytes>
    using source = mutex_and_vector_blocks<BlockBytes>;
};

}  // namespace lab::blocks
