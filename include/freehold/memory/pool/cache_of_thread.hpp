// SPDX-License-Identifier: BSL-1.0
// A thread_cache with its links: to its pool, and to the other caches of the pool and the thread.
//
// The registry in thread_caches.hpp links and unlinks it. On cache lines of its own, because its
// thread writes to it all the time.
#pragma once

#include <freehold/memory/pool/thread_cache.hpp>
#include <freehold/platform/thread_number.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class pool_caches;

struct alignas(64) cache_of_thread : thread_cache {
    thread_number thread = 0;  // stands in the tail padding of thread_cache
    pool_caches* pool = nullptr;
    cache_of_thread* next_of_pool = nullptr;
    cache_of_thread* next_of_thread = nullptr;
    cache_of_thread** entry = nullptr;  // its place in the thread's table; null: it is not from new
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
