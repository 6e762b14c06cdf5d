// SPDX-License-Identifier: BSL-1.0
// A lock-free stack of magazines: the one that was put there last is taken first, because its
// blocks are the likeliest to be in a cache still.
//
// The top is a magazine's number with a tag that every push changes, in one word: a thread that
// was interrupted between reading the top and taking it finds the tag changed if the same magazine
// was taken and put back meanwhile. A tag comes round after 2^32 pushes.
// Costs one compare-and-swap for each operation. Thread-safe. Source: Treiber (IBM RJ 5118, 1986).
#pragma once

#include <freehold/memory/pool/magazine.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class magazine_stack {
public:
    constexpr magazine_stack() noexcept = default;

    // Sequentially consistent, success of both and the load of pop: a push is ordered with the
    // pusher's later look for threads that wait for one, as those announce themselves before they
    // find the stack empty. On x86 they cost the same as release and acquire, which is what hands
    // over the magazine's blocks.
    void push(magazine& added) noexcept {
        std::uint64_t top = top_.load(std::memory_order_relaxed);
        do {
            // Relaxed: published by the exchange below.
            added.next.store(number_of(top), std::memory_order_relaxed);
        } while (!top_.compare_exchange_weak(
            top, (tag_of(top) + one_tag) | std::uint64_t{added.number + 1},
            std::memory_order_seq_cst, std::memory_order_relaxed));
    }

    [[nodiscard]] magazine* pop(const magazine_shelf& shelf) noexcept {
        std::uint64_t top = top_.load(std::memory_order_seq_cst);
        while (number_of(top) != 0) {
            magazine& taken = shelf[number_of(top) - 1];
            // Relaxed: if another has taken it meanwhile, what is read here is thrown away.
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
