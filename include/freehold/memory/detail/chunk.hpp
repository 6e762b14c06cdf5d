// SPDX-License-Identifier: BSL-1.0
// A piece of memory divided into blocks of one size. A separate bitmap marks the blocks that are
// free and in no magazine; it takes one bit for each block.
// take hands out blocks in the order of their addresses, whatever the order of their return. So
// objects that are allocated one after the other are neighbours. No block is touched.
// Not thread-safe: the depot locks.
#pragma once

#include <freehold/detail/rounding.hpp>

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

class chunk {
public:
    // The bytes that a chunk of this many blocks needs, apart from the blocks.
    [[nodiscard]] static constexpr std::size_t size_for(std::size_t blocks) noexcept {
        return sizeof(chunk) + words_for(blocks) * sizeof(std::uint64_t);
    }

    // Constructs a chunk in `place`, which has size_for(blocks) bytes, for memory at `begin`. All
    // blocks are free.
    [[nodiscard]] static chunk* make_in(void* place, std::byte* begin, std::size_t stride,
                                        std::size_t blocks, bool is_overflow) noexcept {
        return ::new (place) chunk(begin, stride, blocks, is_overflow);
    }

    [[nodiscard]] std::byte* begin() const noexcept { return begin_; }
    [[nodiscard]] std::byte* end() const noexcept { return end_; }
    [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }
    [[nodiscard]] std::size_t free_blocks() const noexcept { return free_blocks_; }
    // Whether the chunk is a single block that was taken from the upstream beyond the pool's
    // capacity. It returns to the upstream when it is freed.
    [[nodiscard]] bool is_overflow() const noexcept { return is_overflow_; }

    // Takes up to `wanted` blocks with the lowest addresses. Writes them from `end` downwards, so
    // that a stack whose top is `end` pops them in ascending order. Returns the number of blocks.
    std::size_t take(void** end, std::size_t wanted) noexcept {
        wanted = smaller(wanted, free_blocks_);
        std::size_t missing = wanted;
        for (; missing > 0; ++lowest_word_) {
            std::uint64_t& word = words()[lowest_word_];
            while (word != 0 && missing > 0) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(word));
                *--end = begin_ + (lowest_word_ * 64 + bit) * stride_;
                word &= word - 1;
                --missing;
            }
            if (word != 0) break;
        }
        free_blocks_ -= wanted;
        return wanted;
    }

    enum class answer { taken_back, was_free, no_block };
    [[nodiscard]] answer give(const void* block) noexcept {
        const std::size_t number = number_of(block);
        const answer given = answer_for(number);
        if (given == answer::taken_back) {
            words()[number / 64] |= std::uint64_t{1} << number % 64;
            lowest_word_ = smaller(lowest_word_, number / 64);
            ++free_blocks_;
        }
        return given;
    }
    // Returns what `give` would return, and changes nothing.
    [[nodiscard]] answer answer_to(const void* block) const noexcept {
        return answer_for(number_of(block));
    }

    [[nodiscard]] bool contains(const void* place) const noexcept {
        const auto* const at = static_cast<const std::byte*>(place);
        constexpr std::compare_three_way compare;
        constexpr auto less = std::strong_ordering::less;
        return compare(at, begin_) != less && compare(at, end_) == less;
    }
    [[nodiscard]] bool is_free(std::size_t number) const noexcept {
        return (words()[number / 64] >> number % 64 & 1) != 0;
    }

    // Returns the memory that must get its pages before the block `last_used` is used. The range
    // starts where the last returned range ended. It has `ahead` bytes, or extends to the end of
    // the block if that is further. It is empty if the block already has its pages.
    struct range {
        std::byte* begin;
        std::size_t size;
    };
    [[nodiscard]] range claim_pages(const void* last_used, std::size_t ahead) noexcept {
        const auto used =
            static_cast<std::size_t>(static_cast<const std::byte*>(last_used) - begin_) + stride_;
        const std::size_t all = blocks_ * stride_;
        if (used <= paged_) return {nullptr, 0};
        const std::size_t from = paged_;
        paged_ = smaller(all, larger(used, from + ahead));
        return {begin_ + from, paged_ - from};
    }
    // Excludes the first `size` bytes of the chunk from claim_pages.
    void skip_pages(std::size_t size) noexcept { paged_ = size; }

    chunk* next = nullptr;  // in the list that contains this chunk

private:
    chunk(std::byte* begin, std::size_t stride, std::size_t blocks, bool is_overflow) noexcept
        : begin_(begin),
          end_(begin + blocks * stride),
          stride_(stride),
          inverse_(~std::uint64_t{0} / stride + 1),
          blocks_(blocks),
          free_blocks_(blocks),
          is_overflow_(is_overflow) {
        std::uninitialized_fill_n(words(), words_for(blocks), ~std::uint64_t{0});
        if (blocks % 64 != 0) words()[blocks / 64] >>= 64 - blocks % 64;
    }

    // Returns at least blocks_ if the address is not the start of a block.
    [[nodiscard]] std::size_t number_of(const void* block) const noexcept {
        const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(block) - begin_);
        const std::size_t number = quotient(offset);
        return number * stride_ == offset ? number : blocks_;
    }
    [[nodiscard]] answer answer_for(std::size_t number) const noexcept {
        if (number >= blocks_) return answer::no_block;
        return is_free(number) ? answer::was_free : answer::taken_back;
    }

    // Returns offset / stride_. `offset` is in the chunk, and less than 2^64 / stride_.
    [[nodiscard]] std::size_t quotient(std::size_t offset) const noexcept {
        if (inverse_ == 0) return offset;  // blocks of one byte
        __extension__ using wide = unsigned __int128;
        return static_cast<std::size_t>(static_cast<wide>(offset) * inverse_ >> 64);
    }

    [[nodiscard]] static constexpr std::size_t words_for(std::size_t blocks) noexcept {
        return (blocks + 63) / 64;
    }
    // Bit i of word w represents block 64 w + i. It is set if the block is free. All words below
    // lowest_word_ are zero.
    [[nodiscard]] std::uint64_t* words() noexcept {
        return std::launder(reinterpret_cast<std::uint64_t*>(this + 1));
    }
    [[nodiscard]] const std::uint64_t* words() const noexcept {
        return std::launder(reinterpret_cast<const std::uint64_t*>(this + 1));
    }

    std::byte* begin_;
    std::byte* end_;
    std::size_t stride_;
    std::uint64_t inverse_;  // 2^64 / stride_, rounded up
    std::size_t blocks_;
    std::size_t free_blocks_;
    std::size_t lowest_word_ = 0;
    std::size_t paged_ = 0;
    bool is_overflow_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
