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

#include <freehold/cache/buffers/buffer_part.hpp>
#include <freehold/memory/in_register.hpp>
#include <freehold/memory/pool/thread_caches.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class thread_part : public buffer_part {
public:
    // Takes a part that nobody has; false if somebody has it.
    [[nodiscard]] bool occupy() noexcept {
        // acquire: sees what the last who had it did to it.
        return vacant_.exchange(false, std::memory_order_acquire);
    }
    [[nodiscard]] bool is_vacant() const noexcept {
        return vacant_.load(std::memory_order_relaxed);  // relaxed: nothing is done by it
    }
    // Nobody uses it any more but who occupies it next.
    void vacate() noexcept { vacant_.store(true, std::memory_order_release); }  // see occupy

    // Lets go of all that lies in it, before it is vacated.
    virtual void leave() noexcept = 0;

protected:
    thread_part() = default;
    virtual ~thread_part() = default;

private:
    friend class parts_of_this_thread;

    std::atomic<bool> vacant_{false};

    std::size_t slot_ = 0;
    thread_part** entry_ = nullptr;  // its place in the thread's table, if it has one
    thread_part* next_ = nullptr;    // of the thread
    thread_part** link_ = nullptr;   // what points to this; null: it has no thread
    bool leaving_ = false;
};

class [[gnu::visibility("default")]] parts_of_this_thread {
public:
    static constexpr std::size_t fast_slots = 127;

    // Where a part of that number is found, if at all.
    [[nodiscard]] static std::size_t fast_slot(std::size_t slot) noexcept {
        return slot < fast_slots ? slot : fast_slots;
    }
    // nullptr if it is not there.
    [[nodiscard, gnu::always_inline]] static thread_part* fast(std::size_t fast_slot) noexcept {
        return in_register(table_.data())[fast_slot];
    }
    [[nodiscard]] static thread_part* find(std::size_t slot) noexcept {
        if (slot < fast_slots) return table_[slot];
        const std::lock_guard lock(cache_registry::mutex());
        for (thread_part* each = first_; each != nullptr; each = each->next_) {
            if (each->slot_ == slot) return each;
        }
        return nullptr;
    }

    // Whether there will be no more parts for it.
    [[nodiscard]] static bool is_exiting() noexcept {
        return exited_;
    }

    // The thread has none of that number, and is not exiting.
    static void add(thread_part & part, std::size_t slot) noexcept {
        {
            const std::lock_guard lock(cache_registry::mutex());
            part.slot_ = slot;
            part.next_ = first_;
            if (first_ != nullptr) first_->link_ = &part.next_;
            part.link_ = &first_;
            first_ = &part;
            part.entry_ = slot < fast_slots ? &table_[slot] : nullptr;
            if (part.entry_ != nullptr) *part.entry_ = &part;
        }
        [[maybe_unused]] static thread_local exit_hook hook;
    }

    // Takes a part from its thread, if it has one; waits for a thread that is just leaving it.
    static void remove(thread_part & part) noexcept {
        std::unique_lock lock(cache_registry::mutex());
        if (part.link_ != nullptr) unlink(part);
        while (part.leaving_) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }

private:
    // The mutex is held.
    static void unlink(thread_part & part) noexcept {
        *part.link_ = part.next_;
        if (part.next_ != nullptr) part.next_->link_ = part.link_;
        part.link_ = nullptr;
        if (part.entry_ != nullptr) *part.entry_ = nullptr;
    }

    struct exit_hook {
        ~exit_hook() {
            std::unique_lock lock(cache_registry::mutex());
            exited_ = true;
            while (first_ != nullptr) {
                thread_part& part = *first_;
                unlink(part);
                part.leaving_ = true;
                lock.unlock();
                part.leave();
                lock.lock();
                part.leaving_ = false;
                part.vacate();
            }
        }
    };

    static inline constinit thread_local std::array<thread_part*, fast_slots + 1> table_{};
    static inline constinit thread_local thread_part* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
