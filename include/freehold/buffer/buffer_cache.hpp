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
// the buffer. The central cache takes a lock: about 40 ns for a get and put, and up to 200 if two
// threads do nothing else.
// Thread safety: all functions may be called by several threads at once, except the constructor and
// the destructor. Other threads cannot trim a thread cache: it trims itself when its thread next
// puts a buffer, or gets one that it does not have. After fork, the child may use and destroy the
// cache, whatever other threads were doing with it. If a session was open, it must do neither. The
// child cannot reclaim what the thread caches of other threads hold. A thread must not fork while
// it holds a lock that the upstream takes. Exceptions: the constructor throws what the policy's
// constructor throws, and std::bad_alloc. get and allocate throw what the upstream throws, and
// std::bad_alloc if the size exceeds PTRDIFF_MAX; they change nothing then. open_session,
// statistics and histogram may throw std::bad_alloc. Nothing else throws. Ownership: the cache owns
// all buffers. They must be returned before its destructor runs, which otherwise reports their
// bytes on standard error. Source: R. Chen, "A cache with a bad policy is another name for a memory
// leak" (The Old New Thing, 2 May 2006), for the failure to avoid. Leijen, Zorn, de Moura,
// "Mimalloc" (APLAS 2019), for the return to the owner.
#pragma once

#include <freehold/buffer/buffer.hpp>
#include <freehold/buffer/buffer_cache_options.hpp>
#include <freehold/buffer/buffer_cache_statistics.hpp>
#include <freehold/buffer/buffer_policy.hpp>
#include <freehold/buffer/detail/buffer_cache_core.hpp>
#include <freehold/buffer/detail/buffer_thread_cache.hpp>
#include <freehold/buffer/policies/greedy_dual_fit.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/durations.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI {

// Idle times are measured by `Clock`, which tests replace by one of their own.
template <buffer_policy Policy = greedy_dual_fit, class Clock = std::chrono::steady_clock,
          bool Counted = true>
class buffer_cache {
    using thread_cache = detail::buffer_thread_cache_of<Policy, Counted>;

public:
    // The policy, and the alignment of a buffer if the caller names none.
    using policy = Policy;
    static constexpr std::size_t default_alignment = alignof(std::max_align_t);

    // A thread cache that the caller holds, so that no lookup is needed. One thread at a time may
    // use it. Destroy it before the cache. After a move, the source may only be destroyed or
    // assigned.
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
          core_(std::move(options), {Policy::per_thread, &now, &make_policy, &make_thread_cache},
                &policy_options_) {}
    buffer_cache(const buffer_cache&) = delete;
    buffer_cache& operator=(const buffer_cache&) = delete;
    // Returns all memory to the upstream. Reports buffers that are still in use on standard error.
    ~buffer_cache() = default;

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
        return session(static_cast<thread_cache&>(core_.open_session()));
    }

    // Returns idle buffers to the upstream until at most `idle_bytes` remain. The calling thread's
    // cache and the central cache are trimmed at once. Other threads trim theirs later, as the head
    // of this file says; an idle thread does not.
    void trim(std::size_t idle_bytes = 0) noexcept { core_.trim(idle_bytes); }
    // Returns the buffers to the upstream that have been idle for at least `age`, or half a second
    // longer. The caches are trimmed when trim would trim them. A thread reads the clock every few
    // dozen operations. greedy_dual_fit knows ages of up to four hours.
    void trim_older_than(std::chrono::nanoseconds age) noexcept { core_.trim_older_than(age); }

    // Both may throw std::bad_alloc.
    [[nodiscard]] buffer_cache_statistics statistics() const
        requires Counted
    {
        return core_.statistics();
    }
    // How often each class of sizes was requested. Classes without a request are left out.
    [[nodiscard]] std::vector<size_bucket> histogram() const
        requires Counted
    {
        return core_.histogram();
    }

    // The options that the constructor got.
    [[nodiscard]] const buffer_cache_options& options() const noexcept { return core_.options(); }

private:
    // The parts of the core that have the type of the policy or of the clock.
    [[nodiscard]] static std::uint64_t now() noexcept {
        const std::chrono::nanoseconds since = Clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(since.count());
    }
    [[nodiscard]] static const typename Policy::options& options_at(const void* place) noexcept {
        return *static_cast<const typename Policy::options*>(place);
    }
    [[nodiscard]] static std::unique_ptr<detail::idle_policy> make_policy(const void* options) {
        return std::make_unique<detail::idle_policy_of<Policy>>(options_at(options));
    }
    [[nodiscard]] static std::unique_ptr<detail::buffer_thread_cache> make_thread_cache(
        detail::buffer_cache_state& state, const void* options, std::size_t max_idle_bytes,
        std::uint32_t thread) {
        return std::make_unique<thread_cache>(state, options_at(options), max_idle_bytes, thread);
    }

    [[nodiscard, gnu::always_inline]] buffer_block& get_block(std::size_t size,
                                                              std::size_t alignment) {
        auto* const mine = static_cast<thread_cache*>(core_.fast_thread_cache());
        if (mine == nullptr) [[unlikely]]
            return core_.get(size, alignment);
        return mine->get(size, alignment);
    }
    [[gnu::always_inline]] void give_back(buffer_block& block) noexcept {
        auto* const mine = static_cast<thread_cache*>(core_.fast_thread_cache());
        if (mine == nullptr) [[unlikely]]
            return core_.give_back(block);
        mine->put(block);
    }

    const typename Policy::options policy_options_;
    detail::buffer_cache_core core_;
};

}  // namespace freehold::inline FREEHOLD_ABI
