// SPDX-License-Identifier: BSL-1.0
// What it is: a cache that keeps freed buffers of any size for reuse. A policy decides which ones.
// The cache enforces its bounds on idle bytes for every policy, and reports hits, waste and idle
// bytes.
// When to use it: a program allocates and frees buffers of repeating sizes, and the allocator's
// cost shows. `freehold advise` finds out from a recording of the program.
// When not: for objects of one size (pool is faster), or for programs that allocate small nodes
// only (malloc is as fast).
// Example: `freehold::buffer_cache cache({.max_idle = 16 << 20}); auto packet = cache.get(1500);`
//
// If Policy::per_thread is true, each thread has a thread cache, with a policy object of its own. A
// buffer that another thread frees returns to the thread cache that handed it out. All threads
// share one central cache. It holds what exceeds a thread cache's bound, what exiting threads
// leave, and large buffers while several threads use the cache (buffer_cache_options::shared_from).
// If Policy::per_thread is false, the central cache serves all requests. New buffers come from the
// upstream. Buffers that are not kept return to the upstream, outside all locks.
//
// Units: bytes; the clock's nanoseconds. Each buffer has a header of 32 bytes. Each thread cache
// has one policy object and 53 KiB of counters. `Counted = false` removes the counters and
// statistics().
// Complexity: constant, plus the policy's. A get and put on one thread take no lock and no atomic
// operation on a hit: about 5 ns with greedy_dual_fit, where malloc and free take 7. A put on
// another thread takes two atomic operations: about 15 ns, and 40 together with the get that reuses
// the buffer. The central cache takes a lock: about 50 ns for a get and put, 220 if two threads do
// nothing else.
// Thread safety: all functions may be called by several threads at once, except the constructor and
// the destructor. A thread cache whose thread is idle cannot be trimmed by other threads: it trims
// itself at its thread's next slow path. After fork, the child may use and destroy the cache,
// whatever other threads were doing with it, except if sessions were open. The child cannot
// reclaim what the thread caches of other threads hold. A thread must not fork while it holds a
// lock that the upstream takes.
// Exceptions: the constructor throws what the policy's constructor throws, and std::bad_alloc. get
// and allocate throw what the upstream throws, and std::bad_alloc if the size exceeds PTRDIFF_MAX;
// they change nothing then. open_session, statistics and histogram may throw std::bad_alloc.
// Nothing else throws.
// Ownership: the cache owns all buffers. They must be returned before its destructor runs, which
// otherwise reports their bytes on standard error.
// Source: R. Chen, "A cache with a bad policy is another name for a memory leak" (The Old New
// Thing, 2 May 2006), for the failure to avoid. Leijen, Zorn, de Moura, "Mimalloc" (APLAS 2019),
// for the return to the owner.
#pragma once

#include <freehold/buffer/buffer.hpp>
#include <freehold/buffer/buffer_cache_statistics.hpp>
#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/detail/buffer_cache_state.hpp>
#include <freehold/buffer/detail/buffer_statistics_sum.hpp>
#include <freehold/buffer/detail/buffer_thread_cache.hpp>
#include <freehold/buffer/policies/greedy_dual_fit.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>
#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/process_number.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

template <buffer_policy Policy = greedy_dual_fit, class Clock = std::chrono::steady_clock,
          bool Counted = true>
class buffer_cache {
    using thread_cache = detail::buffer_thread_cache<Policy, Clock, Counted>;

public:
    // The policy, and the alignment of a buffer if the caller names none.
    using policy = Policy;
    static constexpr std::size_t default_alignment = alignof(std::max_align_t);

    // A thread cache that the caller holds, so that no lookup is needed and one thread can simulate
    // many. One thread at a time may use it. Destroy it before the cache. After a move, the source
    // may only be destroyed or assigned.
    class session {
    public:
        // Takes the other session's thread cache.
        session(session&& other) noexcept
            : thread_cache_(std::exchange(other.thread_cache_, nullptr)) {}
        session& operator=(session&& other) noexcept {
            session(std::move(other)).swap(*this);
            return *this;
        }
        ~session() {
            if (thread_cache_ == nullptr) return;
            thread_cache_->close();
        }
        // Exchanges the thread caches of two sessions.
        void swap(session& other) noexcept { std::swap(thread_cache_, other.thread_cache_); }

        // As the functions of buffer_cache.
        [[nodiscard, gnu::always_inline]] buffer get(std::size_t size,
                                                     std::size_t alignment = default_alignment) {
            return detail::buffer_access::own(thread_cache_->get(size, alignment));
        }
        [[gnu::always_inline]] void put(buffer&& from) noexcept {
            if (buffer_block* const block = detail::buffer_access::release(from)) {
                thread_cache_->put(*block);
            }
        }
        [[nodiscard, gnu::always_inline]] void* allocate(
            std::size_t size, std::size_t alignment = default_alignment) {
            return thread_cache_->get(size, alignment).data();
        }
        [[gnu::always_inline]] void deallocate(void* data) noexcept {
            thread_cache_->put(buffer_block::of(data));
        }

    private:
        friend buffer_cache;
        explicit session(thread_cache& opened) noexcept : thread_cache_(&opened) {}

        thread_cache* thread_cache_;
    };

    // Throws what the policy's constructor throws, and std::bad_alloc.
    explicit buffer_cache(buffer_cache_options options = {},
                          typename Policy::options policy_settings = {})
        : policy_options_(std::move(policy_settings)),
          state_(std::move(options), policy_options_),
          uncached_owner_(*this),
          central_owner_(*this),
          fallback_(*this, state_, policy_options_, 0, 0) {
        fast_slot_ = detail::buffer_thread_cache_table::fast_slot(number_.value());
        detail::annotate_pool(&state_);
    }
    buffer_cache(const buffer_cache&) = delete;
    buffer_cache& operator=(const buffer_cache&) = delete;

    // Returns all memory to the upstream. Reports buffers that are still in use on standard error.
    ~buffer_cache() {
        {
            const std::lock_guard lock(detail::cache_registry::mutex());
            fork_locks_.leave();
        }
        for (const std::unique_ptr<thread_cache>& each : thread_caches_) {
            if (each->is_lost()) continue;
            detail::buffer_thread_cache_table::remove(*each);
            each->clear();
        }
        dropped_buffers dropped;
        const std::size_t owed = state_.central.trim(0, fallback_.context(), dropped);
        fallback_.discard_and_release(dropped, owed);
        report_buffers_in_use();
        for (std::unique_ptr<thread_cache>& each : thread_caches_) {
            if (each->is_lost()) static_cast<void>(each.release());
        }
        detail::annotate_end(&state_);
    }

    // Returns a buffer of at least `size` bytes. The bytes keep what their last user wrote.
    // `alignment` is a power of two.
    [[nodiscard, gnu::always_inline]] buffer get(std::size_t size,
                                                 std::size_t alignment = default_alignment) {
        return detail::buffer_access::own(get_block(size, alignment));
    }
    // Returns a buffer to the cache, as its destructor does but without the virtual call. The
    // buffer must come from this cache.
    [[gnu::always_inline]] void put(buffer&& from) noexcept {
        if (buffer_block* const block = detail::buffer_access::release(from)) {
            give_back(*block);
        }
    }

    // As get and put, without a handle. `data` must come from allocate of this cache and must not
    // be null.
    [[nodiscard, gnu::always_inline]] void* allocate(std::size_t size,
                                                     std::size_t alignment = default_alignment) {
        return get_block(size, alignment).data();
    }
    [[gnu::always_inline]] void deallocate(void* data) noexcept {
        give_back(buffer_block::of(data));
    }

    // Throws std::bad_alloc.
    [[nodiscard]] session open_session() {
        fork_locks_.enrol();
        return session(acquire_thread_cache());
    }

    // Returns idle buffers to the upstream until at most `idle_bytes` remain. The calling thread's
    // cache and the central cache are trimmed at once. The other thread caches are trimmed at their
    // thread's next slow path.
    void trim(std::size_t idle_bytes = 0) noexcept {
        thread_cache* const mine = find_thread_cache();
        std::size_t left = idle_bytes;
        {
            const std::lock_guard lock(thread_caches_mutex_);
            std::size_t others = 0;
            for_each_other(mine, [&](thread_cache&) { ++others; });
            const std::size_t share = idle_bytes / (others + 1);
            for_each_other(mine, [&](thread_cache& each) {
                each.request_trim({.max_idle_bytes = share});
                left -= share;
            });
        }
        with_thread_cache(mine, [&](thread_cache& cache) {
            cache.apply({.max_idle_bytes = left});
            dropped_buffers dropped;
            const std::size_t owed = state_.central.trim(left - std::min(left, cache.idle_bytes()),
                                                         cache.context(), dropped);
            cache.discard_and_release(dropped, owed);
        });
    }
    // Returns the buffers to the upstream that have been idle for at least `age`, at most half a
    // second late. The same caches are trimmed at the same times as by trim. A thread reads the
    // clock every few dozen operations. greedy_dual_fit knows ages of up to four hours.
    void trim_older_than(std::chrono::nanoseconds age) noexcept {
        const auto min_age = static_cast<std::uint64_t>(std::max<std::int64_t>(age.count(), 0));
        thread_cache* const mine = find_thread_cache();
        {
            const std::lock_guard lock(thread_caches_mutex_);
            for_each_other(mine,
                           [&](thread_cache& each) { each.request_trim({.min_age = min_age}); });
        }
        with_thread_cache(mine, [&](thread_cache& cache) {
            cache.apply({.min_age = min_age});
            dropped_buffers dropped;
            const std::size_t owed = state_.central.trim_older(min_age, cache.context(), dropped);
            cache.discard_and_release(dropped, owed);
        });
    }

    // Both may throw std::bad_alloc.
    [[nodiscard]] buffer_cache_statistics statistics() const
        requires Counted
    {
        detail::buffer_statistics_sum sum;
        const std::lock_guard lock(thread_caches_mutex_);
        sum.add(fallback_.counters(), fallback_.upstream());
        for (const std::unique_ptr<thread_cache>& each : thread_caches_) {
            sum.add(each->counters(), each->upstream());
        }
        return sum.total(state_.options.name);
    }
    // How often each class of sizes was requested. Classes without a request are left out.
    [[nodiscard]] std::vector<size_bucket> histogram() const
        requires Counted
    {
        std::vector<size_bucket> buckets;
        for (const buffer_class_statistics& each : statistics().classes) {
            if (each.requests == 0) continue;
            buckets.push_back({each.smallest, each.largest, each.requests});
        }
        return buckets;
    }

    // The options that the constructor got.
    [[nodiscard]] const buffer_cache_options& options() const noexcept { return state_.options; }

private:
    friend thread_cache;

    class fork_locks final : public detail::fork_participant {
    public:
        explicit fork_locks(buffer_cache& cache) noexcept
            : fork_participant(std::in_place_type<fork_locks>), cache_(cache) {}

    private:
        friend class detail::fork_participant;

        [[nodiscard]] bool try_lock() noexcept {
            return std::try_lock(cache_.fallback_mutex_, cache_.thread_caches_mutex_,
                                 cache_.state_.central.mutex()) == -1;
        }
        [[FREEHOLD_LOCKS_ACROSS_CALLS]] void unlock() noexcept {
            cache_.state_.central.mutex().unlock();
            cache_.thread_caches_mutex_.unlock();
            cache_.fallback_mutex_.unlock();
        }
        void around_fork(detail::fork_step step) noexcept {
            if (auto* const mine = static_cast<thread_cache*>(
                    detail::buffer_thread_cache_table::search(cache_.number_.value()))) {
                mine->around_fork(step);
            }
            if (step != detail::fork_step::in_child) return;
            for (const std::unique_ptr<thread_cache>& each : cache_.thread_caches_) {
                if (detail::buffer_thread_cache_table::lose(*each))
                    cache_.state_.remove_thread_cache();
            }
        }

        buffer_cache& cache_;
    };
    // Makes a session's cache free, with the lock, because a child must find it whole.
    void release(thread_cache& closed) noexcept {
        const std::lock_guard lock(thread_caches_mutex_);
        closed.release();
    }

    // The owner of buffers that belong to no thread cache.
    class shared_owner final : public detail::buffer_owner {
    public:
        explicit shared_owner(buffer_cache& cache) noexcept : cache_(cache) {}
        void give_back(buffer_block& block) noexcept override { cache_.give_back(block); }

    private:
        buffer_cache& cache_;
    };

    [[nodiscard, gnu::always_inline]] thread_cache* fast_thread_cache() const noexcept {
        return static_cast<thread_cache*>(detail::buffer_thread_cache_table::fast(fast_slot_));
    }
    [[nodiscard, gnu::always_inline]] buffer_block& get_block(std::size_t size,
                                                              std::size_t alignment) {
        thread_cache* const mine = fast_thread_cache();
        if (mine == nullptr) [[unlikely]]
            return get_slowly(size, alignment);
        return mine->get(size, alignment);
    }
    [[gnu::always_inline]] void give_back(buffer_block& block) noexcept {
        thread_cache* const mine = fast_thread_cache();
        if (mine == nullptr) [[unlikely]]
            return give_back_slowly(block);
        mine->put(block);
    }
    [[nodiscard, gnu::noinline]] buffer_block& get_slowly(std::size_t size, std::size_t alignment) {
        buffer_block* got = nullptr;
        with_thread_cache(find_thread_cache(),
                          [&](thread_cache& cache) { got = &cache.get(size, alignment); });
        return *got;
    }
    [[gnu::noinline]] void give_back_slowly(buffer_block& block) noexcept {
        with_thread_cache(find_thread_cache(), [&](thread_cache& cache) { cache.put(block); });
    }

    // Runs the action on the calling thread's cache. If the thread has none, runs it on the
    // fallback cache, under a mutex.
    template <class Action>
    void with_thread_cache(thread_cache* mine, Action action) {
        if (mine != nullptr) return action(*mine);
        const std::lock_guard lock(fallback_mutex_);
        action(fallback_);
    }

    // Returns the calling thread's cache, and creates it if necessary. Returns nullptr if the
    // thread is exiting or memory is exhausted.
    [[nodiscard]] thread_cache* find_thread_cache() noexcept {
        fork_locks_.enrol();
        if (auto* const found = detail::buffer_thread_cache_table::find(number_.value())) {
            return static_cast<thread_cache*>(found);
        }
        if (detail::buffer_thread_cache_table::is_exiting()) return nullptr;
        try {
            thread_cache& mine = acquire_thread_cache();
            detail::buffer_thread_cache_table::add(mine, number_.value());
            return &mine;
        } catch (...) {
            return nullptr;
        }
    }
    [[nodiscard]] thread_cache& acquire_thread_cache() {
        const std::lock_guard lock(thread_caches_mutex_);
        for (const std::unique_ptr<thread_cache>& each : thread_caches_) {
            if (!each->try_acquire()) continue;
            each->activate();
            return *each;
        }
        thread_caches_.push_back(nullptr);
        try {
            thread_caches_.back() = std::make_unique<thread_cache>(
                *this, state_, policy_options_, state_.options.max_idle_per_thread,
                static_cast<std::uint32_t>(thread_caches_.size() - 1));
        } catch (...) {
            thread_caches_.pop_back();
            throw;
        }
        thread_caches_.back()->activate();
        return *thread_caches_.back();
    }

    // Requires thread_caches_mutex_.
    template <class Action>
    void for_each_other(const thread_cache* mine, Action action) {
        for (const std::unique_ptr<thread_cache>& each : thread_caches_) {
            if (each.get() != mine && !each->is_free() && !each->is_lost()) action(*each);
        }
    }
    void request_surplus(const thread_cache& requester) noexcept {
        const std::lock_guard lock(thread_caches_mutex_);
        for_each_other(&requester,
                       [](thread_cache& each) { each.request_trim({.surplus = true}); });
    }

    // The owner of buffers that bypass the cache.
    [[nodiscard]] detail::buffer_owner& uncached_owner() noexcept { return uncached_owner_; }
    // The owner of buffers that the central cache handed out because they are large.
    [[nodiscard]] detail::buffer_owner& central_owner() noexcept { return central_owner_; }

    void report_buffers_in_use() const noexcept {
        std::uint64_t out =
            fallback_.upstream().bytes_taken.get() - fallback_.upstream().bytes_given.get();
        for (const std::unique_ptr<thread_cache>& each : thread_caches_) {
            out += each->upstream().bytes_taken.get() - each->upstream().bytes_given.get();
        }
        if (out == 0) return;
        std::fprintf(stderr,
                     "freehold: buffer cache '%s' is destroyed while %llu bytes of its buffers are "
                     "in use; return them before\n",
                     state_.options.name.c_str(), static_cast<unsigned long long>(out));
    }

    std::size_t fast_slot_ = 0;
    const detail::process_number number_;
    const typename Policy::options policy_options_;
    detail::buffer_cache_state<Policy> state_;
    shared_owner uncached_owner_;
    shared_owner central_owner_;
    mutable std::mutex thread_caches_mutex_;
    std::vector<std::unique_ptr<thread_cache>> thread_caches_;
    std::mutex fallback_mutex_;
    thread_cache fallback_;
    fork_locks fork_locks_{*this};
};

}  // namespace freehold::inline FREEHOLD_ABI
