// SPDX-License-Identifier: BSL-1.0
// Some 64 KiB of memory cut into blocks of one size, and a bitmap that says which are free.
//
// A slab is aligned to its size, so a block's address tells its slab and its number there: a block
// has no header, and freeing it touches two words of its slab and none of the block. The bitmap
// hands blocks out in the order of their addresses however they came back, which is what keeps
// objects that are made one after the other next to each other.
//
// Costs BlockSize bytes a block and, for each slab, the blocks that its header overlaps: 0.6% of
// the slab with blocks of 24 bytes. Not thread-safe: block_depot locks.
// Source: Bonwick, "The Slab Allocator" (USENIX 1994), the colours included.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace freehold::detail {

template <std::size_t BlockSize>
class block_slab {
public:
    // Two levels of 64-bit words must be able to tell its blocks.
    static constexpr std::size_t size =
        std::bit_floor(std::min<std::size_t>(std::size_t{64} << 10, 64 * 64 * BlockSize));
    static_assert(BlockSize >= 8 && BlockSize <= size / 8, "a slab would hold too few such blocks");

    // Makes a slab of `size` bytes that are aligned to `size`: all its blocks free, in no list.
    [[nodiscard]] static block_slab* make_in(void* memory) noexcept {
        return ::new (header_in(memory)) block_slab;
    }

    [[nodiscard]] static block_slab* of(void* block) noexcept {
        return std::launder(static_cast<block_slab*>(header_in(start_of(block))));
    }

    [[nodiscard]] bool is_exhausted() const noexcept { return words_with_free_ == 0; }

    [[nodiscard]] std::size_t free_blocks() const noexcept {
        std::size_t blocks = 0;
        for (const std::uint64_t word : free_) {
            blocks += static_cast<std::size_t>(std::popcount(word));
        }
        return blocks;
    }

    // Takes up to `wanted` blocks, those of the lowest addresses. Writes them from `end` downwards,
    // so that a stack whose top is `end` gives them in ascending order. Returns how many it took.
    std::size_t take(void** end, std::size_t wanted) noexcept {
        std::byte* const first = start();
        void** place = end;
        void** const last = end - wanted;
        while (place != last && words_with_free_ != 0) {
            const auto word = static_cast<std::size_t>(std::countr_zero(words_with_free_));
            std::uint64_t& free = free_[word];
            do {
                const auto bit = static_cast<std::size_t>(std::countr_zero(free));
                *--place = first + (word * 64 + bit) * BlockSize;
                free &= free - 1;
            } while (free != 0 && place != last);
            if (free == 0) words_with_free_ &= words_with_free_ - 1;
        }
        return static_cast<std::size_t>(end - place);
    }

    void give(void* block) noexcept {
        const std::size_t number = offset_of(block) / BlockSize;
        free_[number / 64] |= std::uint64_t{1} << number % 64;
        words_with_free_ |= std::uint64_t{1} << number / 64;
    }

    block_slab* next = nullptr;  // for the list that it is in

private:
    static constexpr std::size_t capacity = size / BlockSize;
    static constexpr std::size_t words = (capacity + 63) / 64;
    using bitmap = std::array<std::uint64_t, words>;

    block_slab() noexcept : free_(blocks_beside(this)) {
        for (std::size_t word = 0; word < words; ++word) {
            if (free_[word] != 0) words_with_free_ |= std::uint64_t{1} << word;
        }
    }

    static std::size_t offset_of(const void* place) noexcept {
        return reinterpret_cast<std::uintptr_t>(place) % size;
    }
    static std::byte* start_of(void* place) noexcept {
        return static_cast<std::byte*>(place) - offset_of(place);
    }
    [[nodiscard]] std::byte* start() noexcept { return start_of(this); }

    // A header lies in the midst of its blocks, at one of `colours` places that the slab's address
    // chooses. At the same place in each, all headers would compete for a few sets of the caches,
    // and giving back blocks of many slabs would miss each time.
    static void* header_in(void* start) noexcept {
        constexpr std::size_t step = (sizeof(block_slab) + 63) / 64 * 64;
        constexpr std::size_t colours = std::bit_floor(size / step);
        const std::size_t colour = reinterpret_cast<std::uintptr_t>(start) / size % colours;
        return static_cast<std::byte*>(start) + colour * step;
    }

    // All blocks but those that the header overlaps.
    static bitmap blocks_beside(const block_slab* slab) noexcept {
        bitmap blocks;
        blocks.fill(~std::uint64_t{0});
        if constexpr (capacity % 64 != 0) blocks.back() >>= 64 - capacity % 64;
        const std::size_t header = offset_of(slab);
        const std::size_t behind =
            std::min(capacity, (header + sizeof(block_slab) + BlockSize - 1) / BlockSize);
        for (std::size_t i = header / BlockSize; i < behind; ++i) {
            blocks[i / 64] &= ~(std::uint64_t{1} << i % 64);
        }
        return blocks;
    }

    // Bit i of word w stands for block 64 w + i; a bit of `words_with_free_` for a word that is not
    // zero.
    std::uint64_t words_with_free_ = 0;
    bitmap free_;
};

}  // namespace freehold::detail
