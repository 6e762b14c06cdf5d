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

#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/thread.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/cache_of_thread.hpp>
#include <freehold/memory/detail/pool_caches.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// A cache that is empty and full: each operation on it takes the slow path.
[[gnu::visibility("default")]] inline constinit cache_of_thread no_cache{};

struct cache_table {
    static constexpr std::size_t fast_slots = 127;
    // The last entry belongs to no pool. The constructor runs at compile time only.
    // NOLINTNEXTLINE(freehold-hidden-zeroing)
    std::array<cache_of_thread*, fast_slots + 1> entries{};

    constexpr cache_table() noexcept { entries.fill(&no_cache); }
};

class [[gnu::visibility("default")]] caches_of_this_thread {
public:
    static constexpr std::size_t fast_slots = cache_table::fast_slots;

    // Requires slot <= fast_slots. The last slot holds no cache.
    [[nodiscard, gnu::always_inline]] static thread_cache& fast(std::size_t slot) noexcept {
        return *table_.entries[slot];
    }

    // Returns the cache for this slot, and creates it if necessary. Returns nullptr if memory is
    // exhausted or the thread is exiting.
    [[nodiscard, gnu::noinline]] static thread_cache* find(std::size_t slot,
                                                           pool_caches & pool) noexcept {
        pool.enrol();
        if (cache_of_thread** const entry = entry_of(slot);
            entry != nullptr && (*entry)->pool == &pool) {
            return *entry;
        }
        if (exited_ || !grow_table(slot)) return nullptr;
        auto* const cache = new (std::nothrow) cache_of_thread;
        if (cache == nullptr) return nullptr;
        if (!cache->open(pool.shared())) {
            delete cache;
            return nullptr;
        }
        cache->thread = number_of_this_thread();
        cache->entry = entry_of(slot);
        *cache->entry = cache;
        cache->pool = &pool;
        cache->next_of_thread = std::exchange(first_, cache);
        [[maybe_unused]] static thread_local exit_hook hook;
        {
            const lock_holder lock(cache_registry::mutex());
            pool.add(*cache);
        }
        delete_forgotten();
        return cache;
    }

    // Removes a pool's caches from all threads. Requires that no thread uses the pool any more.
    static void forget(pool_caches & pool) noexcept {
        lock_holder lock(cache_registry::mutex());
        pool.wait_for_exits(lock);
        pool.leave();
        pool.forget_all();
    }

private:
    // Deletes the caches of destroyed pools.
    static void delete_forgotten() noexcept {
        cache_of_thread* forgotten = nullptr;
        {
            const lock_holder lock(cache_registry::mutex());
            for (cache_of_thread** link = &first_; *link != nullptr;) {
                cache_of_thread* const each = *link;
                if (each->pool != nullptr) {
                    link = &each->next_of_thread;
                } else {
                    *link = each->next_of_thread;
                    each->next_of_thread = std::exchange(forgotten, each);
                }
            }
        }
        while (forgotten != nullptr) {
            delete_cache(std::exchange(forgotten, forgotten->next_of_thread));
        }
    }
    static void delete_cache(cache_of_thread * cache) noexcept {
        if (*cache->entry == cache) *cache->entry = &no_cache;
        delete cache;
    }

    struct exit_hook {
        [[gnu::cold]] ~exit_hook() {
            exited_ = true;
            while (first_ != nullptr) {
                leave(*std::exchange(first_, first_->next_of_thread));
            }
            delete[] std::exchange(more_, nullptr);
            more_size_ = 0;
        }
    };
    [[gnu::cold]] static void leave(cache_of_thread & cache) noexcept {
        pool_caches* pool = nullptr;
        {
            const lock_holder lock(cache_registry::mutex());
            pool = cache.pool;
            if (pool != nullptr) pool->begin_exit();
        }
        if (pool != nullptr) {
            cache.give_back();
            const lock_holder lock(cache_registry::mutex());
            cache.close();
            pool->remove(cache);
            pool->end_exit();
        }
        delete_cache(&cache);
    }

    [[nodiscard]] static cache_of_thread** entry_of(std::size_t slot) noexcept {
        if (slot < fast_slots) return &table_.entries[slot];
        return slot - fast_slots < more_size_ ? &more_[slot - fast_slots] : nullptr;
    }

    // Returns false if memory is exhausted.
    static bool grow_table(std::size_t slot) noexcept {
        if (entry_of(slot) != nullptr) return true;
        const std::size_t size = larger(2 * more_size_, slot - fast_slots + 1);
        auto** const more = new (std::nothrow) cache_of_thread*[size];
        if (more == nullptr) return false;
        for (std::size_t i = 0; i < size; ++i) more[i] = i < more_size_ ? more_[i] : &no_cache;
        for (cache_of_thread* each = first_; each != nullptr; each = each->next_of_thread) {
            if (each->entry >= more_ && each->entry < more_ + more_size_) {
                each->entry = more + (each->entry - more_);
            }
        }
        delete[] std::exchange(more_, more);
        more_size_ = size;
        return true;
    }

    static inline constinit thread_local cache_table table_{};
    static inline constinit thread_local cache_of_thread** more_ = nullptr;
    static inline constinit thread_local std::size_t more_size_ = 0;
    static inline constinit thread_local cache_of_thread* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
