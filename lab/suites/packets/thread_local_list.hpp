// SPDX-License-Identifier: BSL-1.0
// The lower bound on one thread: a list of free blocks that no other thread can reach. The blocks
// themselves hold the links.
#pragma once

#include "suites/packets/packet.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <memory>
#include <new>

namespace lab::packets {

class thread_local_list_blocks {
public:
    explicit thread_local_list_blocks(std::size_t capacity)
        : blocks_(std::make_unique_for_overwrite<place[]>(capacity)) {
        free_ = nullptr;
        for (std::size_t i = 0; i < capacity; ++i) deallocate(&blocks_[i]);
    }

    void* allocate() {
        link* const first = free_;
        if (first == nullptr) [[unlikely]]
            throw std::bad_alloc();
        free_ = first->next;
        return first;
    }
    void deallocate(void* freed) noexcept { free_ = ::new (freed) link{free_}; }

private:
    struct link {
        link* next;
    };
    /// An odd number of cache lines, so that blocks spread over a cache's sets.
    struct alignas(64) place {
        std::byte bytes[shared_block_bytes];
    };
    static_assert(sizeof(place) / 64 % 2 == 1);

    const std::unique_ptr<place[]> blocks_;
    inline static thread_local link* free_ = nullptr;
};

/// The same list. Its bulk calls walk along the list.
struct thread_local_list : one_by_one<thread_local_list_blocks> {
    static constexpr bool has_bulk = true;

    using one_by_one::one_by_one;
};

}  // namespace lab::packets
