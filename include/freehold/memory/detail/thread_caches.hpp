// SPDX-License-Identifier: BSL-1.0
// The registry of thread caches: those of each thread, which it finds by the number of their pool,
// and those of each pool (pool_caches.hpp). The caches of common pools are in common_caches.hpp.
//
// A thread finds its cache by one load from a thread-local table. Pools with a number of at least
// `fast_slots` find theirs on the slow path. An exiting thread closes its caches. A destroyed pool
// empties its caches, and their threads delete them later. One mutex of the process guards the
// links. An allocation or a free takes it only at a thread's first use of a pool. Neither operator
// new nor an upstream is called under it, because both may use pools.
//
// No thread writes to another thread's variables: in a forked child, those of other threads do not
// exist.
//
// Visible even if a shared library hides its symbols. Otherwise the same number would mean
// different pools in different libraries.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/detail/cache_of_thread.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// A cache that is empty and full: each operation on it takes the slow path.
[[gnu::visibility("default")]] inline constinit cache_of_thread no_cache{};

struct cache_table {
    static constexpr std::size_t fast_slots = 127;
    // The last entry belongs to no pool. The constructor runs at compile time only.
    // NOLINTNEXTLINE(freehold-hidden-zeroing)
    cache_of_thread* entries[fast_slots + 1] = {};

    constexpr cache_table() noexcept {
        for (cache_of_thread*& each : entries) each = &no_cache;
    }
};

class __attribute__((visibility("default"))) caches_of_this_thread {
public:
    static constexpr std::size_t fast_slots = cache_table::fast_slots;

    // Requires slot <= fast_slots. The last slot holds no cache.
    [[nodiscard, gnu::always_inline]] static thread_cache& fast(std::size_t slot) noexcept {
        return *table_.entries[slot];
    }

    // Returns the cache for this slot, and creates it if necessary. Returns nullptr if memory is
    // exhausted or the thread is exiting.
    [[nodiscard, gnu::noinline]] FREEHOLD_API static thread_cache* find(std::size_t slot,
                                                                        pool_caches& pool) noexcept;

    // Removes a pool's caches from all threads. Requires that no thread uses the pool any more.
    FREEHOLD_API static void forget(pool_caches& pool) noexcept;

private:
    // Deletes the caches of destroyed pools.
    FREEHOLD_API static void delete_forgotten() noexcept;
    FREEHOLD_API static void delete_cache(cache_of_thread* cache) noexcept;

    struct exit_hook;
    [[gnu::cold]] FREEHOLD_API static void leave(cache_of_thread& cache) noexcept;

    [[nodiscard]] FREEHOLD_API static cache_of_thread** entry_of(std::size_t slot) noexcept;

    // Returns false if memory is exhausted.
    FREEHOLD_API static bool grow_table(std::size_t slot) noexcept;

    static inline constinit thread_local cache_table table_{};
    static inline constinit thread_local cache_of_thread** more_ = nullptr;
    static inline constinit thread_local std::size_t more_size_ = 0;
    static inline constinit thread_local cache_of_thread* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
