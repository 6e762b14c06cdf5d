// SPDX-License-Identifier: BSL-1.0
// The common settings of Boost.Pool's subjects: the default mutex, and a first step of growth with
// the capacity of a cell of two threads.
#pragma once

#include "runner/subject.hpp"
#include "suites/packets/lanes.hpp"
#include "suites/packets/source.hpp"

#include <cstddef>
#include <new>

#if __has_include(<boost/pool/singleton_pool.hpp>)
#include <boost/pool/pool_alloc.hpp>
#include <boost/pool/singleton_pool.hpp>
#define LAB_HAS_BOOST_POOL 1
#else
#define LAB_HAS_BOOST_POOL 0
#endif

namespace lab {

#if LAB_HAS_BOOST_POOL
inline constexpr origin boost_pool = {"Boost", LAB_BOOST_VERSION, ""};
using boost_user_allocator = boost::default_user_allocator_new_delete;
using boost_mutex = boost::details::pool::default_mutex;
/// The blocks of the first piece of memory, and of each further one: Boost.Pool is told not to
/// double it. Boost 1.83 keeps the doubled number when it purges its memory, so that each use after
/// a purge would take twice the memory of the last, until there is none.
constexpr unsigned boost_next_size = packets::capacity_of(1);
#else
inline constexpr origin boost_pool = {"Boost", "", "install Boost.Pool (Debian: libboost-dev)"};
#endif

}  // namespace lab
