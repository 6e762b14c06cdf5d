// SPDX-License-Identifier: BSL-1.0
// foonathan/memory's pool of nodes behind a mutex.
#pragma once

#include "runner/subject.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <mutex>

#ifdef FREEHOLD_LAB_HAS_FOONATHAN
#include <foonathan/memory/allocator_storage.hpp>
#include <foonathan/memory/memory_pool.hpp>
#endif

namespace lab::blocks {

#ifdef FREEHOLD_LAB_HAS_FOONATHAN
inline constexpr origin foonathan_library = {"foonathan/memory", LAB_FOONATHAN_VERSION, ""};
#else
inline constexpr origin foonathan_library = {
    "foonathan/memory", "", "install foonathan/memory (Debian: libfoonathan-memory-dev)"};
#endif

#ifdef FREEHOLD_LAB_HAS_FOONATHAN
template <std::size_t BlockBytes>
class memory_pool_blocks {
public:
    explicit memory_pool_blocks(std::size_t capacity)
        : pool_(pool(BlockBytes, pool::min_block_size(BlockBytes, capacity))) {}

    void* allocate() { return pool_.allocate_node(BlockBytes, alignof(std::max_align_t)); }
    void deallocate(void* block) noexcept {
        pool_.deallocate_node(block, BlockBytes, alignof(std::max_align_t));
    }

private:
    using pool = foonathan::memory::memory_pool<foonathan::memory::node_pool>;

    foonathan::memory::thread_safe_allocator<pool, std::mutex> pool_;
};
#endif

struct foonathan_memory {
    static constexpr identity is = {.name = "foonathan::memory",
                                    .family = family::allocator,
                                    .order = 12,
                                    .from = &foonathan_library};
#ifdef FREEHOLD_LAB_HAS_FOONATHAN
    template <std::size_t BlockBytes>
    using source = packets::one_by_one<memory_pool_blocks<BlockBytes>>;
#endif
};

}  // namespace lab::blocks
