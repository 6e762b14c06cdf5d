// SPDX-License-Identifier: BSL-1.0
// The slow paths of a thread cache: what it does if its policy has no buffer, if a buffer belongs
// to another thread cache, and if a bound is reached; and what it does about once in 64 operations.
#include <freehold/buffer/detail/buffer_thread_cache.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/annotations.hpp>

#include "buffer/cache_state.hpp"
#include "buffer/returned_buffers.hpp"
#include "buffer/thread_quota.hpp"
#include "buffer/trim_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

// Large enough to hide the cost of reading the clock and of a mispredicted branch. Half as many if
// there are several thread caches.
constexpr std::uint32_t operations_per_tick = 64;
// Large enough to hide the cost of the requests, and of reserving the released quota again.
constexpr std::uint32_t shortages_per_request = 64;

}  // namespace

// What other threads write to, on cache lines of its own, and what only slow paths use.
struct buffer_thread_sharing {
    buffer_thread_sharing(buffer_cache_state& state, std::size_t max_idle_bytes)
        : quota(state.quota, state.quota_step, max_idle_bytes) {}

    alignas(64) returned_buffers returned;
    thread_quota quota;
    trim_requests requests;
    buffer_block* aside = nullptr;  // while the thread forks
    single_writer_counter bytes_taken;
    single_writer_counter bytes_given;
};

buffer_thread_cache::buffer_thread_cache(buffer_cache_state& state, std::size_t max_idle_bytes,
                                         std::uint32_t thread)
    : operations_until_tick_(operations_per_tick),
      thread_(thread),
      fast_slot_(buffer_thread_cache_table::fast_slot(state.number.value())),
      state_(state),
      sharing_(std::make_unique<buffer_thread_sharing>(state, max_idle_bytes)) {}

buffer_thread_cache::~buffer_thread_cache() = default;

void buffer_thread_cache::give_back_slowly(buffer_block& block) noexcept {
    state_.give_back(block);
}

void buffer_thread_cache::request_trim(const trim_request& more) noexcept {
    sharing_->requests.add(more);
    __atomic_store_n(&fast_limit_.value, 0, __ATOMIC_SEQ_CST);  // seq_cst: see trim_requests
}

void buffer_thread_cache::around_fork(fork_step step) noexcept {
    if (step == fork_step::before) {
        sharing_->aside = sharing_->returned.take_all_if_open();
    } else {
        sharing_->returned.put_back(std::exchange(sharing_->aside, nullptr),
                                    step == fork_step::in_child);
    }
}

void buffer_thread_cache::release_quota(std::size_t bytes) noexcept {
    state_.quota.release(bytes);
}

void buffer_thread_cache::activate() noexcept {
    if (policy_ != nullptr) {
        sharing_->returned.open();
        state_.add_thread_cache();
    }
    refresh();
}

void buffer_thread_cache::deactivate() noexcept {
    if (policy_ == nullptr) return;
    refresh();
    keep_returned(sharing_->returned.take_all_and_close());
    const std::size_t idle = idle_bytes();
    dropped_buffers left;
    policy_->trim(0, context(), left);
    dropped_buffers dropped;
    const std::size_t owed = state_.central.adopt(left, idle, context(), dropped);
    sharing_->quota.move_to_central(idle);
    limit_ -= idle;
    discard_and_release(dropped, owed);
    release_surplus();
    state_.remove_thread_cache();
}

void buffer_thread_cache::close() noexcept {
    deactivate();
    state_.release(*this);
}

void buffer_thread_cache::clear() noexcept {
    if (policy_ != nullptr) keep_returned(sharing_->returned.take_all_and_close());
    apply({.max_idle_bytes = 0});
}

void buffer_thread_cache::apply(const trim_request& what) noexcept {
    refresh();
    if (policy_ == nullptr) return;
    keep_returned(sharing_->returned.take_all());
    dropped_buffers dropped;
    if (what.min_age != trim_request().min_age) {
        policy_->trim_older(what.min_age, context(), dropped);
    }
    if (idle_bytes() > what.max_idle_bytes) {
        policy_->trim(what.max_idle_bytes, context(), dropped);
    }
    discard(dropped, nullptr);
    release_surplus();
}

void buffer_thread_cache::discard_each(dropped_buffers& dropped,
                                       const buffer_block* returned) noexcept {
    while (buffer_block* const block = dropped.pop()) {
        if (counters_ != nullptr) {
            block == returned ? counters_->record_drop(*block) : counters_->record_eviction(*block);
        }
        sharing_->bytes_given.add(block->capacity);
        state_.memory.deallocate(*block);
    }
}

std::uint64_t buffer_thread_cache::bytes_from_upstream() const noexcept {
    return sharing_->bytes_taken.get() - sharing_->bytes_given.get();
}

buffer_block& buffer_thread_cache::hand_out_slowly(buffer_block& block, std::size_t size) noexcept {
    counters_->complete_hit(block, size);
    return hand_out(block, size, *this);
}

void buffer_thread_cache::put_slowly(buffer_block& block) noexcept {
    counters_->complete_return(block);
    annotate_freed(&state_, block.data(), block.capacity);
    keep_slowly(block);
}

void buffer_thread_cache::discard_slowly(dropped_buffers dropped,
                                         const buffer_block* returned) noexcept {
    discard(dropped, returned);
}

buffer_block& buffer_thread_cache::get_slowly(std::size_t size, std::size_t alignment) {
    const buffer_request request{std::max<std::size_t>(size, 1), alignment};
    const bool is_central = size > state_.largest_in_thread_cache();
    buffer_block* found = nullptr;
    if (policy_ != nullptr) {
        if (sharing_->returned.lacks_room()) tick();
        const bool some_came_back = !sharing_->returned.is_empty();
        if (some_came_back) keep_returned(sharing_->returned.take_all());
        // The fast path looks for no block larger than cutoff_, but the policy may have kept some
        // while this was the only thread cache.
        if (some_came_back || size > cutoff_)
            found = policy_->take(request.size, alignment, context());
    }
    if (found == nullptr) found = state_.central.take(request, context());
    buffer_owner& owner = is_central ? static_cast<buffer_owner&>(state_.central_owner)
                                     : static_cast<buffer_owner&>(*this);
    if (found == nullptr) {
        const std::size_t capacity = policy_ != nullptr ? policy_->capacity_for(request.size)
                                                        : state_.central.capacity_for(request.size);
        found = &get_new(size, capacity, alignment, owner);
    } else {
        if (counters_ != nullptr) counters_->record_hit_slowly(*found, size);
        hand_out(*found, size, owner);
    }
    found->stamp = thread_;
    return *found;
}

buffer_block& buffer_thread_cache::get_empty_or_large(std::size_t size, std::size_t alignment) {
    if (size > buffer_memory::largest) throw std::bad_alloc();
    if (size <= state_.options.cutoff) {
        if (--operations_until_tick_ == 0) tick();
        return get_slowly(size, alignment);
    }
    return get_new(size, size, alignment, state_.uncached_owner);
}

buffer_block& buffer_thread_cache::get_new(std::size_t size, std::size_t capacity,
                                           std::size_t alignment, buffer_owner& owner) {
    buffer_block& made = state_.memory.allocate(capacity, alignment);
    sharing_->bytes_taken.add(capacity);
    if (counters_ != nullptr) counters_->record_miss(made, size);
    return hand_out(made, size, owner);
}

void buffer_thread_cache::put_foreign(buffer_block& block) noexcept {
    if (--operations_until_tick_ == 0) tick();
    if (counters_ != nullptr) counters_->record_return_slowly(block);
    annotate_freed(&state_, block.data(), block.capacity);
    buffer_owner* const owner = block.owner;
    const bool is_central = owner == &state_.central_owner;
    if (counters_ != nullptr && (is_central ? block.stamp != thread_ : owner != this)) {
        counters_->record_remote_return();
    }
    if (owner == &state_.uncached_owner) {
        dropped_buffers dropped;
        dropped.push(block);
        return discard(dropped, &block);
    }
    if (policy_ != nullptr && !is_central &&
        static_cast<buffer_thread_cache*>(owner)->push_returned(block)) {
        return;
    }
    keep_in_central(block);
}

void buffer_thread_cache::keep_in_central(buffer_block& block) noexcept {
    dropped_buffers dropped;
    const std::size_t owed = state_.central.keep(block, context(), dropped);
    discard_and_release(dropped, owed, &block);
    if (policy_ != nullptr && state_.central.lacks_quota() && request_surplus()) release_surplus();
}

// Called by another thread. Returns whether the block is on the return stack.
bool buffer_thread_cache::push_returned(buffer_block& block) noexcept {
    return sharing_->returned.push(block, sharing_->quota);
}

void buffer_thread_cache::keep_returned(buffer_block* first) noexcept {
    dropped_buffers dropped;
    std::size_t room = 0;
    std::size_t idle = idle_bytes();
    while (first != nullptr) {
        buffer_block& block = *std::exchange(first, first->next);
        __builtin_prefetch(block.previous, 1);  // see returned_buffers::take_all
        // The room that the block took on the stack becomes part of the limit, if the limit needs
        // it.
        if (idle + block.capacity > limit_) {
            limit_ += block.capacity;
        } else {
            room += block.capacity;
        }
        policy_->keep(block, context(), dropped);
        idle = policy_->last_idle_bytes();
    }
    if (room > 0) sharing_->returned.add_room(room);
    update_fast_limit();
    discard(dropped, nullptr);
}

void buffer_thread_cache::keep_slowly(buffer_block& block) noexcept {
    if (sharing_->requests.is_any_pending()) apply(sharing_->requests.take());
    dropped_buffers unwanted;
    const std::size_t needed = idle_bytes() + block.capacity;
    if (needed <= limit_ || raise_limit(needed)) {
        update_fast_limit();
        policy_->keep(block, context(), unwanted);
        return discard(unwanted, &block);
    }
    if (block.capacity > limit_) return keep_in_central(block);
    policy_->keep(block, context(), unwanted);
    dropped_buffers beyond;
    policy_->trim(limit_, context(), beyond);
    std::size_t owed = 0;
    while (buffer_block* const each = beyond.pop()) {
        owed += state_.central.keep(*each, context(), unwanted);
    }
    discard_and_release(unwanted, owed, &block);
}

bool buffer_thread_cache::raise_limit(std::size_t needed) noexcept {
    std::size_t more = sharing_->quota.reserve(needed - limit_);
    if (more == 0) more = sharing_->returned.withdraw_room();
    if (limit_ + more < needed && sharing_->quota.has_left(needed - limit_ - more)) {
        dropped_buffers dropped;
        const std::size_t lacking = needed - limit_ - more;
        if (const std::size_t owed = state_.central.release_quota(lacking, context(), dropped)) {
            discard_and_release(dropped, owed);
            more += sharing_->quota.reserve(lacking);
        } else {
            static_cast<void>(request_surplus());
        }
    }
    limit_ += more;
    return limit_ >= needed;
}

// Asks the other thread caches to release unused reservations, once every few calls. Returns
// whether it asked.
bool buffer_thread_cache::request_surplus() noexcept {
    if (++shortages_ % shortages_per_request != 0) return false;
    state_.request_surplus(*this);
    return true;
}

void buffer_thread_cache::release_surplus() noexcept {
    const std::size_t surplus = limit_ - idle_bytes() + sharing_->returned.withdraw_room();
    limit_ = idle_bytes();
    sharing_->quota.release(surplus);
    update_fast_limit();
}

void buffer_thread_cache::update_fast_limit() noexcept {
    // seq_cst: see trim_requests.
    __atomic_store_n(&fast_limit_.value, limit_, __ATOMIC_SEQ_CST);
    if (sharing_->requests.is_any_pending()) {
        __atomic_store_n(&fast_limit_.value, 0, __ATOMIC_SEQ_CST);
    }
}

// Reads the clock and what other threads change.
void buffer_thread_cache::refresh() noexcept {
    now_ = state_.parts.now();
    operations_until_tick_ =
        state_.has_several_thread_caches() ? operations_per_tick / 2 : operations_per_tick;
    cutoff_ = std::min(state_.largest_in_thread_cache(), packed_counter::size_limit - 1);
}

void buffer_thread_cache::tick() noexcept {
    refresh();
    if (policy_ != nullptr) {
        if (!sharing_->returned.is_empty()) keep_returned(sharing_->returned.take_all());
        if (sharing_->returned.test_and_clear_lacks_room()) ticks_for_room_ = operations_per_tick;
        if (ticks_for_room_ > 0) grow_room();
    }
    if (sharing_->requests.is_any_pending()) apply(sharing_->requests.take());
}

// Other threads return blocks, and no quota is left for them. For some ticks, the reservation that
// each get frees becomes room on the stack.
void buffer_thread_cache::grow_room() noexcept {
    --ticks_for_room_;
    operations_until_tick_ = 1;
    sharing_->returned.add_room(limit_ - idle_bytes());
    limit_ = idle_bytes();
    update_fast_limit();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
