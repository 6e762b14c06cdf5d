// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <memory_resource>

namespace lab {

/// The standard library's pools. They get the number of blocks and their size as options.
template <class Resource, std::size_t BlockBytes>
class pmr_blocks {
public:
    explicit pmr_blocks(std::size_t capacity) : pool_({capacity, packets::shared_block_bytes}) {}

    void* allocate() { return pool_.allocate(BlockBytes); }
    void deallocate(void* block) noexcept { pool_.deallocate(block, BlockBytes); }

private:
    Resource pool_;
};

}  // namespace lab
