// SPDX-License-Identifier: BSL-1.0
// The slow paths of thread_cache: all functions that exchange blocks with the depot.
#pragma once

#include <freehold/memory/detail/depot.hpp>
#include <freehold/memory/detail/thread_cache.hpp>

#include <cstddef>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

bool thread_cache::open(depot& source) noexcept {
    loaded_ = source.add_cache();
    if (loaded_ == nullptr) return false;
    depot_ = &source;
    size_ = source.layout().magazine_size;
    use_loaded(0);
    return true;
}

void thread_cache::close() noexcept {
    give_back();
    depot_->remove_cache(loaded_, std::exchange(other_, nullptr));
    forget();
}

bool thread_cache::refill() {
    if (other_full_.get()) {
        swap();
        return true;
    }
    do {
        if (magazine* const full = depot_->take_full()) {
            full->take_over(size_);
            if (other_ != nullptr) depot_->give_empty(*other_);
            other_ = std::exchange(loaded_, full);
            note_received(size_);
            return true;
        }
        if (const std::size_t taken = depot_->take(bottom_.get(), size_); taken > 0) {
            note_received(taken);
            return true;
        }
        // Another thread may have given a full magazine between the two attempts.
    } while (depot_->has_full());
    return false;
}

void thread_cache::spill() noexcept {
    if (available() < size_) {
        open_up();  // another thread had called refuse()
    } else if (!other_full_.get()) {
        if (other_ == nullptr) other_ = depot_->take_empty();
        if (other_ != nullptr) return swap();
        returned_.add(size_);
        depot_->give(bottom_.get(), size_);
        use_loaded(0);
    } else {
        returned_.add(size_);
        if (magazine* const empty = depot_->exchange_full(*other_)) {
            other_ = std::exchange(loaded_, empty);
            use_loaded(0);
        } else {
            depot_->give(other_->blocks(), size_);
            other_full_.set(false);
            swap();
        }
    }
}

void thread_cache::give_back() noexcept {
    if (other_full_.get()) {
        returned_.add(size_);
        other_full_.set(false);
        depot_->give(other_->blocks(), size_);
    }
    if (const std::size_t left = available(); left > 0) {
        returned_.add(left);
        top_.set(bottom_.get());
        depot_->give(bottom_.get(), left);
    }
}

void thread_cache::use_loaded(std::size_t blocks) noexcept {
    void** const bottom = loaded_->blocks();
    bottom_.set(bottom);
    top_.set(bottom + blocks);
    open_up();
}

void thread_cache::open_up() noexcept {
    if (!depot_->has_room_to_wait()) return end_.set(bottom_.value + size_);  // no refusals
    // seq_cst, as refuse() and the wait_queue are. Either this thread sees the waiting thread, or
    // the refusal of the waiting thread comes after this store.
    __atomic_store_n(&end_.value, bottom_.value + size_, __ATOMIC_SEQ_CST);
    if (depot_->is_waited_for()) refuse();
}

void thread_cache::note_received(std::size_t blocks) noexcept {
    received_.add(blocks);
    refills_.add(1);
    use_loaded(blocks);
}

void thread_cache::swap() noexcept {
    const bool was_full = other_full_.get();
    other_full_.set(!was_full);
    std::swap(loaded_, other_);
    use_loaded(was_full ? size_ : 0);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
