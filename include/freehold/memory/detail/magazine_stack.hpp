// SPDX-License-Identifier: BSL-1.0
// A lock-free stack of magazines. The last one pushed is the first one popped, because its blocks
// are the likeliest to be in a cache.
//
// The top is one word: the number of a magazine, and a tag that each push changes. A thread may be
// interrupted between reading the top and taking it. If the same magazine was popped and pushed
// meanwhile, the tag has changed, and the exchange fails. A tag repeats after 2^31 pushes.
// Each operation takes one compare-and-swap. Thread-safe.
//
// A thread that forks sets the magazines aside meanwhile. A child gets the memory page by page,
// while other threads write to it: it could get a new top with an old `next` below it.
// Source: Treiber (IBM RJ 5118, 1986).
#pragma once

#include <freehold/memory/detail/magazine.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class magazine_stack {
public:
    constexpr magazine_stack() noexcept = default;

    // Sequentially consistent: the successful exchanges of both, and the load of pop. They order a
    // push with the pushing thread's later check for waiting threads, which announce themselves
    // before they find the stack empty. On x86 they cost the same as release and acquire, which
    // hand over the magazine's blocks. Relaxed, for the first load and the failed exchange of push:
    // the value is only a guess, which the next exchange verifies.
    void push(magazine& added) noexcept {
        std::uint64_t top = top_.load(std::memory_order_relaxed);
        do {
            // Relaxed: the exchange below publishes it.
            added.next.store(number_of(top), std::memory_order_relaxed);
        } while (!top_.compare_exchange_weak(
            top, (tag_of(top) + one_tag) | std::uint64_t{added.number + 1},
            std::memory_order_seq_cst, std::memory_order_relaxed));
    }

    [[nodiscard]] magazine* pop(const magazine_shelf& shelf) noexcept {
        std::uint64_t top = top_.load(std::memory_order_seq_cst);
        while (number_of(top) != 0) {
            magazine& taken = shelf[number_of(top) - 1];
            // Relaxed: if another thread has popped the magazine meanwhile, the exchange fails and
            // this value is discarded.
            const std::uint32_t next = taken.next.load(std::memory_order_relaxed);
            if (top_.compare_exchange_weak(top, tag_of(top) | next, std::memory_order_seq_cst,
                                           std::memory_order_seq_cst)) {
                return &taken;
            }
        }
        return nullptr;
    }

    // Whether there is no magazine, and none is set aside. Sequentially consistent for the same
    // reason.
    [[nodiscard]] bool is_empty() const noexcept {
        return (top_.load(std::memory_order_seq_cst) & (one_tag - 1)) == 0;
    }

    // Takes all magazines out, so that threads find none until put_back or keep_only. Returns the
    // number of the top, plus one; 0 if there is none. One thread at a time may do this.
    [[nodiscard, gnu::cold]] std::uint32_t set_aside() noexcept {
        std::uint64_t top = top_.load(std::memory_order_relaxed);  // a guess, as in push
        // acquire: put_back and keep_only read the `next` of what other threads pushed.
        while (!top_.compare_exchange_weak(top, tag_of(top) | aside, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
        }
        return number_of(top);
    }
    // Puts them back, on top of what was pushed meanwhile. The tag stays: where nothing was pushed,
    // the stack is as it was.
    [[gnu::cold]] void put_back(std::uint32_t top_aside, const magazine_shelf& shelf) noexcept {
        magazine* last = nullptr;
        // Relaxed: see set_aside.
        for (std::uint32_t each = top_aside; each != 0;
             each = last->next.load(std::memory_order_relaxed)) {
            last = &shelf[each - 1];
        }
        std::uint64_t top = top_.load(std::memory_order_relaxed);
        std::uint64_t with_all = 0;
        do {
            with_all = tag_of(top) & ~aside;
            if (last == nullptr) {
                with_all |= number_of(top);
            } else {
                last->next.store(number_of(top), std::memory_order_relaxed);  // published below
                with_all |= top_aside;
            }
            // release: the thread that pops `last` reads its `next`. What threads wrote to the
            // blocks they published themselves when they pushed them.
        } while (!top_.compare_exchange_weak(top, with_all, std::memory_order_release,
                                             std::memory_order_relaxed));
    }
    // Puts them back, and forgets what was pushed meanwhile. Returns their number. No other thread
    // may use the stack. Relaxed for this reason.
    [[nodiscard, gnu::cold]] std::size_t keep_only(std::uint32_t top_aside,
                                                   const magazine_shelf& shelf) noexcept {
        const std::uint64_t top = top_.load(std::memory_order_relaxed);
        top_.store((tag_of(top) & ~aside) | top_aside, std::memory_order_relaxed);
        std::size_t count = 0;
        for (std::uint32_t each = top_aside; each != 0;
             each = shelf[each - 1].next.load(std::memory_order_relaxed)) {
            ++count;
        }
        return count;
    }

private:
    // The word: a tag, one bit while magazines are set aside, and the number of the top.
    static constexpr std::uint64_t aside = std::uint64_t{1} << 32;
    static constexpr std::uint64_t one_tag = std::uint64_t{1} << 33;
    // A number plus one, or 0 if there is no magazine.
    [[nodiscard]] static std::uint32_t number_of(std::uint64_t top) noexcept {
        return static_cast<std::uint32_t>(top);
    }
    // With the bit `aside`.
    [[nodiscard]] static std::uint64_t tag_of(std::uint64_t top) noexcept {
        return top & ~(aside - 1);
    }

    std::atomic<std::uint64_t> top_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
