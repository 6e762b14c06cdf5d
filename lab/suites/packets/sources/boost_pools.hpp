// SPDX-License-Identifier: BSL-1.0
// Boost.Pool's pools for the whole program, with the mutex that they have by default. Their first
// step of growth is the capacity of a cell of two threads; the memory of both goes when a source
// ends.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/packets/lanes.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <new>

#if __has_include(<boost/pool/singleton_pool.hpp>)
#include <boost/pool/pool_alloc.hpp>
#include <boost/pool/singleton_pool.hpp>
#define FREEHOLD_LAB_HAS_BOOST_POOL 1
#endif

namespace lab::packets {

#ifdef FREEHOLD_LAB_HAS_BOOST_POOL
using boost_user_allocator = boost::default_user_allocator_new_delete;
using boost_mutex = boost::details::pool::default_mutex;
constexpr unsigned boost_next_size = capacity_of(1);

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
    using pool =
        boost::singleton_pool<tag, BlockBytes, boost_user_allocator, boost_mutex, boost_next_size>;
};

template <std::size_t BlockBytes>
class fast_pool_allocator_blocks {
public:
    explicit fast_pool_allocator_blocks(std::size_t) noexcept {}
    ~fast_pool_allocator_blocks() {
        boost::singleton_pool<boost::fast_pool_allocator_tag, sizeof(place), boost_user_allocator,
                              boost_mutex, boost_next_size>::purge_memory();
    }
    fast_pool_allocator_blocks(const fast_pool_allocator_blocks&) = delete;
    fast_pool_allocator_blocks& operator=(const fast_pool_allocator_blocks&) = delete;

    void* allocate() { return allocator::allocate(); }
    void deallocate(void* freed) noexcept { allocator::deallocate(static_cast<place*>(freed)); }

private:
    struct place {
        alignas(std::max_align_t) std::byte bytes[BlockBytes];
    };
    using allocator =
        boost::fast_pool_allocator<place, boost_user_allocator, boost_mutex, boost_next_size>;
};
#else
constexpr const char* no_boost_pool = "install Boost.Pool (Debian: libboost-dev)";
#endif

struct boost_singleton_pool : competitor {
    static constexpr const char* name = "boost::singleton_pool";
#ifdef FREEHOLD_LAB_HAS_BOOST_POOL
    template <std::size_t BlockBytes>
    using source = one_by_one<singleton_pool_blocks<BlockBytes>>;
#else
    static constexpr const char* missing = no_boost_pool;
#endif
};

struct boost_fast_pool_allocator : competitor {
    static constexpr const char* name = "boost::fast_pool_allocator";
#ifdef FREEHOLD_LAB_HAS_BOOST_POOL
    template <std::size_t BlockBytes>
    using source = one_by_one<fast_pool_allocator_blocks<BlockBytes>>;
#else
    static constexpr const char* missing = no_boost_pool;
#endif
};

}  // namespace lab::packets
