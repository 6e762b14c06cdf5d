// SPDX-License-Identifier: BSL-1.0
// The registry of thread caches: those of each thread, which it finds by the number of their pool,
// and those of each pool.
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
#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/mutex.hpp>
#include <freehold/detail/platform/thread.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/detail/spin_lock.hpp>
#include <freehold/memory/detail/cache_of_thread.hpp>
#include <freehold/memory/pool_thread_statistics.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// The statistics of one thread: its counters, and its cached blocks.
[[nodiscard]] inline pool_thread_statistics statistics_of(const cache_of_thread& cache) noexcept {
    const std::uint64_t allocated = cache.allocations();
    const std::uint64_t freed = cache.frees();
    return {.thread = cache.thread,
            .cached = cache.cached(),
            .allocations = allocated,
            .frees = freed,
            .remote_frees = freed > allocated ? freed - allocated : 0,
            .refills = cache.refills()};
}

// The caches of one pool, and the sum of the counters of threads that have exited.
class pool_caches final : public fork_participant {
public:
    constexpr explicit pool_caches(depot& shared) noexcept : depot_(&shared) {}

    [[nodiscard]] depot& shared() const noexcept { return *depot_; }

    // All functions below are called under the registry's mutex.
    void add(cache_of_thread& cache) noexcept {
        cache.next_of_pool = first_;
        first_ = &cache;
    }
    void remove(const cache_of_thread& cache) noexcept {
        cache_of_thread** link = &first_;
        while (*link != &cache) link = &(*link)->next_of_pool;
        *link = cache.next_of_pool;
        add_to_gone(cache);
    }
    void forget_all() noexcept {
        for_each([this](cache_of_thread& each) {
            add_to_gone(each);
            each.forget();
            each.pool = nullptr;  // its thread deletes it
        });
        first_ = nullptr;
    }
    template <class Visitor>
    void for_each(Visitor visit) const {
        for (cache_of_thread* each = first_; each != nullptr;) {
            cache_of_thread* const next = each->next_of_pool;
            visit(*each);
            each = next;
        }
    }
    [[nodiscard]] std::size_t count() const noexcept {
        std::size_t threads = 0;
        for_each([&](const cache_of_thread&) { ++threads; });
        return threads;
    }
    // The sum of the counters of caches that no longer exist.
    [[nodiscard]] const pool_thread_statistics& gone() const noexcept { return gone_; }

    // An exiting thread returns its blocks between these two calls, without the mutex.
    void begin_exit() noexcept { ++exiting_; }
    void end_exit() noexcept { --exiting_; }
    // Waits until no thread is exiting.
    void wait_for_exits(lock_holder<platform_mutex>& lock) const noexcept {
        while (exiting_ > 0) {
            lock.unlock();
            yield_processor();
            lock.lock();
        }
    }

private:
    [[nodiscard]] bool try_lock() noexcept override { return depot_->try_lock(); }
    void unlock() noexcept override { depot_->unlock(); }
    [[gnu::cold]] void around_fork(fork_step step) noexcept override {
        if (step == fork_step::in_child) exiting_ = 0;
        depot_->around_fork(step);
    }
    void add_to_gone(const cache_of_thread& cache) noexcept { gone_ += statistics_of(cache); }

    depot* depot_;
    cache_of_thread* first_ = nullptr;
    pool_thread_statistics gone_;
    std::size_t exiting_ = 0;
};

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
        attach(*cache, pool);
        {
            const lock_holder lock(cache_registry::mutex());
            pool.add(*cache);
        }
        delete_forgotten();
        return cache;
    }

    // Does the same for a cache that is itself a thread-local variable. Returns whether the cache
    // is open.
    [[nodiscard, gnu::noinline]] static bool open(cache_of_thread & cache,
                                                  pool_caches & pool) noexcept {
        pool.enrol_beside_threads();
        if (cache.is_open()) return true;
        if (exited_ || !cache.open(pool.shared())) return false;
        attach(cache, pool);
        return true;
    }

    // Returns the blocks of all caches that are thread-local variables to their depots.
    static void give_back_common() noexcept {
        for (cache_of_thread* each = first_; each != nullptr; each = each->next_of_thread) {
            if (each->entry != nullptr || !each->is_open()) continue;
            each->pool->enrol_beside_threads();
            each->give_back();
        }
    }

    // Removes a pool's caches from all threads. Requires that no thread uses the pool any more.
    static void forget(pool_caches & pool) noexcept {
        lock_holder lock(cache_registry::mutex());
        pool.wait_for_exits(lock);
        pool.leave();
        pool.forget_all();
    }

private:
    static void attach(cache_of_thread & cache, pool_caches & pool) noexcept {
        cache.pool = &pool;
        cache.next_of_thread = std::exchange(first_, &cache);
        [[maybe_unused]] static thread_local exit_hook hook;
    }

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
    static void leave(cache_of_thread & cache) noexcept {
        pool_caches* pool = nullptr;
        fork_participant::prepare_beside_threads();
        {
            const lock_holder lock(cache_registry::mutex());
            pool = cache.pool;
            if (pool != nullptr) pool->begin_exit();
        }
        const bool is_from_new = cache.entry != nullptr;
        if (pool != nullptr) {
            // Other pools have enrolled when the cache was made, and may be on the stack of a
            // thread that a child does not have.
            if (!is_from_new) pool->enrol_beside_threads();
            cache.give_back();
            const lock_holder lock(cache_registry::mutex());
            cache.close();
            if (is_from_new) pool->remove(cache);
            pool->end_exit();
        }
        if (is_from_new) delete_cache(&cache);
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
