// SPDX-License-Identifier: BSL-1.0
// The caches of common pools that a thread has. Each is a thread-local variable, and its pool is
// never destroyed. An exiting thread closes its caches.
//
// Visible even if a shared library hides its symbols: a thread must have only one list.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/detail/cache_of_thread.hpp>
#include <freehold/memory/detail/pool_caches.hpp>

#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] common_caches_of_this_thread {
public:
    // Returns whether the cache is open. It is not if memory is exhausted or the thread is exiting.
    [[nodiscard]] static bool open(cache_of_thread & cache, pool_caches & pool) noexcept {
        pool.enrol_beside_threads();
        return cache.is_open() || open_first(cache, pool);
    }

    // Returns the blocks of all caches to their depots.
    static void give_back() noexcept {
        for (cache_of_thread* each = first_; each != nullptr; each = each->next_of_thread) {
            if (!each->is_open()) continue;
            each->pool->enrol_beside_threads();
            each->give_back();
        }
    }

private:
    [[nodiscard, gnu::noinline, gnu::cold]] static bool open_first(cache_of_thread & cache,
                                                                   pool_caches & pool) noexcept {
        if (exited_ || !cache.open(pool.shared())) return false;
        cache.pool = &pool;
        cache.next_of_thread = std::exchange(first_, &cache);
        [[maybe_unused]] static thread_local exit_hook hook;
        return true;
    }

    struct exit_hook {
        [[gnu::cold]] ~exit_hook() {
            exited_ = true;
            while (first_ != nullptr) {
                cache_of_thread& cache = *std::exchange(first_, first_->next_of_thread);
                cache.pool->enrol_beside_threads();
                cache.close();
            }
        }
    };

    static inline constinit thread_local cache_of_thread* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
