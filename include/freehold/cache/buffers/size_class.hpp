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
        const std::size_t at_least_8 = std::max<std::size_t>(size, 8);
        const auto doublings = static_cast<std::size_t>(std::bit_width(at_least_8)) - 4;  // of 8
        return 8 * doublings + (at_least_8 >> doublings) - 8;
    }
    // The smallest size of the class; the next one's smallest is beyond it. of(smallest(i)) == i.
    [[nodiscard]] static constexpr std::size_t smallest(std::size_t index) noexcept {
        return index == 0 ? 0 : (8 + index % 8) << index / 8;
    }
};

}  // namespace freehold
