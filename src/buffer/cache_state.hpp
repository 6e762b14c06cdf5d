// SPDX-License-Identifier: BSL-1.0
// What is behind a buffer_cache, and what its thread caches share.
//
// Invariant: thread_caches has every thread cache ever made, in use, free or lost, so that a buffer
// can return to its owner at any time.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/detail/buffer_cache_core.hpp>
#include <freehold/buffer/detail/buffer_thread_cache.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/process_number.hpp>

#include "buffer/buffer_memory.hpp"
#include "buffer/central_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

struct buffer_cache_state : buffer_cache_figures {
    buffer_cache_state(buffer_cache_options settings, const buffer_cache_parts& its_parts,
                       const void* its_policy_options);
    buffer_cache_state(const buffer_cache_state&) = delete;
    buffer_cache_state& operator=(const buffer_cache_state&) = delete;
    ~buffer_cache_state();

    // Counts the thread caches in use. Relaxed: the number guards no data.
    void add_thread_cache() noexcept { active.fetch_add(1, std::memory_order_relaxed); }
    void remove_thread_cache() noexcept { active.fetch_sub(1, std::memory_order_relaxed); }
    // relaxed: a thread that learns late of another keeps a few more buffers to itself.
    [[nodiscard]] bool has_several_thread_caches() const noexcept {
        return active.load(std::memory_order_relaxed) > 1;
    }
    // The largest request that a thread cache serves. The central cache serves larger ones.
    [[nodiscard]] std::size_t largest_in_thread_cache() const noexcept {
        const std::size_t largest = std::min(options.cutoff, buffer_memory::largest);
        if (!has_several_thread_caches()) return largest;
        const std::size_t by_default = std::min(options.max_idle / 512, std::size_t{128} << 10);
        const std::size_t shared_from = options.shared_from.value_or(by_default);
        return std::min(largest, std::max<std::size_t>(shared_from, 1) - 1);
    }

    // Takes a block back on the calling thread, whoever owns it.
    void give_back(buffer_block& block) noexcept;
    // Returns the calling thread's cache, and creates it if necessary. Returns nullptr if the
    // thread is exiting or memory is exhausted.
    [[nodiscard]] buffer_thread_cache* find_thread_cache() noexcept;
    // Throws std::bad_alloc.
    [[nodiscard]] buffer_thread_cache& acquire_thread_cache();
    // Makes a session's cache free, with the lock, because a child must find it whole.
    void release(buffer_thread_cache& closed) noexcept;
    void request_surplus(const buffer_thread_cache& requester) noexcept;

    // Runs the action on the calling thread's cache. If the thread has none, runs it on the
    // fallback cache, under a mutex.
    template <class Action>
    void with_thread_cache(buffer_thread_cache* mine, Action action) {
        if (mine != nullptr) return action(*mine);
        const std::lock_guard lock(fallback_mutex);
        action(*fallback);
    }
    // Requires thread_caches_mutex.
    template <class Action>
    void for_each_other(const buffer_thread_cache* mine, Action action) {
        for (const std::unique_ptr<buffer_thread_cache>& each : all_thread_caches) {
            if (each.get() != mine && !each->is_free() && !each->is_lost()) action(*each);
        }
    }

    // The owner of buffers that belong to no thread cache.
    class shared_owner final : public buffer_owner {
    public:
        explicit shared_owner(buffer_cache_state& state) noexcept : state_(state) {}
        void give_back(buffer_block& block) noexcept override { state_.give_back(block); }

    private:
        buffer_cache_state& state_;
    };
    class fork_locks final : public fork_participant {
    public:
        explicit fork_locks(buffer_cache_state& state) noexcept
            : fork_participant(std::in_place_type<fork_locks>), state_(state) {}

    private:
        friend class fork_participant;

        [[nodiscard]] bool try_lock() noexcept;
        [[FREEHOLD_LOCKS_ACROSS_CALLS]] void unlock() noexcept;
        void around_fork(fork_step step) noexcept;

        buffer_cache_state& state_;
    };

    const buffer_cache_parts parts;
    const void* const policy_options;
    const buffer_memory memory;
    // The bytes to reserve from the quota at a time, if they are available.
    const std::size_t quota_step;
    buffer_central_cache central;
    const process_number number;
    shared_owner uncached_owner{*this};  // of buffers that bypass the cache
    shared_owner central_owner{*this};   // of large buffers, which the central cache handed out
    std::atomic<std::uint32_t> active{0};
    std::mutex thread_caches_mutex;
    std::vector<std::unique_ptr<buffer_thread_cache>> all_thread_caches;
    std::mutex fallback_mutex;
    const std::unique_ptr<buffer_thread_cache> fallback;
    fork_locks locks{*this};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
