// SPDX-License-Identifier: BSL-1.0
// How a thread gets and loses its caches of pools.
#pragma once

#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/thread.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/pool_caches.hpp>
#include <freehold/memory/detail/thread_caches.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

struct caches_of_this_thread::exit_hook {
    [[gnu::cold]] ~exit_hook() {
        exited_ = true;
        while (first_ != nullptr) {
            leave(*std::exchange(first_, first_->next_of_thread));
        }
        delete[] std::exchange(more_, nullptr);
        more_size_ = 0;
    }
};

thread_cache* caches_of_this_thread::find(std::size_t slot, pool_caches& pool) noexcept {
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

void caches_of_this_thread::forget(pool_caches& pool) noexcept {
    lock_holder lock(cache_registry::mutex());
    pool.wait_for_exits(lock);
    pool.leave();
    pool.forget_all();
}

void caches_of_this_thread::delete_forgotten() noexcept {
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

void caches_of_this_thread::delete_cache(cache_of_thread* cache) noexcept {
    if (*cache->entry == cache) *cache->entry = &no_cache;
    delete cache;
}

void caches_of_this_thread::leave(cache_of_thread& cache) noexcept {
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

cache_of_thread** caches_of_this_thread::entry_of(std::size_t slot) noexcept {
    if (slot < fast_slots) return &table_.entries[slot];
    return slot - fast_slots < more_size_ ? &more_[slot - fast_slots] : nullptr;
}

bool caches_of_this_thread::grow_table(std::size_t slot) noexcept {
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

}  // namespace freehold::inline FREEHOLD_ABI::detail
