// SPDX-License-Identifier: BSL-1.0
// What it is: the size classes of statistics and policies. Each power of two is divided into eight
// classes, so a class's largest size is less than 1.125 times its smallest. Sizes up to 8 share
// class 0.
// When to use it: in a policy of your own, or to evaluate buffer_class_statistics.
// Example: `size_class::smallest(size_class::of(1500)) == 1408`
//
// Units: bytes. There are 488 classes.
// Complexity: constant; a few instructions without a branch.
// Thread safety: no state.
// Exceptions: none.
// Ownership: none.
// Source: the exponent and mantissa of a floating-point number.
#pragma once

#include <freehold/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

struct size_class {
    // The number of classes.
    static constexpr std::size_t count = 8 * 61;

    // `size` is less than 2^63. The class is the exponent and the first three bits of the mantissa
    // of `size` as a double. This avoids the bit-scan instruction, which has a false dependency on
    // its destination on many processors. Beyond 2^53 the conversion rounds, so a size just below a
    // class may count with it.
    [[nodiscard]] static constexpr std::size_t of(std::size_t size) noexcept {
        const auto signed_size = static_cast<std::int64_t>(size);
        const std::int64_t at_least_8 = signed_size < 8 ? 8 : signed_size;
        const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(at_least_8));
        return (bits >> 49) - 8 * (1023 + 3);
    }
    // The smallest size of the class. of(smallest(index)) == index.
    [[nodiscard]] static constexpr std::size_t smallest(std::size_t index) noexcept {
        return index == 0 ? 0 : (8 + index % 8) << index / 8;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI
