// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost_pool.hpp"

namespace lab::blocks {

#if LAB_HAS_BOOST_POOL
/// The whole program shares one pool. A source releases the pool's memory when it ends.
template <std::size_t BlockBytes>
class singleton_pool_blocks {
public:
    explicit singleton_pool_blocks(std::size_t) noexcept {}
    ~singleton_pool_blocks() { pool::purge_memory(); }
    singleton_pool_blocks(const singleton_pool_blocks&) = delete;
    singleton_pool_blocks& operator=(const singleton_pool_blocks&) = delete;

    void* allocate() {
        void* const block = pool::malloc();
        if (block == nullptr) [[unlikely]]
            throw std::bad_alloc();
        return block;
    }
    void deallocate(void* block) noexcept { pool::free(block); }

private:
    struct tag {};
    using pool = boost::singleton_pool<tag, BlockBytes, boost_user_allocator, boost_mutex,
                                       boost_next_size, boost_next_size>;
};
#endif

struct boost_singleton_pool {
    static constexpr identity is = {
        .name = "boost::singleton_pool", .family = family::boost, .order = 9, .from = &boost_pool};
#if LAB_HAS_BOOST_POOL
    template <std::size_t BlockBytes>
    using source = packets::one_by_one<singleton_pool_blocks<BlockBytes>>;
#endif
};

}  // namespace lab::blocks
