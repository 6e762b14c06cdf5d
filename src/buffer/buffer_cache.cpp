// SPDX-License-Identifier: BSL-1.0
// A cache and its thread caches: how a thread finds or makes its own, what is asked of those of
// other threads, and what a fork leaves of them.
#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>
#include <freehold/detail/cache_registry.hpp>

#include "buffer/cache_state.hpp"
#include "buffer/statistics_sum.hpp"
#include "buffer/trim_requests.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

idle_policy::~idle_policy() = default;

buffer_cache_state::buffer_cache_state(buffer_cache_options settings,
                                       const buffer_cache_parts& its_parts,
                                       const void* its_policy_options)
    : buffer_cache_figures(std::move(settings)),
      parts(its_parts),
      policy_options(its_policy_options),
      memory(options.upstream),
      quota_step(std::clamp<std::size_t>(options.max_idle / 64, 1, std::size_t{64} << 10)),
      central(parts.make_policy(policy_options), !parts.per_thread, quota, quota_step),
      fallback(parts.make_thread_cache(*this, policy_options, 0, 0)) {
    annotate_pool(this);
}

// Returns all memory to the upstream. Reports buffers that are still in use on standard error.
buffer_cache_state::~buffer_cache_state() {
    {
        const std::lock_guard lock(cache_registry::mutex());
        locks.leave();
    }
    for (const std::unique_ptr<buffer_thread_cache>& each : all_thread_caches) {
        if (each->is_lost()) continue;
        buffer_thread_cache_table::remove(*each);
        each->clear();
    }
    dropped_buffers dropped;
    const std::size_t owed = central.trim(0, fallback->context(), dropped);
    fallback->discard_and_release(dropped, owed);
    std::uint64_t out = fallback->bytes_from_upstream();
    for (const std::unique_ptr<buffer_thread_cache>& each : all_thread_caches) {
        out += each->bytes_from_upstream();
    }
    if (out != 0) {
        std::fprintf(stderr,
                     "freehold: buffer cache '%s' is destroyed while %llu bytes of its buffers are "
                     "in use; return them before\n",
                     options.name.c_str(), static_cast<unsigned long long>(out));
    }
    for (std::unique_ptr<buffer_thread_cache>& each : all_thread_caches) {
        if (each->is_lost()) static_cast<void>(each.release());
    }
    annotate_end(this);
}

void buffer_cache_state::give_back(buffer_block& block) noexcept {
    with_thread_cache(find_thread_cache(),
                      [&](buffer_thread_cache& cache) { cache.put_virtually(block); });
}

buffer_thread_cache* buffer_cache_state::find_thread_cache() noexcept {
    locks.enrol();
    if (auto* const found = buffer_thread_cache_table::find(number.value())) {
        return static_cast<buffer_thread_cache*>(found);
    }
    if (buffer_thread_cache_table::is_exiting()) return nullptr;
    try {
        buffer_thread_cache& mine = acquire_thread_cache();
        buffer_thread_cache_table::add(mine, number.value());
        return &mine;
    } catch (...) {
        return nullptr;
    }
}

buffer_thread_cache& buffer_cache_state::acquire_thread_cache() {
    const std::lock_guard lock(thread_caches_mutex);
    for (const std::unique_ptr<buffer_thread_cache>& each : all_thread_caches) {
        if (!each->try_acquire()) continue;
        each->activate();
        return *each;
    }
    all_thread_caches.push_back(nullptr);
    try {
        all_thread_caches.back() =
            parts.make_thread_cache(*this, policy_options, options.max_idle_per_thread,
                                    static_cast<std::uint32_t>(thread_caches));
    } catch (...) {
        all_thread_caches.pop_back();
        throw;
    }
    ++thread_caches;
    all_thread_caches.back()->activate();
    return *all_thread_caches.back();
}

void buffer_cache_state::release(buffer_thread_cache& closed) noexcept {
    const std::lock_guard lock(thread_caches_mutex);
    static_cast<buffer_thread_cache_entry&>(closed).release();
}

void buffer_cache_state::request_surplus(const buffer_thread_cache& requester) noexcept {
    const std::lock_guard lock(thread_caches_mutex);
    for_each_other(&requester,
                   [](buffer_thread_cache& each) { each.request_trim({.surplus = true}); });
}

bool buffer_cache_state::fork_locks::try_lock() noexcept {
    return std::try_lock(state_.fallback_mutex, state_.thread_caches_mutex,
                         state_.central.mutex()) == -1;
}

void buffer_cache_state::fork_locks::unlock() noexcept {
    state_.central.mutex().unlock();
    state_.thread_caches_mutex.unlock();
    state_.fallback_mutex.unlock();
}

void buffer_cache_state::fork_locks::around_fork(fork_step step) noexcept {
    if (auto* const mine = buffer_thread_cache_table::search(state_.number.value())) {
        static_cast<buffer_thread_cache*>(mine)->around_fork(step);
    }
    if (step != fork_step::in_child) return;
    for (const std::unique_ptr<buffer_thread_cache>& each : state_.all_thread_caches) {
        if (buffer_thread_cache_table::lose(*each)) state_.remove_thread_cache();
    }
}

buffer_cache_core::buffer_cache_core(buffer_cache_options options, const buffer_cache_parts& parts,
                                     const void* policy_options)
    : state_(std::make_unique<buffer_cache_state>(std::move(options), parts, policy_options)),
      fast_slot_(buffer_thread_cache_table::fast_slot(state_->number.value())),
      figures_(*state_) {}

buffer_cache_core::~buffer_cache_core() = default;

buffer_block& buffer_cache_core::get(std::size_t size, std::size_t alignment) {
    buffer_block* got = nullptr;
    state_->with_thread_cache(state_->find_thread_cache(), [&](buffer_thread_cache& cache) {
        got = &cache.get_virtually(size, alignment);
    });
    return *got;
}

void buffer_cache_core::give_back(buffer_block& block) noexcept {
    state_->give_back(block);
}

buffer_thread_cache& buffer_cache_core::open_session() {
    state_->locks.enrol();
    return state_->acquire_thread_cache();
}

void buffer_cache_core::trim(std::size_t idle_bytes) noexcept {
    buffer_thread_cache* const mine = state_->find_thread_cache();
    std::size_t left = idle_bytes;
    {
        const std::lock_guard lock(state_->thread_caches_mutex);
        std::size_t others = 0;
        state_->for_each_other(mine, [&](buffer_thread_cache&) { ++others; });
        const std::size_t share = idle_bytes / (others + 1);
        state_->for_each_other(mine, [&](buffer_thread_cache& each) {
            each.request_trim({.max_idle_bytes = share});
            left -= share;
        });
    }
    state_->with_thread_cache(mine, [&](buffer_thread_cache& cache) {
        cache.apply({.max_idle_bytes = left});
        dropped_buffers dropped;
        const std::size_t owed = state_->central.trim(left - std::min(left, cache.idle_bytes()),
                                                      cache.context(), dropped);
        cache.discard_and_release(dropped, owed);
    });
}

void buffer_cache_core::trim_older_than(std::chrono::nanoseconds age) noexcept {
    const auto min_age = static_cast<std::uint64_t>(std::max<std::int64_t>(age.count(), 0));
    buffer_thread_cache* const mine = state_->find_thread_cache();
    {
        const std::lock_guard lock(state_->thread_caches_mutex);
        state_->for_each_other(
            mine, [&](buffer_thread_cache& each) { each.request_trim({.min_age = min_age}); });
    }
    state_->with_thread_cache(mine, [&](buffer_thread_cache& cache) {
        cache.apply({.min_age = min_age});
        dropped_buffers dropped;
        const std::size_t owed = state_->central.trim_older(min_age, cache.context(), dropped);
        cache.discard_and_release(dropped, owed);
    });
}

buffer_cache_statistics buffer_cache_core::statistics() const {
    buffer_statistics_sum sum;
    const std::lock_guard lock(state_->thread_caches_mutex);
    sum.add(*state_->fallback->counters(), state_->fallback->bytes_from_upstream());
    for (const std::unique_ptr<buffer_thread_cache>& each : state_->all_thread_caches) {
        sum.add(*each->counters(), each->bytes_from_upstream());
    }
    return sum.total(options().name);
}

std::vector<size_bucket> buffer_cache_core::histogram() const {
    std::vector<size_bucket> buckets;
    for (const buffer_class_statistics& each : statistics().classes) {
        if (each.requests == 0) continue;
        buckets.push_back({each.smallest, each.largest, each.requests});
    }
    return buckets;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
