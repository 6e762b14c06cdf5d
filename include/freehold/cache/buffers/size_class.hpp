// SPDX-License-Identifier: BSL-1.0
// Classes of sizes: eight for each doubling, so that a class's largest size is less than 1.125 times
// its smallest; sizes up to 8 share the first. Statistics are kept by them, and policies may use
// them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace freehold {

struct size_class {
    static constexpr std::size_t count = 8 * 61;

    // A few instructions and no branch: the leading bit and the three behind it.
    [[nodiscard]] static constexpr std::size_t of(std::size_t size) noexcept {
        // Sizes below 8 count with those from 8 to 15, whose classes are their sizes as well.
        const auto doubling = static_cast<std::size_t>(std::bit_width(size | 8)) - 1;
        const std::size_t index = 8 * doubling + (size >> (doubling - 3)) - 24;
        return index < count ? index : count - 1;
    }
    // The smallest size of the class; the next one's smallest is beyond it. of(smallest(i)) == i.
    [[nodiscard]] static constexpr std::size_t smallest(std::size_t index) noexcept {
        return index == 0 ? 0 : (8 + index % 8) << index / 8;
    }
};

}  // namespace freehold
