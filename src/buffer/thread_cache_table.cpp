// SPDX-License-Identifier: BSL-1.0
#include <freehold/buffer/detail/buffer_thread_cache_table.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/cache_registry.hpp>

#include <cstddef>
#include <mutex>
#include <thread>

namespace freehold::inline FREEHOLD_ABI::detail {

bool buffer_thread_cache_entry::try_acquire() noexcept {
    // acquire, with the release in release(): sees what its last user did.
    return __atomic_exchange_n(&free_, false, __ATOMIC_ACQUIRE);
}

bool buffer_thread_cache_entry::is_free() const noexcept {
    return __atomic_load_n(&free_, __ATOMIC_RELAXED);  // relaxed: a hint that guards no data
}

void buffer_thread_cache_entry::release() noexcept {
    __atomic_store_n(&free_, true, __ATOMIC_RELEASE);  // release: see try_acquire
}

struct buffer_thread_cache_table::exit_hook {
    ~exit_hook() {
        std::unique_lock lock(cache_registry::mutex());
        exited_ = true;
        while (first_ != nullptr) {
            entry& cache = *first_;
            unlink(cache);
            cache.deactivating_ = true;
            lock.unlock();
            cache.deactivate();
            lock.lock();
            cache.deactivating_ = false;
            cache.release();
        }
    }
};

buffer_thread_cache_entry* buffer_thread_cache_table::find(std::size_t slot) noexcept {
    if (slot < fast_slots) return table_[slot];
    const std::lock_guard lock(cache_registry::mutex());
    return search(slot);
}

buffer_thread_cache_entry* buffer_thread_cache_table::search(std::size_t slot) noexcept {
    for (entry* each = first_; each != nullptr; each = each->next_) {
        if (each->slot_ == slot) return each;
    }
    return nullptr;
}

bool buffer_thread_cache_table::is_exiting() noexcept {
    return exited_;
}

void buffer_thread_cache_table::add(entry& cache, std::size_t slot) noexcept {
    {
        const std::lock_guard lock(cache_registry::mutex());
        cache.slot_ = slot;
        cache.next_ = first_;
        if (first_ != nullptr) first_->link_ = &cache.next_;
        cache.link_ = &first_;
        first_ = &cache;
        cache.entry_ = slot < fast_slots ? &table_[slot] : nullptr;
        if (cache.entry_ != nullptr) *cache.entry_ = &cache;
    }
    [[maybe_unused]] static thread_local exit_hook hook;
}

void buffer_thread_cache_table::remove(entry& cache) noexcept {
    std::unique_lock lock(cache_registry::mutex());
    if (cache.link_ != nullptr) unlink(cache);
    while (cache.deactivating_) {
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
    }
}

bool buffer_thread_cache_table::lose(entry& cache) noexcept {
    if (cache.link_ == nullptr && !cache.deactivating_) return false;
    for (const entry* mine = first_; mine != nullptr; mine = mine->next_) {
        if (mine == &cache) return false;
    }
    cache.entry_ = nullptr;
    cache.next_ = nullptr;
    cache.link_ = nullptr;
    cache.deactivating_ = false;
    cache.is_lost_ = true;
    return true;
}

void buffer_thread_cache_table::unlink(entry& cache) noexcept {
    *cache.link_ = cache.next_;
    if (cache.next_ != nullptr) cache.next_->link_ = cache.link_;
    cache.link_ = nullptr;
    if (cache.entry_ != nullptr) *cache.entry_ = nullptr;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
