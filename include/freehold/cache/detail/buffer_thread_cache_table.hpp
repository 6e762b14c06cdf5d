// SPDX-License-Identifier: BSL-1.0
// Which part of a cache is whose: a thread finds its own by one load from a thread-local table, at
// the cache's number; caches of which there are more than `fast_slots` at once find theirs by a
// walk over the thread's list.
//
// All that is linked here is guarded by the mutex of the process's pools and caches, which no get
// or put takes but a thread's first of a cache. A thread that exits leaves its parts; a cache that
// is destroyed takes its parts out of the tables of all threads.
//
// Visible even where a shared library is compiled to hide its symbols, or the same number would
// mean different caches in different libraries.
#pragma once

#include <freehold/cache/detail/buffer_block.hpp>
#include <freehold/memory/in_register.hpp>
#include <freehold/memory/pool/thread_caches.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>

namespace freehold::detail {

class buffer_thread_cache_base : public buffer_owner {
public:
    // Takes a part that nobody has; false if somebody has it.
    [[nodiscard]] bool try_acquire() noexcept {
        // acquire: sees what the last who had it did to it.
        return free_.exchange(false, std::memory_order_acquire);
    }
    [[nodiscard]] bool is_free() const noexcept {
        return free_.load(std::memory_order_relaxed);  // relaxed: nothing is done by it
    }
    // Nobody uses it any more but who occupies it next.
    void release() noexcept { free_.store(true, std::memory_order_release); }  // see try_acquire

    // Lets go of all that lies in it, before it is vacated.
    virtual void deactivate() noexcept = 0;

protected:
    buffer_thread_cache_base() = default;
    virtual ~buffer_thread_cache_base() = default;

private:
    friend class buffer_thread_cache_table;

    std::atomic<bool> free_{false};

    std::size_t slot_ = 0;
    buffer_thread_cache_base** entry_ = nullptr;  // its place in the thread's table, if it has one
    buffer_thread_cache_base* next_ = nullptr;    // of the thread
    buffer_thread_cache_base** link_ = nullptr;   // what points to this; null: it has no thread
    bool deactivating_ = false;
};

class [[gnu::visibility("default")]] buffer_thread_cache_table {
public:
    static constexpr std::size_t fast_slots = 127;

    // Where a part of that number is found, if at all.
    [[nodiscard]] static std::size_t fast_slot(std::size_t slot) noexcept {
        return slot < fast_slots ? slot : fast_slots;
    }
    // nullptr if it is not there.
    [[nodiscard, gnu::always_inline]] static buffer_thread_cache_base* fast(
        std::size_t fast_slot) noexcept {
        return in_register(table_.data())[fast_slot];
    }
    [[nodiscard]] static buffer_thread_cache_base* find(std::size_t slot) noexcept {
        if (slot < fast_slots) return table_[slot];
        const std::lock_guard lock(cache_registry::mutex());
        for (buffer_thread_cache_base* each = first_; each != nullptr; each = each->next_) {
            if (each->slot_ == slot) return each;
        }
        return nullptr;
    }

    // Whether there will be no more parts for it.
    [[nodiscard]] static bool is_exiting() noexcept {
        return exited_;
    }

    // The thread has none of that number, and is not exiting.
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

    // Takes a part from its thread, if it has one; waits for a thread that is just leaving it.
    static void remove(buffer_thread_cache_base & cache) noexcept {
        std::unique_lock lock(cache_registry::mutex());
        if (cache.link_ != nullptr) unlink(cache);
        while (cache.deactivating_) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }

private:
    // The mutex is held.
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

}  // namespace freehold::detail
