// SPDX-License-Identifier: BSL-1.0
// The cache of one thread: a policy object if the policy is per_thread, the counters, and the stack
// to which other threads return the buffers that this cache handed out.
//
// Only the thread that has acquired it may use it, except that any thread may call give_back,
// push_returned and request_trim.
//
// Invariants: the policy's idle bytes never exceed limit_. The bytes on the return stack never
// exceed the room made for them. Both are reserved beforehand, from the thread's quota and from the
// cache's. A returned block counts as in use until the policy has decided about it.
//
// | owner of a returned block | what put does |
// |---|---|
// | this thread cache | keeps it, if fast_limit_ allows; else see keep_slowly |
// | another thread cache | pushes it to that cache's return stack; if closed or full, as below |
// | the central owner | gives it to the central cache |
// | the uncached owner | returns it to the upstream |
#pragma once

#include <freehold/buffer/detail/buffer_cache_state.hpp>
#include <freehold/buffer/detail/buffer_counters.hpp>
#include <freehold/buffer/detail/buffer_thread_cache_table.hpp>
#include <freehold/buffer/detail/returned_buffers.hpp>
#include <freehold/buffer/detail/trim_requests.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/relaxed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <buffer_policy Policy, class Clock, bool Counted>
class buffer_cache;

namespace detail {

template <buffer_policy Policy, class Clock, bool Counted>
class buffer_thread_cache final : public buffer_thread_cache_base {
    using cache_type = buffer_cache<Policy, Clock, Counted>;

public:
    using trim_request = trim_requests::request;

    buffer_thread_cache(cache_type& cache, buffer_cache_state<Policy>& state,
                        const typename Policy::options& options, std::size_t max_idle_bytes,
                        std::uint32_t thread)
        : thread_(thread),
          policy_(options),
          cache_(cache),
          state_(state),
          quota_(state.quota, state.step, max_idle_bytes) {}

    [[nodiscard, gnu::always_inline]] buffer_block& get(std::size_t size, std::size_t alignment) {
        // After this subtraction a size of 0 exceeds every cutoff.
        if (size - 1 >= cutoff_) [[unlikely]]
            return get_empty_or_large(size, alignment);
        if (--operations_until_tick_ == 0) [[unlikely]]
            tick();
        if constexpr (Policy::per_thread) {
            buffer_block* const block = policy_.take({size, alignment}, context());
            if (block != nullptr) [[likely]] {
                if (!counters_.record_hit(*block, size)) [[unlikely]]
                    return hand_out_slowly(*block, size);
                return hand_out(*block, size, *this);
            }
        }
        return get_slowly(size, alignment);
    }

    [[gnu::always_inline]] void put(buffer_block& block) noexcept {
        if constexpr (Policy::per_thread) {
            if (block.owner != this) [[unlikely]]
                return put_foreign(block);
            if (!counters_.record_return(block)) [[unlikely]]
                return put_slowly(block);
            annotate_freed(&state_, block.data(), block.capacity);
            if (policy_.idle_bytes() + block.capacity > fast_limit_.get()) [[unlikely]]
                return keep_slowly(block);
            keep(block);
        } else {
            put_foreign(block);
        }
    }

    // Any thread may call this function and the next.
    void give_back(buffer_block& block) noexcept override { cache_.give_back(block); }
    void request_trim(const trim_request& more) noexcept {
        trim_requests_.add(more);
        __atomic_store_n(&fast_limit_.value, 0, __ATOMIC_SEQ_CST);  // seq_cst: see trim_requests
    }

    // For the thread of this cache, if it forks.
    void around_fork(fork_step step) noexcept {
        if (step == fork_step::before) {
            aside_ = returned_.take_all_if_open();
        } else {
            returned_.put_back(std::exchange(aside_, nullptr), step == fork_step::in_child);
        }
    }

    // To be called first by the thread that has acquired this cache.
    void activate() noexcept {
        if constexpr (Policy::per_thread) {
            returned_.open();
            state_.add_thread_cache();
        }
        refresh();
    }
    void deactivate() noexcept override {
        if constexpr (Policy::per_thread) {
            refresh();
            keep_returned(returned_.take_all_and_close());
            const std::size_t idle = idle_bytes();
            dropped_buffers left;
            policy_.trim(0, context(), left);
            dropped_buffers dropped;
            const std::size_t owed = state_.central.adopt(left, idle, context(), dropped);
            quota_.move_to_central(idle);
            limit_ -= idle;
            discard_and_release(dropped, owed);
            release_surplus();
            state_.remove_thread_cache();
        }
    }
    // For a session that ends.
    void close() noexcept {
        deactivate();
        cache_.release(*this);
    }
    // Gives everything to the upstream, for the destructor of the buffer_cache.
    void clear() noexcept {
        if constexpr (Policy::per_thread) keep_returned(returned_.take_all_and_close());
        apply({.max_idle_bytes = 0});
    }

    // Drops what the request asks for, and releases every reservation that is not in use.
    void apply(const trim_request& what) noexcept {
        refresh();
        if constexpr (Policy::per_thread) {
            keep_returned(returned_.take_all());
            dropped_buffers dropped;
            if (what.min_age != trim_request().min_age) {
                policy_.trim_older(what.min_age, context(), dropped);
            }
            if (idle_bytes() > what.max_idle_bytes)
                policy_.trim(what.max_idle_bytes, context(), dropped);
            discard(dropped, nullptr);
            release_surplus();
        }
    }

    // Returns the blocks to the upstream. `returned` counts as dropped, the others as evicted.
    void discard(dropped_buffers& dropped, const buffer_block* returned) noexcept {
        while (buffer_block* const block = dropped.pop()) {
            block == returned ? counters_.record_drop(*block) : counters_.record_eviction(*block);
            give_to_upstream(*block);
        }
    }
    // The same for blocks that the central cache dropped. Then releases `owed` bytes of the quota.
    void discard_and_release(dropped_buffers& dropped, std::size_t owed,
                             const buffer_block* returned = nullptr) noexcept {
        discard(dropped, returned);
        if (owed > 0) state_.quota.release(owed);
    }

    [[nodiscard]] buffer_context context() const noexcept { return {thread_, now_}; }
    [[nodiscard]] std::size_t idle_bytes() const noexcept {
        if constexpr (Policy::per_thread) {
            return policy_.idle_bytes();
        } else {
            return 0;
        }
    }
    [[nodiscard]] const auto& counters() const noexcept { return counters_; }
    [[nodiscard]] const upstream_counters& upstream() const noexcept { return upstream_; }

private:
    struct nothing {
        explicit nothing(const typename Policy::options&) {}
    };

    // For the case that a packed counter is full, or that the sizes are of different classes.
    [[gnu::noinline]] buffer_block& hand_out_slowly(buffer_block& block,
                                                    std::size_t size) noexcept {
        counters_.complete_hit(block, size);
        return hand_out(block, size, *this);
    }
    [[gnu::noinline]] void put_slowly(buffer_block& block) noexcept {
        counters_.complete_return(block);
        annotate_freed(&state_, block.data(), block.capacity);
        keep_slowly(block);
    }
    [[gnu::always_inline]] buffer_block& hand_out(buffer_block& block, std::size_t size,
                                                  buffer_owner& owner) noexcept {
        block.owner = &owner;
        block.size = size;
        annotate_allocated(&state_, block.data(), block.capacity);
        return block;
    }
    // Requires that the block fits within limit_.
    [[gnu::always_inline]] void keep(buffer_block& block) noexcept {
        dropped_buffers dropped;
        policy_.keep(block, context(), dropped);
        if (!dropped.is_empty()) [[unlikely]]
            discard_slowly(dropped, &block);
    }
    [[gnu::noinline]] void discard_slowly(dropped_buffers dropped,
                                          const buffer_block* returned) noexcept {
        discard(dropped, returned);
    }

    [[nodiscard, gnu::noinline]] buffer_block& get_slowly(std::size_t size, std::size_t alignment) {
        const buffer_request request{std::max<std::size_t>(size, 1), alignment};
        const bool is_central = size > state_.largest_in_thread_cache();
        buffer_block* found = nullptr;
        if constexpr (Policy::per_thread) {
            if (returned_.lacks_room()) tick();
            const bool some_came_back = !returned_.is_empty();
            if (some_came_back) keep_returned(returned_.take_all());
            // The fast path looks for no block larger than cutoff_, but the policy may have kept
            // some while this was the only thread cache.
            if (some_came_back || size > cutoff_) found = policy_.take(request, context());
        }
        if (found == nullptr) found = state_.central.take(request, context());
        buffer_owner& owner =
            is_central ? cache_.central_owner() : static_cast<buffer_owner&>(*this);
        if (found == nullptr) {
            found = &get_new(size, capacity_for(request.size), alignment, owner);
        } else {
            counters_.record_hit_slowly(*found, size);
            hand_out(*found, size, owner);
        }
        found->stamp = thread_;
        return *found;
    }
    // For requests of 0 bytes, or of more than cutoff_.
    [[nodiscard, gnu::noinline]] buffer_block& get_empty_or_large(std::size_t size,
                                                                  std::size_t alignment) {
        if (size > buffer_memory::largest) throw std::bad_alloc();
        if (size <= state_.options.cutoff) {
            if (--operations_until_tick_ == 0) tick();
            return get_slowly(size, alignment);
        }
        return get_new(size, size, alignment, cache_.uncached_owner());
    }
    [[nodiscard]] std::size_t capacity_for(std::size_t size) noexcept {
        if constexpr (Policy::per_thread) {
            return policy_.capacity_for(size);
        } else {
            return state_.central.capacity_for(size);
        }
    }
    [[nodiscard]] buffer_block& get_new(std::size_t size, std::size_t capacity,
                                        std::size_t alignment, buffer_owner& owner) {
        buffer_block& made = state_.memory.allocate(capacity, alignment);
        upstream_.bytes_taken.add(capacity);
        counters_.record_miss(made, size);
        return hand_out(made, size, owner);
    }
    void give_to_upstream(buffer_block& block) noexcept {
        upstream_.bytes_given.add(block.capacity);
        state_.memory.deallocate(block);
    }

    // Takes back a block that this cache does not own.
    [[gnu::noinline]] void put_foreign(buffer_block& block) noexcept {
        if (--operations_until_tick_ == 0) tick();
        counters_.record_return_slowly(block);
        annotate_freed(&state_, block.data(), block.capacity);
        buffer_owner* const owner = block.owner;
        const bool is_central = owner == &cache_.central_owner();
        if (is_central ? block.stamp != thread_ : owner != this) counters_.record_remote_return();
        if (owner == &cache_.uncached_owner()) {
            dropped_buffers dropped;
            dropped.push(block);
            return discard(dropped, &block);
        }
        if constexpr (Policy::per_thread) {
            if (!is_central && static_cast<buffer_thread_cache*>(owner)->push_returned(block))
                return;
        }
        keep_in_central(block);
    }
    void keep_in_central(buffer_block& block) noexcept {
        dropped_buffers dropped;
        const std::size_t owed = state_.central.keep(block, context(), dropped);
        discard_and_release(dropped, owed, &block);
        if constexpr (Policy::per_thread) {
            if (state_.central.lacks_quota() && request_surplus()) release_surplus();
        }
    }

    // Called by another thread. Returns whether the block is on the return stack.
    [[nodiscard]] bool push_returned(buffer_block& block) noexcept {
        return returned_.push(block, quota_);
    }
    void keep_returned(buffer_block* first) noexcept {
        dropped_buffers dropped;
        std::size_t room = 0;
        while (first != nullptr) {
            buffer_block& block = *std::exchange(first, first->next);
            __builtin_prefetch(block.previous, 1);  // see returned_buffers::take_all
            // The room that the block took on the stack becomes part of the limit, if the limit
            // needs it.
            if (idle_bytes() + block.capacity > limit_) {
                limit_ += block.capacity;
            } else {
                room += block.capacity;
            }
            policy_.keep(block, context(), dropped);
        }
        if (room > 0) returned_.add_room(room);
        update_fast_limit();
        discard(dropped, nullptr);
    }

    // Keeps a block for which fast_limit_ has no space. Raises the limit if the quota allows it,
    // and gives what does not fit to the central cache.
    [[gnu::noinline]] void keep_slowly(buffer_block& block) noexcept {
        if (trim_requests_.is_any_pending()) apply(trim_requests_.take());
        const std::size_t needed = idle_bytes() + block.capacity;
        if (needed <= limit_ || raise_limit(needed)) {
            update_fast_limit();
            return keep(block);
        }
        if (block.capacity > limit_) return keep_in_central(block);
        dropped_buffers unwanted;
        policy_.keep(block, context(), unwanted);
        dropped_buffers beyond;
        policy_.trim(limit_, context(), beyond);
        std::size_t owed = 0;
        while (buffer_block* const each = beyond.pop()) {
            owed += state_.central.keep(*each, context(), unwanted);
        }
        discard_and_release(unwanted, owed, &block);
    }

    [[nodiscard]] bool raise_limit(std::size_t needed) noexcept {
        std::size_t more = quota_.reserve(needed - limit_);
        if (more == 0) more = returned_.withdraw_room();
        if (limit_ + more < needed && quota_.has_left(needed - limit_ - more)) {
            dropped_buffers dropped;
            const std::size_t lacking = needed - limit_ - more;
            if (const std::size_t owed =
                    state_.central.release_quota(lacking, context(), dropped)) {
                discard_and_release(dropped, owed);
                more += quota_.reserve(lacking);
            } else {
                request_surplus();
            }
        }
        limit_ += more;
        return limit_ >= needed;
    }
    // Asks the other thread caches to release unused reservations, once every few calls. Returns
    // whether it asked.
    bool request_surplus() noexcept {
        if (++shortages_ % shortages_per_request != 0) return false;
        cache_.request_surplus(*this);
        return true;
    }
    void release_surplus() noexcept {
        const std::size_t surplus = limit_ - idle_bytes() + returned_.withdraw_room();
        limit_ = idle_bytes();
        quota_.release(surplus);
        update_fast_limit();
    }
    void update_fast_limit() noexcept {
        // seq_cst: see trim_requests.
        __atomic_store_n(&fast_limit_.value, limit_, __ATOMIC_SEQ_CST);
        if (trim_requests_.is_any_pending())
            __atomic_store_n(&fast_limit_.value, 0, __ATOMIC_SEQ_CST);
    }

    // Reads the clock and what other threads change.
    void refresh() noexcept {
        now_ = nanoseconds_of<Clock>();
        operations_until_tick_ =
            state_.has_several_thread_caches() ? operations_per_tick / 2 : operations_per_tick;
        cutoff_ = std::min(state_.largest_in_thread_cache(), packed_counter::size_limit - 1);
    }
    [[gnu::noinline]] void tick() noexcept {
        refresh();
        if constexpr (Policy::per_thread) {
            if (!returned_.is_empty()) keep_returned(returned_.take_all());
            if (returned_.test_and_clear_lacks_room()) ticks_for_room_ = operations_per_tick;
            if (ticks_for_room_ > 0) grow_room();
        }
        if (trim_requests_.is_any_pending()) apply(trim_requests_.take());
    }
    // Other threads return blocks, and no quota is left for them. For some ticks, the reservation
    // that each get frees becomes room on the stack.
    void grow_room() noexcept {
        --ticks_for_room_;
        operations_until_tick_ = 1;
        returned_.add_room(limit_ - idle_bytes());
        limit_ = idle_bytes();
        update_fast_limit();
    }

    // Large enough to hide the cost of reading the clock and of a mispredicted branch. Half as many
    // if there are several thread caches.
    static constexpr std::uint32_t operations_per_tick = 64;
    // Large enough to hide the cost of the requests, and of reserving the released quota again.
    static constexpr std::uint32_t shortages_per_request = 64;

    std::size_t cutoff_ = 0;              // the largest request of the fast path
    relaxed<std::size_t> fast_limit_{0};  // limit_, or 0 while a trim request is pending
    std::size_t limit_ = 0;
    std::uint64_t now_ = 0;
    std::uint32_t operations_until_tick_ = operations_per_tick;
    const std::uint32_t thread_;
    [[no_unique_address]] std::conditional_t<Policy::per_thread, Policy, nothing> policy_;
    cache_type& cache_;
    buffer_cache_state<Policy>& state_;
    std::uint32_t shortages_ = 0;
    std::uint32_t ticks_for_room_ = 0;
    upstream_counters upstream_;
    [[no_unique_address]] std::conditional_t<Counted, buffer_counters, no_counters> counters_;

    // Other threads write to the members below, so these are on cache lines of their own.
    alignas(64) returned_buffers returned_;
    thread_quota quota_;
    trim_requests trim_requests_;
    buffer_block* aside_ = nullptr;  // while the thread forks
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
