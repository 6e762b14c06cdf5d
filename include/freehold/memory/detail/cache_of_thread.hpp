// SPDX-License-Identifier: BSL-1.0
// A thread_cache with links to its pool, and to the other caches of its pool and of its thread. The
// registry in thread_caches.hpp sets the links.
// It is aligned to cache lines of its own, because its thread writes to it all the time.
#pragma once

#include <freehold/detail/platform/thread_number.hpp>
#include <freehold/memory/detail/thread_cache.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

class pool_caches;

struct alignas(64) cache_of_thread : thread_cache {
    thread_number thread = 0;  // uses the tail padding of thread_cache
    pool_caches* pool = nullptr;
    cache_of_thread* next_of_pool = nullptr;
    cache_of_thread* next_of_thread = nullptr;
    cache_of_thread** entry = nullptr;  // in the thread's table
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
