// SPDX-License-Identifier: BSL-1.0
// Sizes as programs ask for them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <random>

namespace freehold::contracts {

// Small ones often, large ones seldom; half of them powers of two and their neighbours.
inline std::size_t random_size(std::mt19937& random, std::size_t largest) {
    const auto bits = static_cast<std::size_t>(std::bit_width(random() & 0xffffU));
    const std::size_t size = std::size_t{1} << (16 - bits + 1);
    const std::size_t odd = random() % 2 == 0 ? random() % size : random() % 3 - 1;
    return std::clamp<std::size_t>(size + odd, 1, largest);
}

}  // namespace freehold::contracts
