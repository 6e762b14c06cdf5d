// SPDX-License-Identifier: BSL-1.0
// Where the chunks of a heap are, in two bits for each 16 bytes: whether a chunk begins there, and
// whether it is in use. Chunks in use have numbers, in the order of their addresses: a number is
// how many such bits are before the chunk.
#pragma once

#include "owners/memory_image.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

constexpr std::uint32_t no_number = UINT32_MAX;

/// Memory that an allocator has handed out.
struct heap_chunk {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t number = no_number;

    explicit operator bool() const { return number != no_number; }
    [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

class heap_map {
public:
    /// Memory in which many chunks begin, all at multiples of 16 from `begin`. A chunk's memory
    /// ends 8 bytes before that of the next.
    class range {
    public:
        range(std::uint64_t begin, std::uint64_t end);
        void add(std::uint64_t chunk, bool is_used);

    private:
        friend class heap_map;
        std::uint64_t begin_;
        std::uint64_t end_;
        bool is_single_ = false;  // one chunk, which is in use
        // What is asked for together is kept together.
        struct bits_of_64 {
            std::uint64_t begins = 0;
            std::uint64_t used = 0;
        };
        struct group {
            std::uint32_t number;  // of the first chunk in use
            std::uint32_t last;    // where the last chunk before begins, in 16 bytes
        };
        std::vector<bits_of_64> words_;
        std::vector<group> groups_;           // of these words
        std::vector<std::uint32_t> samples_;  // the group of each 64th chunk in use
        std::uint32_t first_number_ = 0;
        std::uint32_t behind_ = 0;  // the last chunk's number, and 1
    };

    void add(range&& made) { ranges_.push_back(std::move(made)); }
    void add_single(std::uint64_t begin, std::uint64_t end);
    /// Gives the chunks their numbers. It must be called before the searches below. Throws
    /// owners_error if there are more than 2^31 chunks.
    void number();
    /// Says that the chunk that begins there is not in use. The numbers then are no longer right.
    void free(std::uint64_t begin);

    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// Whether a chunk that is in use begins at an address. It needs no numbers, but their order.
    [[nodiscard]] bool begins_at(std::uint64_t address) const;
    /// Returns the chunk around an address, or none. The result's `end` is not set, because few
    /// need it.
    [[nodiscard]] heap_chunk around(std::uint64_t address) const;
    /// Returns the chunk that begins at an address, or none.
    [[nodiscard]] heap_chunk from(std::uint64_t address) const;
    /// Returns the number of that chunk, or no_number.
    [[nodiscard]] std::uint32_t number_from(std::uint64_t address) const;
    [[nodiscard]] heap_chunk operator[](std::uint32_t number) const;

    /// Calls `use(address, word, chunk)` for each word in a chunk in use that is neither 0 nor
    /// data, in the order of their addresses.
    template <class Use>
    void for_each_word(const memory_image& image, Use use) const {
        for (const range& each : ranges_) {
            chunks_of_words in(each);
            image.for_each_word({each.begin_, each.end_},
                                [&](std::uint64_t address, std::uint64_t word) {
                                    if (in.go_to(address)) use(address, word, in.chunk());
                                });
        }
    }
    /// Calls `use(chunk)` for each chunk in use, in the order of their addresses.
    template <class Use>
    void for_each(Use use) const {
        for (const range& each : ranges_) {
            if (each.is_single_) {
                use(heap_chunk{each.begin_, each.end_, each.first_number_});
                continue;
            }
            std::uint32_t number = each.first_number_;
            for (std::size_t i = 0; i != each.words_.size(); ++i)
                for (std::uint64_t left = each.words_[i].used; left != 0; left &= left - 1) {
                    const std::size_t at = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
                    use(heap_chunk{each.begin_ + at * granule, end_of(each, at), number++});
                }
        }
    }

private:
    static constexpr std::uint64_t granule = 16;
    static constexpr std::size_t words_of_group = 8;

    /// The chunks in use of a range around addresses that become larger.
    class chunks_of_words {
    public:
        explicit chunks_of_words(const range& in) : in_(in) {
            if (in.is_single_)
                chunk_ = {in.begin_, in.end_, in.first_number_};
            else
                left_ = in.words_.front().used;
            chunk_.number = in.first_number_ - (in.is_single_ ? 0 : 1);
        }
        /// Returns whether there is one around this address.
        bool go_to(std::uint64_t address) {
            if (address < chunk_.end) return true;
            if (in_.is_single_) return false;
            const std::size_t at = (address - in_.begin_) / granule;
            std::size_t found = SIZE_MAX;
            for (;; left_ &= left_ - 1, ++chunk_.number) {
                while (left_ == 0 && word_ != at / 64) left_ = in_.words_[++word_].used;
                if (left_ == 0) break;
                const std::size_t next = word_ * 64 + static_cast<unsigned>(__builtin_ctzll(left_));
                if (next > at) break;
                found = next;
            }
            if (found == SIZE_MAX) return false;
            chunk_.begin = in_.begin_ + found * granule;
            chunk_.end = end_of(in_, found);
            return address < chunk_.end;
        }
        [[nodiscard]] const heap_chunk& chunk() const { return chunk_; }

    private:
        const range& in_;
        heap_chunk chunk_;        // the last one that begins before the last address
        std::uint64_t left_ = 0;  // of the bits of those in use, in this word, those behind it
        std::size_t word_ = 0;
    };

    /// Where a chunk begins whose number was found last, of those with the same lowest bits.
    struct known_chunk {
        std::uint32_t number = no_number;
        std::uint64_t begin = 0;
    };
    [[nodiscard]] known_chunk& known(std::uint32_t number) const {
        return known_[number % known_.size()];
    }

    [[nodiscard]] const range* find(std::uint64_t address) const;
    static std::uint64_t end_of(const range& in, std::size_t at);
    static std::uint32_t number_of(const range& in, std::size_t at);
    [[nodiscard]] heap_chunk chunk_behind(const known_chunk& before) const;
    [[nodiscard]] heap_chunk find_number(std::uint32_t number) const;

    std::vector<range> ranges_;  // sorted once they have numbers
    std::uint32_t size_ = 0;
    std::uint64_t lowest_ = 0;  // no chunk begins before, or behind so many bytes from there
    std::uint64_t span_ = 0;
    mutable std::size_t last_found_ = 0;
    mutable std::array<known_chunk, 256> known_;
};

}  // namespace freehold
