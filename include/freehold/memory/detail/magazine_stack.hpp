// SPDX-License-Identifier: BSL-1.0
// A lock-free stack of magazines. The last one pushed is the first one popped, because its blocks
// are the likeliest to be in a cache.
//
// The top is one word: the number of a magazine, and a tag that each push changes. A thread may be
// interrupted between reading the top and taking it. If the same magazine was popped and pushed
// meanwhile, the tag has changed, and the exchange fails. A tag repeats after 2^32 pushes.
// Each operation takes one compare-and-swap. Thread-safe.
// Source: Treiber (IBM RJ 5118, 1986).
#pragma once

#include <freehold/memory/detail/magazine.hpp>

#include <atomic>
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

    // Sequentially consistent for the same reason.
    [[nodiscard]] bool is_empty() const noexcept {
        return number_of(top_.load(std::memory_order_seq_cst)) == 0;
    }

private:
    static constexpr std::uint64_t one_tag = std::uint64_t{1} << 32;
    // A number plus one, or 0 for the empty stack.
    [[nodiscard]] static std::uint32_t number_of(std::uint64_t top) noexcept {
        return static_cast<std::uint32_t>(top);
    }
    [[nodiscard]] static std::uint64_t tag_of(std::uint64_t top) noexcept {
        return top & ~(one_tag - 1);
    }

    std::atomic<std::uint64_t> top_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
