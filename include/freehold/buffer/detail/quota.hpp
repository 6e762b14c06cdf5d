// SPDX-License-Identifier: BSL-1.0
// A bound on the bytes that several users hold together. Each user reserves bytes before it holds
// them, so that the total never exceeds the limit. A reservation is one atomic operation.
// Thread-safe.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// Relaxed throughout: the number guards no data, and the modification order of one atomic is all
// that it needs.
class byte_quota {
public:
    explicit byte_quota(std::size_t limit) noexcept : limit_(limit), left_(limit) {}

    // Reserves as much as is left, up to `most`. Reserves nothing if less than `least` is left.
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

// The part of the cache's quota that one thread cache may use. Each byte is reserved from both.
class thread_quota {
public:
    // reserve() takes `step` bytes at a time, if they are available.
    thread_quota(byte_quota& cache_quota, std::size_t step, std::size_t limit) noexcept
        : cache_quota_(cache_quota), step_(step), own_(limit) {}

    // Reserves at least `least` bytes, or returns 0.
    [[nodiscard]] std::size_t reserve(std::size_t least) noexcept {
        const std::size_t own = own_.reserve(least, std::max(least, step_));
        if (own == 0) return 0;
        const std::size_t reserved = cache_quota_.reserve(least, own);
        own_.release(own - reserved);
        return reserved;
    }
    void release(std::size_t bytes) noexcept {
        cache_quota_.release(bytes);
        own_.release(bytes);
    }
    // The bytes stay reserved from the cache's quota, for the central cache.
    void move_to_central(std::size_t bytes) noexcept { own_.release(bytes); }

    // Whether the thread's own quota would allow these bytes.
    [[nodiscard]] bool has_left(std::size_t bytes) const noexcept { return own_.left() >= bytes; }

private:
    byte_quota& cache_quota_;
    const std::size_t step_;
    byte_quota own_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
