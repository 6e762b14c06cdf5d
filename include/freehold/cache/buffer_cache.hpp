// SPDX-License-Identifier: BSL-1.0
// Buffers of any size that are kept for reuse, as its policy decides, within bounds that no policy
// can break: it cannot be poisoned by a few large ones, and says what it does.
//
// With a policy that is per_thread, each thread gets from and puts to a part of its own; a buffer
// that another thread lets go of comes back to the thread that had asked for it, for that is the
// one that will ask again. What the bound of one thread's idle bytes makes it let go of, and what a
// thread leaves behind when it exits, goes to a part for all; so do large buffers while several
// threads use the cache (buffer_cache_options::shared_from). With other policies that is all there
// is. New buffers come from the upstream, and what is not kept goes back to it, outside all locks.
//
// Costs 32 bytes before each buffer's own; for each thread its policy, and 53 KiB for the counters.
// A get with its put takes no atomic operation and no lock if the thread has what it asks for and
// lets go of its own; some 5 ns with greedy_dual_fit, one of them for the counters, where malloc
// and free take 7. A put on another thread takes two atomic operations, some 15 ns; with the get
// that finds it again 40, end to end between two processors. The part for all takes a lock for
// each: some 50 ns for a get and a put, 220 where two threads do nothing else. Counted = false
// leaves out all counters, and statistics() with them.
//
// Thread-safe, but for construction and destruction. Threads may come and go. All buffers must have
// been let go of before the cache is destroyed; it says so on standard error if not. The part of a
// thread that does nothing is out of reach of the others: trim asks it to let go when it next comes
// by. fork: a child may go on if no other thread was in a slow path at that moment; what other
// threads had is lost to it, and it must not destroy the cache if there was such a thread.
//
// Exceptions: the constructor throws what the policy's does; get and allocate throw what the
// upstream throws, and nothing has changed then; open_session, statistics and histogram may throw
// std::bad_alloc; all else throws nothing.
// Source: R. Chen, "A cache with a bad policy is another name for a memory leak" (The Old New
// Thing, 2 May 2006), for what it is to avoid; the way back to the owner is that of mimalloc
// (Leijen, Zorn, de Moura, APLAS 2019).
#pragma once

#include <freehold/cache/buffer.hpp>
#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffers/buffer_cache_statistics.hpp>
#include <freehold/cache/buffers/buffer_core.hpp>
#include <freehold/cache/buffers/buffer_front.hpp>
#include <freehold/cache/policies/greedy_dual_fit.hpp>
#include <freehold/memory/pool/annotations.hpp>
#include <freehold/memory/pool/process_number.hpp>

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
    using front = detail::buffer_front<Policy, Clock, Counted>;

public:
    using policy = Policy;
    static constexpr std::size_t default_alignment = alignof(std::max_align_t);

    // A thread's part that is held by who opened it, not found by the thread: no look-up, and one
    // thread can play many. For one thread at a time; closed before the cache is destroyed.
    class session {
    public:
        session(session&& other) noexcept : front_(std::exchange(other.front_, nullptr)) {}
        session& operator=(session&& other) noexcept {
            session(std::move(other)).swap(*this);
            return *this;
        }
        ~session() {
            if (front_ == nullptr) return;
            front_->leave();
            front_->vacate();
        }
        void swap(session& other) noexcept { std::swap(front_, other.front_); }

        // As the cache's own.
        [[nodiscard, gnu::always_inline]] buffer get(std::size_t size,
                                                     std::size_t alignment = default_alignment) {
            return detail::buffer_access::own(front_->get(size, alignment));
        }
        [[gnu::always_inline]] void put(buffer&& from) noexcept {
            if (detail::buffer_block* const block = detail::buffer_access::release(from)) {
                front_->put(*block);
            }
        }
        [[nodiscard, gnu::always_inline]] void* allocate(
            std::size_t size, std::size_t alignment = default_alignment) {
            return front_->get(size, alignment).data();
        }
        [[gnu::always_inline]] void deallocate(void* data) noexcept {
            front_->put(detail::buffer_block::of(data));
        }

    private:
        friend buffer_cache;
        explicit session(front& opened) noexcept : front_(&opened) {}

        front* front_;
    };

    explicit buffer_cache(buffer_cache_options options = {},
                          typename Policy::options of_policy = {})
        : policy_options_(std::move(of_policy)),
          core_(std::move(options), policy_options_),
          outside_(*this),
          common_(*this),
          guest_(*this, core_, policy_options_, 0, 0) {
        fast_slot_ = detail::parts_of_this_thread::fast_slot(number_.value());
        detail::annotate_pool(&core_);
    }
    buffer_cache(const buffer_cache&) = delete;
    buffer_cache& operator=(const buffer_cache&) = delete;

    ~buffer_cache() {
        for (const std::unique_ptr<front>& each : fronts_) {
            detail::parts_of_this_thread::remove(*each);
            each->clear();
        }
        detail::dropped_buffers dropped;
        const std::size_t owed = core_.shared.trim(0, guest_.occasion(), dropped);
        guest_.discard_and_release(dropped, owed);
        report_what_is_out();
        detail::annotate_end(&core_);
    }

    // Its bytes are as their last user left them. `alignment` is a power of two.
    [[nodiscard, gnu::always_inline]] buffer get(std::size_t size,
                                                 std::size_t alignment = default_alignment) {
        return detail::buffer_access::own(get_block(size, alignment));
    }
    // The same as letting go of it, without the indirect call. It is one of this cache.
    [[gnu::always_inline]] void put(buffer&& from) noexcept {
        if (detail::buffer_block* const block = detail::buffer_access::release(from)) {
            give_back(*block);
        }
    }

    // The bytes of a buffer without its handle.
    [[nodiscard, gnu::always_inline]] void* allocate(std::size_t size,
                                                     std::size_t alignment = default_alignment) {
        return get_block(size, alignment).data();
    }
    [[gnu::always_inline]] void deallocate(void* data) noexcept {
        give_back(detail::buffer_block::of(data));
    }

    // Throws std::bad_alloc.
    [[nodiscard]] session open_session() { return session(occupy_front()); }

    // Gives idle buffers to the upstream until there are so many bytes at most: this thread's and
    // the shared ones now, those of the other threads when they next come to a slow path.
    void trim(std::size_t idle_bytes = 0) noexcept {
        front* const mine = find_front();
        std::size_t left = idle_bytes;
        {
            const std::lock_guard lock(fronts_mutex_);
            std::size_t others = 0;
            for_each_other(mine, [&](front&) { ++others; });
            const std::size_t share = idle_bytes / (others + 1);
            for_each_other(mine, [&](front& each) {
                each.order({.most_idle = share});
                left -= share;
            });
        }
        with_front(mine, [&](front& by) {
            by.obey({.most_idle = left});
            detail::dropped_buffers dropped;
            const std::size_t owed =
                core_.shared.trim(left - std::min(left, by.idle_bytes()), by.occasion(), dropped);
            by.discard_and_release(dropped, owed);
        });
    }
    // The same with those that came back so long ago, or longer: half a second later at most, where
    // a thread has looked at the time since, which it does every few dozen operations.
    // greedy_dual_fit tells ages up to four hours.
    void trim_older_than(std::chrono::nanoseconds age) noexcept {
        const auto oldest = static_cast<std::uint64_t>(std::max<std::int64_t>(age.count(), 0));
        front* const mine = find_front();
        {
            const std::lock_guard lock(fronts_mutex_);
            for_each_other(mine, [&](front& each) { each.order({.oldest = oldest}); });
        }
        with_front(mine, [&](front& by) {
            by.obey({.oldest = oldest});
            detail::dropped_buffers dropped;
            const std::size_t owed = core_.shared.trim_older(oldest, by.occasion(), dropped);
            by.discard_and_release(dropped, owed);
        });
    }

    // Throw std::bad_alloc.
    [[nodiscard]] buffer_cache_statistics statistics() const
        requires Counted
    {
        detail::buffer_statistics_sum sum;
        const std::lock_guard lock(fronts_mutex_);
        sum.add(guest_.counters(), guest_.upstream());
        for (const std::unique_ptr<front>& each : fronts_) {
            sum.add(each->counters(), each->upstream());
        }
        return sum.total(core_.options.name);
    }
    // Of the sizes that were asked for, where there were any.
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

    [[nodiscard]] const buffer_cache_options& options() const noexcept { return core_.options; }

private:
    friend front;

    // What owns buffers that no thread's part does.
    class nobodys_part final : public detail::buffer_part {
    public:
        explicit nobodys_part(buffer_cache& cache) noexcept : cache_(cache) {}
        void give_back(detail::buffer_block& block) noexcept override { cache_.give_back(block); }

    private:
        buffer_cache& cache_;
    };

    [[nodiscard, gnu::always_inline]] front* fast_front() const noexcept {
        return static_cast<front*>(detail::parts_of_this_thread::fast(fast_slot_));
    }
    [[nodiscard, gnu::always_inline]] detail::buffer_block& get_block(std::size_t size,
                                                                      std::size_t alignment) {
        front* const mine = fast_front();
        if (mine == nullptr) [[unlikely]]
            return get_slowly(size, alignment);
        return mine->get(size, alignment);
    }
    [[gnu::always_inline]] void give_back(detail::buffer_block& block) noexcept {
        front* const mine = fast_front();
        if (mine == nullptr) [[unlikely]]
            return give_back_slowly(block);
        mine->put(block);
    }
    [[nodiscard, gnu::noinline]] detail::buffer_block& get_slowly(std::size_t size,
                                                                  std::size_t alignment) {
        detail::buffer_block* got = nullptr;
        with_front(find_front(), [&](front& by) { got = &by.get(size, alignment); });
        return *got;
    }
    [[gnu::noinline]] void give_back_slowly(detail::buffer_block& block) noexcept {
        with_front(find_front(), [&](front& by) { by.put(block); });
    }

    // The thread's, or in want of one that of all such threads, one at a time.
    template <class Action>
    void with_front(front* mine, Action action) {
        if (mine != nullptr) return action(*mine);
        const std::lock_guard lock(guest_mutex_);
        action(guest_);
    }

    // The thread's, made if need be; nullptr if it is exiting or there is no memory for it.
    [[nodiscard]] front* find_front() noexcept {
        if (auto* const found = detail::parts_of_this_thread::find(number_.value())) {
            return static_cast<front*>(found);
        }
        if (detail::parts_of_this_thread::is_exiting()) return nullptr;
        try {
            front& mine = occupy_front();
            detail::parts_of_this_thread::add(mine, number_.value());
            return &mine;
        } catch (...) {
            return nullptr;
        }
    }
    [[nodiscard]] front& occupy_front() {
        const std::lock_guard lock(fronts_mutex_);
        for (const std::unique_ptr<front>& each : fronts_) {
            if (!each->occupy()) continue;
            each->enter();
            return *each;
        }
        fronts_.push_back(nullptr);
        try {
            fronts_.back() = std::make_unique<front>(
                *this, core_, policy_options_, core_.options.max_idle_per_thread,
                static_cast<std::uint32_t>(fronts_.size() - 1));
        } catch (...) {
            fronts_.pop_back();
            throw;
        }
        fronts_.back()->enter();
        return *fronts_.back();
    }

    // The mutex is held.
    template <class Action>
    void for_each_other(const front* mine, Action action) {
        for (const std::unique_ptr<front>& each : fronts_) {
            if (each.get() != mine && !each->is_vacant()) action(*each);
        }
    }
    void ask_for_surplus(const front& by) noexcept {
        const std::lock_guard lock(fronts_mutex_);
        for_each_other(&by, [](front& each) { each.order({.surplus = true}); });
    }

    // Owns what bypasses the cache.
    [[nodiscard]] detail::buffer_part& outside() noexcept { return outside_; }
    // Owns what the part for all has lent, and takes back, for its size.
    [[nodiscard]] detail::buffer_part& common() noexcept { return common_; }

    void report_what_is_out() const noexcept {
        std::uint64_t out =
            guest_.upstream().bytes_taken.get() - guest_.upstream().bytes_given.get();
        for (const std::unique_ptr<front>& each : fronts_) {
            out += each->upstream().bytes_taken.get() - each->upstream().bytes_given.get();
        }
        if (out == 0) return;
        std::fprintf(stderr,
                     "freehold: buffer cache '%s' is destroyed while %llu bytes of its buffers are "
                     "in use: let go of them before\n",
                     core_.options.name.c_str(), static_cast<unsigned long long>(out));
    }

    std::size_t fast_slot_ = 0;
    const detail::process_number number_;
    const typename Policy::options policy_options_;
    detail::buffer_core<Policy> core_;
    nobodys_part outside_;
    nobodys_part common_;
    mutable std::mutex fronts_mutex_;
    std::vector<std::unique_ptr<front>> fronts_;
    std::mutex guest_mutex_;
    front guest_;
};

}  // namespace freehold::inline FREEHOLD_ABI
