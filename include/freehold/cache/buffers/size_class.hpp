// SPDX-License-Identifier: BSL-1.0
// Classes of sizes: eight for each doubling, so that a class's largest size is at most 1.125 times
// its smallest; sizes up to 16 have a class each. Statistics are kept by them, and policies may use
// them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace freehold {

struct size_class {
    // Sizes of 2^40 bytes and more share the last.
    static constexpr std::size_t count = 16 + 8 * 36;

    [[nodiscard]] static constexpr std::size_t of(std::size_t size) noexcept {
        if (size < 16) return size;
        const auto doublings = static_cast<std::size_t>(std::bit_width(size)) - 5;  // beyond 16
        const std::size_t index = 16 + 8 * doublings + ((size >> (doublings + 1)) & 7);
        return index < count ? index : count - 1;
    }
    // The smallest size of the class; the next one's smallest is beyond it. of(smallest(i)) == i.
    [[nodiscard]] static constexpr std::size_t smallest(std::size_t index) noexcept {
        if (index < 16) return index;
        return (8 + (index - 16) % 8) << ((index - 16) / 8 + 1);
    }
};

}  // namespace freehold
