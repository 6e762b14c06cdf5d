// SPDX-License-Identifier: BSL-1.0
// So many bytes, of which each user reserves what it may keep before it keeps it: then all of them
// together never have more, at no moment, though none looks at what another has.
// Costs one atomic operation for each reservation. Thread-safe.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// Relaxed throughout: the number guards no other data, and all that is asked of it is that each
// change is one of a single order of changes.
class byte_budget {
public:
    explicit byte_budget(std::size_t limit) noexcept : limit_(limit), left_(limit) {}

    // As many as there are, `most` at most; none if they are fewer than `least`.
    [[nodiscard]] std::size_t reserve(std::size_t least, std::size_t most) noexcept {
        std::size_t left = left_.load(std::memory_order_relaxed);
        for (;;) {
            if (left < least) return 0;
            const std::size_t taken = std::min(left, most);
            if (left_.compare_exchange_weak(left, left - taken, std::memory_order_relaxed)) {
                return taken;
            }
        }
    }
    void release(std::size_t bytes) noexcept { left_.fetch_add(bytes, std::memory_order_relaxed); }

    [[nodiscard]] std::size_t left() const noexcept {
        return left_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

private:
    const std::size_t limit_;
    std::atomic<std::size_t> left_;
};

// What one thread may have of the cache's budget: each of its bytes is reserved of both.
class thread_budget {
public:
    // Reserves `step` at a time, if there is as much.
    thread_budget(byte_budget& of_cache, std::size_t step, std::size_t limit) noexcept
        : of_cache_(of_cache), step_(step), own_(limit) {}

    // So much, or more; 0 if there is less.
    [[nodiscard]] std::size_t reserve(std::size_t least) noexcept {
        const std::size_t own = own_.reserve(least, std::max(least, step_));
        if (own == 0) return 0;
        const std::size_t reserved = of_cache_.reserve(least, own);
        own_.release(own - reserved);
        return reserved;
    }
    void release(std::size_t bytes) noexcept {
        of_cache_.release(bytes);
        own_.release(bytes);
    }
    // They stay reserved, for the part for all.
    void hand_over(std::size_t bytes) noexcept { own_.release(bytes); }

    // Whether it is not the thread that has no more.
    [[nodiscard]] bool allows(std::size_t bytes) const noexcept { return own_.left() >= bytes; }

private:
    byte_budget& of_cache_;
    const std::size_t step_;
    byte_budget own_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
