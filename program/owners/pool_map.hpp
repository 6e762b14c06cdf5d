// SPDX-License-Identifier: BSL-1.0
// The memory of Freehold's pools: where their blocks begin, and how large they are.
#pragma once

#include "owners/memory_image.hpp"

#include <cstdint>
#include <vector>

namespace freehold {

/// Blocks of one size, one after the other.
struct pool_range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t stride = 0;

    /// Returns the begin of the block around an address in the range.
    [[nodiscard]] std::uint64_t block_around(std::uint64_t address) const {
        return begin + (address - begin) / stride * stride;
    }
};

/// Returns the range that `freehold::detail::chunk`, as include/freehold/memory/detail/chunk.hpp
/// lays it out, describes at this address. Its stride is 0 if there is none.
inline pool_range pool_range_at(const memory_image& image, std::uint64_t address) {
    constexpr std::uint64_t largest_stride = std::uint64_t{1} << 30;
    constexpr std::uint64_t bits_of_word = 64;
    const auto word = [&](unsigned index) {
        return image.word_or_zero(address + index * bytes_of_word);
    };
    const pool_range found{word(0), word(1), word(2)};
    if (found.begin == 0 || found.end <= found.begin || found.stride < bytes_of_word ||
        found.stride > largest_stride || (found.end - found.begin) % found.stride != 0)
        return {};
    const std::uint64_t blocks = (found.end - found.begin) / found.stride;
    // Words 3 to 7 are the stride's inverse, the blocks, the free ones, the first word of the bits
    // that is not 0, and the bytes that have pages.
    if (word(4) != blocks || word(5) > blocks || word(6) > blocks / bits_of_word + 1 ||
        word(7) > found.end - found.begin || image.find(found.begin) == nullptr)
        return {};
    return found;
}

}  // namespace freehold
