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
#include <freehold/detail/compiled.hpp>
#include <freehold/detail/in_register.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

class __attribute__((visibility("default"))) buffer_thread_cache_entry : public buffer_owner {
public:
    // Takes a free cache. Returns false if it is not free.
    [[nodiscard]] bool try_acquire() noexcept;
    [[nodiscard]] bool is_free() const noexcept;
    void release() noexcept;

    [[nodiscard]] bool is_lost() const noexcept { return is_lost_; }

    // Gives up all its contents, before release().
    virtual void deactivate() noexcept = 0;

protected:
    buffer_thread_cache_entry() = default;
    virtual ~buffer_thread_cache_entry() = default;

private:
    friend class buffer_thread_cache_table;

    bool free_ = false;  // accessed atomically
    bool deactivating_ = false;
    bool is_lost_ = false;
    std::size_t slot_ = 0;
    buffer_thread_cache_entry** entry_ = nullptr;  // its place in the thread's table, or null
    buffer_thread_cache_entry* next_ = nullptr;    // the next cache of the same thread
    buffer_thread_cache_entry** link_ = nullptr;   // what points to this one; null without a thread
};

class __attribute__((visibility("default"))) buffer_thread_cache_table {
public:
    using entry = buffer_thread_cache_entry;

    static constexpr std::size_t fast_slots = 127;

    // The index to pass to fast().
    [[nodiscard]] static std::size_t fast_slot(std::size_t slot) noexcept {
        return slot < fast_slots ? slot : fast_slots;
    }
    // Returns nullptr if the thread has no cache there.
    [[nodiscard, gnu::always_inline]] static entry* fast(std::size_t fast_slot) noexcept {
        return in_register(&table_[0])[fast_slot];
    }
    [[nodiscard]] static entry* find(std::size_t slot) noexcept;
    // Requires the mutex.
    [[nodiscard]] static entry* search(std::size_t slot) noexcept;

    // Whether the thread can have no more caches.
    [[nodiscard]] static bool is_exiting() noexcept;

    // Requires that the thread has no cache at this slot and is not exiting.
    static void add(entry& cache, std::size_t slot) noexcept;
    // Detaches the cache from its thread, if it has one. Waits for a thread that is just
    // deactivating it.
    static void remove(entry& cache) noexcept;
    // Called in a child of fork(), with the mutex: whether the cache is lost there, with its
    // thread. Its links name variables of that thread.
    [[nodiscard]] static bool lose(entry& cache) noexcept;

private:
    struct exit_hook;

    // Requires the mutex.
    static void unlink(entry& cache) noexcept;

    static inline constinit thread_local entry* table_[fast_slots + 1] = {};
    static inline constinit thread_local entry* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
