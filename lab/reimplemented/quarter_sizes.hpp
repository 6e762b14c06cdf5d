// SPDX-License-Identifier: BSL-1.0
// The sizes that jemalloc and Netty round up to: multiples of 16 up to 64, then four per power of
// two.
#pragma once

#include <freehold/config.hpp>

#include <bit>
#include <cstddef>

namespace freehold::reimplemented {

struct quarter_sizes {
    // The index of the smallest of these sizes that is at least `size`. `size` is at least 1.
    [[nodiscard]] static constexpr std::size_t index(std::size_t size) noexcept {
        if (size <= 64) return (size - 1) / 16;
        const auto doubling = static_cast<std::size_t>(std::bit_width(size - 1)) - 1;
        return 4 * (doubling - 5) + ((size - 1 - (std::size_t{1} << doubling)) >> (doubling - 2));
    }
    [[nodiscard]] static constexpr std::size_t size(std::size_t index) noexcept {
        if (index < 4) return 16 * (index + 1);
        const std::size_t doubling = index / 4 + 5;
        return (std::size_t{1} << doubling) + ((index % 4 + 1) << (doubling - 2));
    }
    [[nodiscard]] static constexpr std::size_t round_up(std::size_t bytes) noexcept {
        return size(index(bytes));
    }
};

}  // namespace freehold::reimplemented
