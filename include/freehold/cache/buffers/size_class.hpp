// SPDX-License-Identifier: BSL-1.0
// Classes of sizes: eight for each doubling, so that a class's largest size is less than 1.125
// times its smallest; sizes up to 8 share the first. Statistics are kept by them, and policies may
// use them.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

struct size_class {
    static constexpr std::size_t count = 8 * 61;

    // As a floating-point number has it: the leading bit's place, and the three bits behind it. A
    // few instructions without a branch, and without the one that looks for the leading bit, which
    // on many processors waits for what its result is written over. Beyond 2^53, sizes just below a
    // class count with it; there are none beyond 2^63.
    [[nodiscard]] static constexpr std::size_t of(std::size_t size) noexcept {
        const auto at_least_8 = std::max<std::int64_t>(static_cast<std::int64_t>(size), 8);
        const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(at_least_8));
        return (bits >> 49) - 8 * (1023 + 3);
    }
    // The smallest size of the class; the next one's smallest is beyond it. of(smallest(i)) == i.
    [[nodiscard]] static constexpr std::size_t smallest(std::size_t index) noexcept {
        return index == 0 ? 0 : (8 + index % 8) << index / 8;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI
