// SPDX-License-Identifier: BSL-1.0
// The caches of one pool, as the registry and a thread that forks see them.
#pragma once

#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/mutex.hpp>
#include <freehold/detail/spin_lock.hpp>
#include <freehold/memory/detail/cache_of_thread.hpp>
#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/pool_thread_statistics.hpp>

#include <cstddef>
#include <cstdint>
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
    constexpr explicit pool_caches(depot& shared) noexcept
        : fork_participant(std::in_place_type<pool_caches>), depot_(&shared) {}

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
    friend class fork_participant;

    [[nodiscard]] bool try_lock() noexcept { return depot_->try_lock(); }
    void unlock() noexcept { depot_->unlock(); }
    void around_fork(fork_step step) noexcept {
        if (step == fork_step::in_child) exiting_ = 0;
        depot_->around_fork(step);
    }
    void add_to_gone(const cache_of_thread& cache) noexcept { gone_ += statistics_of(cache); }

    depot* depot_;
    cache_of_thread* first_ = nullptr;
    pool_thread_statistics gone_;
    std::size_t exiting_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
