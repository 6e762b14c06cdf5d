// SPDX-License-Identifier: BSL-1.0
// A bound on the bytes that several users hold together. Each user reserves bytes before it holds
// them, so that the total never exceeds the limit. A reservation is one atomic operation.
// Thread-safe.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// Relaxed throughout: the number guards no data, and the modification order of one number is all
// that it needs.
class byte_quota {
public:
    explicit byte_quota(std::size_t limit) noexcept : limit_(limit), left_(limit) {}

    // Reserves as much as is left, up to `most`. Reserves nothing if less than `least` is left.
    [[nodiscard]] std::size_t reserve(std::size_t least, std::size_t most) noexcept {
        std::size_t now = left();
        for (;;) {
            if (now < least) return 0;
            const std::size_t taken = now < most ? now : most;
            if (__atomic_compare_exchange_n(&left_, &now, now - taken, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
                return taken;
            }
        }
    }
    void release(std::size_t bytes) noexcept {
        __atomic_fetch_add(&left_, bytes, __ATOMIC_RELAXED);
    }

    [[nodiscard]] std::size_t left() const noexcept {
        return __atomic_load_n(&left_, __ATOMIC_RELAXED);
    }
    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

private:
    const std::size_t limit_;
    std::size_t left_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
