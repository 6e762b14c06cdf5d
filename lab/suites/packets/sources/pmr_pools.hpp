// SPDX-License-Identifier: BSL-1.0
// The standard library's pools, told how many blocks and how large there will be.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <memory_resource>

namespace lab::packets {

template <class Resource, std::size_t BlockBytes>
class pmr_blocks {
public:
    explicit pmr_blocks(std::size_t capacity) : pool_({capacity, shared_block_bytes}) {}

    void* allocate() { return pool_.allocate(BlockBytes); }
    void deallocate(void* block) noexcept { pool_.deallocate(block, BlockBytes); }

private:
    Resource pool_;
};

struct pmr_synchronized : competitor {
    static constexpr const char* name = "std::pmr::synchronized_pool_resource";
    template <std::size_t BlockBytes>
    using source = one_by_one<pmr_blocks<std::pmr::synchronized_pool_resource, BlockBytes>>;
};

struct pmr_unsynchronized : competitor {
    static constexpr const char* name = "std::pmr::unsynchronized_pool_resource";
    template <std::size_t BlockBytes>
    using source = one_by_one<pmr_blocks<std::pmr::unsynchronized_pool_resource, BlockBytes>>;
};

}  // namespace lab::packets
