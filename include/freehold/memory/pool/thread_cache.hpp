// SPDX-License-Identifier: BSL-1.0
// One thread's free blocks of one pool: two magazines, one in use and one that is either full or
// empty, so that a whole magazine of operations in either direction lies between two exchanges.
//
// The blocks in use and the number of allocations stand in one word, the blocks in its lower 16
// bits: one addition counts both, and statistics cost nothing. Only the thread itself writes to a
// cache, except where said; others read the numbers for statistics, so they are atomic, but
// relaxed: plain loads and stores.
// Source: Bonwick & Adams, "Magazines and Vmem" (USENIX 2001).
#pragma once

#include <freehold/memory/pool/depot.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace freehold::detail {

class thread_cache {
public:
    static constexpr std::size_t largest_magazine = 32767;  // what fits into the lower bits

    constexpr thread_cache() noexcept = default;
    thread_cache(const thread_cache&) = delete;
    thread_cache& operator=(const thread_cache&) = delete;

    // A block, or nullptr if there is none in the magazine in use.
    [[nodiscard, gnu::always_inline]] void* take() noexcept {
        const std::uint64_t tally = tally_.load(std::memory_order_relaxed);
        const std::uint64_t count = tally & count_mask;
        if (count == 0) [[unlikely]]
            return nullptr;
        tally_.store(tally + one_allocation - 1, std::memory_order_relaxed);
        void* const block = place(count)[-1];
        if (block == nullptr) __builtin_unreachable();  // spares the caller a comparison
        return block;
    }
    // False if there is no room in it.
    [[nodiscard, gnu::always_inline]] bool put(void* block) noexcept {
        const std::uint64_t tally = tally_.load(std::memory_order_relaxed);
        const std::uint64_t count = tally & count_mask;
        if (count >= limit_.load(std::memory_order_relaxed)) [[unlikely]]
            return false;
        *place(count) = block;
        tally_.store(tally + 1, std::memory_order_relaxed);
        return true;
    }
    // All or nothing.
    [[nodiscard, gnu::always_inline]] bool take_all(std::span<void*> to) noexcept {
        const std::uint64_t tally = tally_.load(std::memory_order_relaxed);
        const std::uint64_t count = tally & count_mask;
        if (count < to.size()) [[unlikely]]
            return false;
        tally_.store(tally + to.size() * (one_allocation - 1), std::memory_order_relaxed);
        std::copy_n(blocks_ + (count - to.size()), to.size(), to.data());
        return true;
    }
    [[nodiscard, gnu::always_inline]] bool put_all(std::span<void* const> blocks) noexcept {
        const std::uint64_t tally = tally_.load(std::memory_order_relaxed);
        const std::uint64_t count = tally & count_mask;
        if (count + blocks.size() > limit_.load(std::memory_order_relaxed)) [[unlikely]]
            return false;
        std::copy_n(blocks.data(), blocks.size(), blocks_ + count);
        tally_.store(tally + blocks.size(), std::memory_order_relaxed);
        return true;
    }

    // How many blocks can be taken, or put, without a slow path.
    [[nodiscard]] std::size_t available() const noexcept { return count(); }
    [[nodiscard]] std::size_t room() const noexcept {
        const std::size_t limit = limit_.load(std::memory_order_relaxed);
        return limit - std::min(limit, count());
    }

    [[nodiscard]] bool is_open() const noexcept { return depot_ != nullptr; }

    // Gets its magazines; false if they cannot be had.
    [[nodiscard, gnu::noinline]] bool open(depot& source) noexcept {
        if (!source.add_cache(loaded_, other_)) return false;
        depot_ = &source;
        blocks_ = loaded_->blocks();
        set(limit_, static_cast<std::uint32_t>(source.layout().magazine_size));
        return true;
    }
    // Gives all back.
    [[gnu::noinline]] void close() noexcept {
        give_back();
        set(limit_, 0);
        blocks_ = nullptr;
        std::exchange(depot_, nullptr)->remove_cache(loaded_, other_);
    }

    // After take() failed: false if the depot is exhausted, else the next one will not fail.
    [[nodiscard, gnu::noinline]] bool refill() {
        if (other_full()) {
            swap();
            return true;
        }
        do {
            if (magazine* const full = depot_->take_full()) {
                depot_->give_empty(*other_);
                other_ = std::exchange(loaded_, full);
                blocks_ = loaded_->blocks();
                note_received(size());
                return true;
            }
            if (const std::size_t taken = depot_->take(blocks_, size()); taken > 0) {
                note_received(taken);
                return true;
            }
            // Another thread may have given a full one between the two looks.
        } while (depot_->has_full());
        return false;
    }

    // After put() failed: makes room, so that the next one will not fail.
    [[gnu::noinline]] void spill() noexcept {
        if (count() < size()) {
            // Another thread had closed it.
        } else if (!other_full()) {
            swap();
        } else {
            add(returned_, size());
            if (magazine* const empty = depot_->exchange_full(*other_)) {
                other_ = std::exchange(loaded_, empty);
                blocks_ = loaded_->blocks();
                set_count(0);
            } else {
                depot_->give(other_->blocks(), size());
                set(other_full_, false);
                swap();
            }
        }
        set(limit_, static_cast<std::uint32_t>(size()));
    }

    // Gives all blocks to the depot's chunks.
    [[gnu::noinline]] void give_back() noexcept {
        if (other_full()) {
            add(returned_, size());
            set(other_full_, false);
            depot_->give(other_->blocks(), size());
        }
        if (const std::size_t left = count(); left > 0) {
            add(returned_, left);
            set_count(0);
            depot_->give(blocks_, left);
        }
    }

    // Lets the thread's next put fail. May be called by any thread.
    void refuse() noexcept { set(limit_, 0); }

    // Exact when the thread does nothing. A free is what made the number of blocks what it is.
    [[nodiscard]] std::size_t cached() const noexcept {
        return count() + (other_full_.load(std::memory_order_relaxed) ? size() : 0);
    }
    [[nodiscard]] std::uint64_t allocations() const noexcept {
        return tally_.load(std::memory_order_relaxed) / one_allocation +
               earlier_allocations_.load(std::memory_order_relaxed);
    }
    // Never below zero, though the thread may be between two of these numbers.
    [[nodiscard]] std::uint64_t frees() const noexcept {
        const std::uint64_t received = received_.load(std::memory_order_relaxed);
        const std::uint64_t gone =
            cached() + returned_.load(std::memory_order_relaxed) + allocations();
        return gone - std::min(gone, received);
    }
    [[nodiscard]] std::uint64_t refills() const noexcept {
        return refills_.load(std::memory_order_relaxed);
    }

private:
    static constexpr std::uint64_t one_allocation = std::uint64_t{1} << 16;
    static constexpr std::uint64_t count_mask = one_allocation - 1;

    // The address in a register of its own: a block that is freed and allocated again passes from
    // the store to the load at once if both use the same register without an index, and several
    // cycles later if not (memory renaming, Intel and AMD).
    [[nodiscard, gnu::always_inline]] void** place(std::uint64_t count) const noexcept {
        void** at = blocks_ + count;
        asm("" : "+r"(at));
        return at;
    }

    template <class T>
    static void set(std::atomic<T>& number, std::type_identity_t<T> value) noexcept {
        number.store(value, std::memory_order_relaxed);
    }
    static void add(std::atomic<std::uint64_t>& number, std::uint64_t more) noexcept {
        set(number, number.load(std::memory_order_relaxed) + more);
    }

    [[nodiscard]] std::size_t size() const noexcept { return depot_->layout().magazine_size; }
    [[nodiscard]] bool other_full() const noexcept {
        return other_full_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t count() const noexcept {
        return tally_.load(std::memory_order_relaxed) & count_mask;
    }
    // The upper bits are moved to a number of their own long before they overflow.
    void set_count(std::size_t count) noexcept {
        std::uint64_t allocations = tally_.load(std::memory_order_relaxed) / one_allocation;
        if (allocations >> 40 != 0) {
            add(earlier_allocations_, allocations);
            allocations = 0;
        }
        set(tally_, allocations * one_allocation + count);
    }
    void note_received(std::size_t blocks) noexcept {
        add(received_, blocks);
        set_count(blocks);
        add(refills_, 1);
    }
    // Exchanges the magazine in use, full or empty, with the other, which is the opposite.
    void swap() noexcept {
        const bool was_full = other_full();
        set(other_full_, !was_full);
        std::swap(loaded_, other_);
        blocks_ = loaded_->blocks();
        set_count(was_full ? size() : 0);
    }

    std::atomic<std::uint64_t> tally_{0};
    void** blocks_ = nullptr;
    std::atomic<std::uint32_t> limit_{0};  // 0: a put is to take the slow path
    std::atomic<bool> other_full_{false};
    magazine* loaded_ = nullptr;
    magazine* other_ = nullptr;
    depot* depot_ = nullptr;
    std::atomic<std::uint64_t> earlier_allocations_{0};
    std::atomic<std::uint64_t> received_{0};
    std::atomic<std::uint64_t> returned_{0};
    std::atomic<std::uint64_t> refills_{0};
};

}  // namespace freehold::detail
