// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/buffer/detail/quota.hpp>
#include <freehold/config.hpp>

#include <algorithm>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

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
