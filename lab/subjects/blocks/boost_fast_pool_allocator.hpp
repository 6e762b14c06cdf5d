// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost_pool.hpp"

namespace lab::blocks {

#if LAB_HAS_BOOST_POOL
/// The whole program shares one pool. A source releases the pool's memory when it ends.
template <std::size_t BlockBytes>
class fast_pool_allocator_blocks {
public:
    explicit fast_pool_allocator_blocks(std::size_t) noexcept {}
    ~fast_pool_allocator_blocks() {
        boost::singleton_pool<boost::fast_pool_allocator_tag, sizeof(place), boost_user_allocator,
                              boost_mutex, boost_next_size, boost_next_size>::purge_memory();
    }
    fast_pool_allocator_blocks(const fast_pool_allocator_blocks&) = delete;
    fast_pool_allocator_blocks& operator=(const fast_pool_allocator_blocks&) = delete;

    void* allocate() { return allocator::allocate(); }
    void deallocate(void* freed) noexcept { allocator::deallocate(static_cast<place*>(freed)); }

private:
    struct place {
        alignas(std::max_align_t) std::byte bytes[BlockBytes];
    };
    using allocator = boost::fast_pool_allocator<place, boost_user_allocator, boost_mutex,
                                                 boost_next_size, boost_next_size>;
};
#endif

struct boost_fast_pool_allocator {
    static constexpr identity is = {.name = "boost::fast_pool_allocator",
                                    .family = family::boost,
                                    .order = 10,
                                    .from = &boost_pool};
#if LAB_HAS_BOOST_POOL
    template <std::size_t BlockBytes>
    using source = packets::one_by_one<fast_pool_allocator_blocks<BlockBytes>>;
#endif
};

}  // namespace lab::blocks
