// SPDX-License-Identifier: BSL-1.0
// Finds the calling thread's cache of a given buffer_cache: by one load from a thread-local table,
// at the buffer_cache's slot. If a process has more than `fast_slots` buffer_caches at once, the
// others are found by a search of the thread's list.
//
// | state of a thread cache | free_ | link_ | deactivating_ |
// |---|---|---|---|
// | used by a thread | false | set | false |
// | held by a session | false | null | false |
// | its thread is exiting | false | null | true |
// | free, for the next thread or session | true | null | false |
//
// In a child of fork(), the caches of the parent's other threads are lost: no thread uses or frees
// what they hold, because their threads may have been changing it.
//
// The cache_registry's mutex guards all links and deactivating_. A get or put takes it only at the
// thread's first call.
//
// Default visibility: a shared library with hidden symbols would otherwise have a table of its own,
// in which the same slot means another cache.
#pragma once

#include <freehold/buffer/detail/buffer_owner.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/in_register.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class buffer_thread_cache_base : public buffer_owner {
public:
    // Takes a free cache. Returns false if it is not free.
    [[nodiscard]] bool try_acquire() noexcept {
        // acquire, with the release in release(): sees what its last user did.
        return free_.exchange(false, std::memory_order_acquire);
    }
    [[nodiscard]] bool is_free() const noexcept {
        return free_.load(std::memory_order_relaxed);  // relaxed: a hint that guards no data
    }
    // ^Makes the cache free. release: see try_acquire.
    void release() noexcept { free_.store(true, std::memory_order_release); }

    [[nodiscard]] bool is_lost() const noexcept { return is_lost_; }

    // Gives up all its contents, before release().
    virtual void deactivate() noexcept = 0;

protected:
    buffer_thread_cache_base() = default;
    virtual ~buffer_thread_cache_base() = default;

private:
    friend class buffer_thread_cache_table;

    std::atomic<bool> free_{false};

    std::size_t slot_ = 0;
    buffer_thread_cache_base** entry_ = nullptr;  // its entry in the thread's table, or null
    buffer_thread_cache_base* next_ = nullptr;    // the next cache of the same thread
    buffer_thread_cache_base** link_ = nullptr;  // what points to this cache; null without a thread
    bool deactivating_ = false;
    bool is_lost_ = false;
};

class [[gnu::visibility("default")]] buffer_thread_cache_table {
public:
    static constexpr std::size_t fast_slots = 127;

    // The index to pass to fast().
    [[nodiscard]] static std::size_t fast_slot(std::size_t slot) noexcept {
        return slot < fast_slots ? slot : fast_slots;
    }
    // Returns nullptr if the thread has no cache there.
    [[nodiscard, gnu::always_inline]] static buffer_thread_cache_base* fast(
        std::size_t fast_slot) noexcept {
        return in_register(table_.data())[fast_slot];
    }
    [[nodiscard]] static buffer_thread_cache_base* find(std::size_t slot) noexcept {
        if (slot < fast_slots) return table_[slot];
        const std::lock_guard lock(cache_registry::mutex());
        return search(slot);
    }
    // Requires the mutex.
    [[nodiscard]] static buffer_thread_cache_base* search(std::size_t slot) noexcept {
        for (buffer_thread_cache_base* each = first_; each != nullptr; each = each->next_) {
            if (each->slot_ == slot) return each;
        }
        return nullptr;
    }

    // Whether the thread can have no more caches.
    [[nodiscard]] static bool is_exiting() noexcept {
        return exited_;
    }

    // Requires that the thread has no cache at this slot and is not exiting.
    static void add(buffer_thread_cache_base & cache, std::size_t slot) noexcept {
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

    // Detaches the cache from its thread, if it has one. Waits for a thread that is just
    // deactivating it.
    static void remove(buffer_thread_cache_base & cache) noexcept {
        std::unique_lock lock(cache_registry::mutex());
        if (cache.link_ != nullptr) unlink(cache);
        while (cache.deactivating_) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }

    // Called in a child of fork(), with the mutex: whether the cache is lost there, with its
    // thread. Its links name variables of that thread.
    static bool lose(buffer_thread_cache_base & cache) noexcept {
        if (cache.link_ == nullptr && !cache.deactivating_) return false;
        for (const buffer_thread_cache_base* mine = first_; mine != nullptr; mine = mine->next_) {
            if (mine == &cache) return false;
        }
        cache.entry_ = nullptr;
        cache.next_ = nullptr;
        cache.link_ = nullptr;
        cache.deactivating_ = false;
        cache.is_lost_ = true;
        return true;
    }

private:
    // Requires the mutex.
    static void unlink(buffer_thread_cache_base & cache) noexcept {
        *cache.link_ = cache.next_;
        if (cache.next_ != nullptr) cache.next_->link_ = cache.link_;
        cache.link_ = nullptr;
        if (cache.entry_ != nullptr) *cache.entry_ = nullptr;
    }

    struct exit_hook {
        ~exit_hook() {
            std::unique_lock lock(cache_registry::mutex());
            exited_ = true;
            while (first_ != nullptr) {
                buffer_thread_cache_base& cache = *first_;
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

    static inline constinit thread_local std::array<buffer_thread_cache_base*, fast_slots + 1>
        table_{};
    static inline constinit thread_local buffer_thread_cache_base* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
