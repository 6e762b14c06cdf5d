// SPDX-License-Identifier: BSL-1.0
// What one thread has of a cache: its object of the policy, if the policy wants one for each
// thread, its counters, and the stack on which other threads give back what it had asked for.
//
// One thread at a time uses it; others call but take_back and order. Its idle bytes never
// exceed limit_, and those on the stack never the room that was made for them; both are reserved,
// of the thread's budget and of the cache's, before they are used. A block that comes back counts
// as in use until the policy has decided. Blocks that the part for all has lent have the cache's
// common part for an owner.
#pragma once

#include <freehold/cache/buffers/buffer_core.hpp>
#include <freehold/cache/buffers/buffer_counters.hpp>
#include <freehold/cache/buffers/idle_orders.hpp>
#include <freehold/cache/buffers/returned_buffers.hpp>
#include <freehold/cache/buffers/thread_parts.hpp>
#include <freehold/memory/pool/annotations.hpp>
#include <freehold/memory/pool/relaxed.hpp>

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
class buffer_front final : public thread_part {
    using cache_type = buffer_cache<Policy, Clock, Counted>;

public:
    using orders = idle_orders::orders;

    buffer_front(cache_type& cache, buffer_core<Policy>& core,
                 const typename Policy::options& options, std::size_t most_idle,
                 std::uint32_t thread)
        : thread_(thread),
          policy_(options),
          cache_(cache),
          core_(core),
          budget_(core.budget, core.step, most_idle) {}

    [[nodiscard, gnu::always_inline]] buffer_block& get(std::size_t size, std::size_t alignment) {
        // Nothing is as large as it can be, after this subtraction.
        if (size - 1 >= cutoff_) [[unlikely]]
            return get_out_of_line(size, alignment);
        if (--until_tick_ == 0) [[unlikely]]
            tick();
        if constexpr (Policy::per_thread) {
            buffer_block* const block = policy_.take({size, alignment}, occasion());
            if (block != nullptr) [[likely]] {
                if (!counters_.hit(*block, size)) [[unlikely]]
                    return hand_out_slowly(*block, size);
                return lend(*block, size, *this);
            }
        }
        return get_slowly(size, alignment);
    }

    [[gnu::always_inline]] void put(buffer_block& block) noexcept {
        if constexpr (Policy::per_thread) {
            if (block.owner != this) [[unlikely]]
                return put_elsewhere(block);
            if (!counters_.back(block)) [[unlikely]]
                return put_slowly(block);
            annotate_freed(&core_, block.data(), block.capacity);
            if (policy_.idle_bytes() + block.capacity > gate_.get()) [[unlikely]]
                return keep_slowly(block);
            keep(block);
        } else {
            put_elsewhere(block);
        }
    }

    // By any thread.
    void give_back(buffer_block& block) noexcept override { cache_.give_back(block); }
    void order(const orders& more) noexcept {
        orders_.add(more);
        __atomic_store_n(&gate_.value, 0, __ATOMIC_SEQ_CST);  // see idle_orders
    }

    // The thread that it is for from now on calls this first.
    void enter() noexcept {
        if constexpr (Policy::per_thread) {
            returned_.open();
            core_.add_part();
        }
        renew();
    }
    void leave() noexcept override {
        if constexpr (Policy::per_thread) {
            renew();
            take_over(returned_.take_all_and_close());
            const std::size_t idle = idle_bytes();
            dropped_buffers left;
            policy_.trim(0, occasion(), left);
            dropped_buffers dropped;
            const std::size_t owed = core_.shared.adopt(left, idle, occasion(), dropped);
            budget_.hand_over(idle);
            limit_ -= idle;
            discard_and_release(dropped, owed);
            release_surplus();
            core_.remove_part();
        }
    }
    // The same, and all goes to the upstream.
    void clear() noexcept {
        if constexpr (Policy::per_thread) take_over(returned_.take_all_and_close());
        obey({.most_idle = 0});
    }

    // Lets go of what the orders say; of its reservations it keeps none that it does not use.
    void obey(const orders& what) noexcept {
        renew();
        if constexpr (Policy::per_thread) {
            take_over(returned_.take_all());
            dropped_buffers dropped;
            if (what.oldest != orders().oldest) {
                policy_.trim_older(what.oldest, occasion(), dropped);
            }
            if (idle_bytes() > what.most_idle) policy_.trim(what.most_idle, occasion(), dropped);
            discard(dropped, nullptr);
            release_surplus();
        }
    }

    // To the upstream; `returned` has just come back, the others had been kept.
    void discard(dropped_buffers& dropped, const buffer_block* returned) noexcept {
        while (buffer_block* const block = dropped.pop()) {
            block == returned ? counters_.dropped(*block) : counters_.evicted(*block);
            give_to_upstream(*block);
        }
    }
    // The same of what the shared part has dropped, which then owes so much to the budget.
    void discard_and_release(dropped_buffers& dropped, std::size_t owed,
                             const buffer_block* returned = nullptr) noexcept {
        discard(dropped, returned);
        if (owed > 0) core_.budget.release(owed);
    }

    [[nodiscard]] buffer_occasion occasion() const noexcept { return {thread_, now_}; }
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

    // These two, where the counters have not enough of a word.
    [[gnu::noinline]] buffer_block& hand_out_slowly(buffer_block& block,
                                                    std::size_t size) noexcept {
        counters_.complete_hit(block, size);
        return lend(block, size, *this);
    }
    [[gnu::noinline]] void put_slowly(buffer_block& block) noexcept {
        counters_.complete_back(block);
        annotate_freed(&core_, block.data(), block.capacity);
        keep_slowly(block);
    }
    [[gnu::always_inline]] buffer_block& lend(buffer_block& block, std::size_t size,
                                              buffer_part& owner) noexcept {
        block.owner = &owner;
        block.size = size;
        annotate_allocated(&core_, block.data(), block.capacity);
        return block;
    }
    // Within limit_.
    [[gnu::always_inline]] void keep(buffer_block& block) noexcept {
        dropped_buffers dropped;
        policy_.keep(block, occasion(), dropped);
        if (!dropped.is_empty()) [[unlikely]]
            discard_slowly(dropped, &block);
    }
    [[gnu::noinline]] void discard_slowly(dropped_buffers dropped,
                                          const buffer_block* returned) noexcept {
        discard(dropped, returned);
    }

    [[nodiscard, gnu::noinline]] buffer_block& get_slowly(std::size_t size, std::size_t alignment) {
        const buffer_request request{std::max<std::size_t>(size, 1), alignment};
        const bool is_common = size > core_.largest_of_one_part();
        buffer_block* found = nullptr;
        if constexpr (Policy::per_thread) {
            if (returned_.lacks_room()) tick();
            const bool some_came_back = !returned_.is_empty();
            if (some_came_back) take_over(returned_.take_all());
            // Large ones have not been looked for, and were perhaps kept while it was alone.
            if (some_came_back || size > cutoff_) found = policy_.take(request, occasion());
        }
        if (found == nullptr) found = core_.shared.take(request, occasion());
        buffer_part& owner = is_common ? cache_.common() : static_cast<buffer_part&>(*this);
        if (found == nullptr) {
            found = &get_new(size, capacity_for(request.size), alignment, owner);
        } else {
            counters_.hit_slowly(*found, size);
            lend(*found, size, owner);
        }
        found->stamp = thread_;
        return *found;
    }
    // Nothing, or more than cutoff_.
    [[nodiscard, gnu::noinline]] buffer_block& get_out_of_line(std::size_t size,
                                                               std::size_t alignment) {
        if (size > buffer_memory::largest) throw std::bad_alloc();
        if (size <= core_.options.cutoff) {
            if (--until_tick_ == 0) tick();
            return get_slowly(size, alignment);
        }
        return get_new(size, size, alignment, cache_.outside());
    }
    [[nodiscard]] std::size_t capacity_for(std::size_t size) noexcept {
        if constexpr (Policy::per_thread) {
            return policy_.capacity_for(size);
        } else {
            return core_.shared.capacity_for(size);
        }
    }
    [[nodiscard]] buffer_block& get_new(std::size_t size, std::size_t capacity,
                                        std::size_t alignment, buffer_part& owner) {
        buffer_block& made = core_.memory.allocate(capacity, alignment);
        upstream_.bytes_taken.add(capacity);
        counters_.miss(made, size);
        return lend(made, size, owner);
    }
    void give_to_upstream(buffer_block& block) noexcept {
        upstream_.bytes_given.add(block.capacity);
        core_.memory.deallocate(block);
    }

    // What another thread, or nobody, has asked for here.
    [[gnu::noinline]] void put_elsewhere(buffer_block& block) noexcept {
        if (--until_tick_ == 0) tick();
        counters_.back_slowly(block);
        annotate_freed(&core_, block.data(), block.capacity);
        buffer_part* const owner = block.owner;
        const bool is_common = owner == &cache_.common();
        if (is_common ? block.stamp != thread_ : owner != this) counters_.remote_return();
        if (owner == &cache_.outside()) {
            dropped_buffers dropped;
            dropped.push(block);
            return discard(dropped, &block);
        }
        if constexpr (Policy::per_thread) {
            if (!is_common && static_cast<buffer_front*>(owner)->take_back(block)) return;
        }
        share(block);
    }
    void share(buffer_block& block) noexcept {
        dropped_buffers dropped;
        const std::size_t owed = core_.shared.keep(block, occasion(), dropped);
        discard_and_release(dropped, owed, &block);
        if constexpr (Policy::per_thread) {
            if (core_.shared.is_short() && ask_for_surplus()) release_surplus();
        }
    }

    // By another thread: whether the block is on its way to this one.
    [[nodiscard]] bool take_back(buffer_block& block) noexcept {
        return returned_.push(block, budget_);
    }
    void take_over(buffer_block* first) noexcept {
        dropped_buffers dropped;
        std::size_t room = 0;
        while (first != nullptr) {
            buffer_block& block = *std::exchange(first, first->next);
            __builtin_prefetch(block.previous, 1);  // see take_all
            // The room that it had becomes part of the limit where that is needed.
            if (idle_bytes() + block.capacity > limit_) {
                limit_ += block.capacity;
            } else {
                room += block.capacity;
            }
            policy_.keep(block, occasion(), dropped);
        }
        if (room > 0) returned_.add_room(room);
        open_gate();
        discard(dropped, nullptr);
    }

    // What the limit has no room for as it is.
    [[gnu::noinline]] void keep_slowly(buffer_block& block) noexcept {
        if (orders_.are_waiting()) obey(orders_.take());
        const std::size_t needed = idle_bytes() + block.capacity;
        if (needed <= limit_ || raise_limit(needed)) {
            open_gate();
            return keep(block);
        }
        if (block.capacity > limit_) return share(block);
        dropped_buffers unwanted;
        policy_.keep(block, occasion(), unwanted);
        dropped_buffers beyond;
        policy_.trim(limit_, occasion(), beyond);
        std::size_t owed = 0;
        while (buffer_block* const each = beyond.pop()) {
            owed += core_.shared.keep(*each, occasion(), unwanted);
        }
        discard_and_release(unwanted, owed, &block);
    }

    [[nodiscard]] bool raise_limit(std::size_t needed) noexcept {
        std::size_t more = budget_.reserve(needed - limit_);
        if (more == 0) more = returned_.withdraw_room();
        if (limit_ + more < needed && budget_.allows(needed - limit_ - more)) {
            dropped_buffers dropped;
            const std::size_t lacking = needed - limit_ - more;
            if (const std::size_t owed = core_.shared.yield(lacking, occasion(), dropped)) {
                discard_and_release(dropped, owed);
                more += budget_.reserve(lacking);
            } else {
                ask_for_surplus();
            }
        }
        limit_ += more;
        return limit_ >= needed;
    }
    // The other parts, now and then: whether it did.
    bool ask_for_surplus() noexcept {
        if (++shortages_ % shortages_per_question != 0) return false;
        cache_.ask_for_surplus(*this);
        return true;
    }
    void release_surplus() noexcept {
        const std::size_t surplus = limit_ - idle_bytes() + returned_.withdraw_room();
        limit_ = idle_bytes();
        budget_.release(surplus);
        open_gate();
    }
    void open_gate() noexcept {
        // seq_cst: see idle_orders.
        __atomic_store_n(&gate_.value, limit_, __ATOMIC_SEQ_CST);
        if (orders_.are_waiting()) __atomic_store_n(&gate_.value, 0, __ATOMIC_SEQ_CST);
    }

    // What others change.
    void renew() noexcept {
        now_ = nanoseconds_of<Clock>();
        until_tick_ = core_.has_several_parts() ? operations_per_tick / 2 : operations_per_tick;
        cutoff_ = std::min(core_.largest_of_one_part(), event_word::too_many_bytes - 1);
    }
    [[gnu::noinline]] void tick() noexcept {
        renew();
        if constexpr (Policy::per_thread) {
            if (!returned_.is_empty()) take_over(returned_.take_all());
            if (returned_.take_lack_of_room()) ticks_for_room_ = operations_per_tick;
            if (ticks_for_room_ > 0) make_room();
        }
        if (orders_.are_waiting()) obey(orders_.take());
    }
    // Others bring back what is handed out here, and there is nothing left to reserve: for a while
    // what becomes unused with each get is turned into room for them.
    void make_room() noexcept {
        --ticks_for_room_;
        until_tick_ = 1;
        returned_.add_room(limit_ - idle_bytes());
        limit_ = idle_bytes();
        open_gate();
    }

    // Chosen so that a clock and a mispredicted branch do not show; half of it beside others.
    static constexpr std::uint32_t operations_per_tick = 64;
    // So that what is asked for, and then has to be reserved anew, does not show.
    static constexpr std::uint32_t shortages_per_question = 64;

    std::size_t cutoff_ = 0;        // get itself looks for no more than that
    relaxed<std::size_t> gate_{0};  // limit_; 0 if orders wait
    std::size_t limit_ = 0;
    std::uint64_t now_ = 0;
    std::uint32_t until_tick_ = operations_per_tick;
    const std::uint32_t thread_;
    [[no_unique_address]] std::conditional_t<Policy::per_thread, Policy, nothing> policy_;
    cache_type& cache_;
    buffer_core<Policy>& core_;
    std::uint32_t shortages_ = 0;
    std::uint32_t ticks_for_room_ = 0;
    upstream_counters upstream_;
    [[no_unique_address]] std::conditional_t<Counted, buffer_counters, no_counters> counters_;

    // What other threads write to, apart from what this one does all the time.
    alignas(64) returned_buffers returned_;
    thread_budget budget_;
    idle_orders orders_;
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
