// SPDX-License-Identifier: BSL-1.0
// The memory of Freehold's pools: where their blocks begin, how large they are, and which of them
// are free. A free block is marked in its chunk, or is in a magazine: one of a thread's cache, or a
// full one of the depot. All are read as include/freehold/memory/detail/ lays them out.
#pragma once

#include "owners/memory_image.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace freehold {

/// Calls its argument, as `use(address, word)`, for each word that may be a handle.
using words_of_program =
    std::function<void(const std::function<void(std::uint64_t, std::uint64_t)>&)>;

class pool_map {
public:
    /// Blocks of one size, one after the other.
    struct range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t stride = 0;
        std::uint64_t marks = 0;  // where a bit for each block is set if the block is free
        std::uint64_t first = 0;  // how many blocks the ranges before have

        /// Returns the begin of the block around an address in the range.
        [[nodiscard]] std::uint64_t block_around(std::uint64_t address) const {
            return begin + (address - begin) / stride * stride;
        }
    };

    /// The image must outlive this object.
    pool_map(const memory_image& image, const words_of_program& words);

    /// Returns the range around an address, or null.
    [[nodiscard]] const range* around(std::uint64_t address) const {
        return range_around(address, ranges_);
    }
    [[nodiscard]] const std::vector<range>& ranges() const { return ranges_; }
    /// Returns how many blocks there are.
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    /// Returns where the block with this number begins, of the blocks of all ranges.
    [[nodiscard]] std::uint64_t block(std::uint64_t number) const;
    /// Whether the address is in a pool's block that is not in use.
    [[nodiscard]] bool is_free(std::uint64_t address) const;

private:
    void look_at(std::uint64_t address, std::uint64_t word);
    void add_chunk(std::uint64_t begin_at, std::uint64_t begin);
    void add_cache(std::uint64_t cache, std::uint64_t blocks);
    void add_depot(std::uint64_t depot);
    void add_free(std::uint64_t from, std::uint64_t number);

    const memory_image& image_;
    std::vector<range> ranges_;  // sorted
    std::uint64_t blocks_ = 0;
    std::vector<std::uint64_t> free_;  // blocks in magazines, sorted
    // The last words, by which a thread's cache is found.
    std::array<std::pair<std::uint64_t, std::uint64_t>, 4> last_{};
    std::size_t looked_at_ = 0;
};

}  // namespace freehold
