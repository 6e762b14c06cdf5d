// SPDX-License-Identifier: BSL-1.0
// Pages of a program's memory in a packed form, in which each word can be read by itself.
//
// Most words of a heap are 0, a small number or an address. Two bits for each word say how many
// bytes it takes: none for 0; 4 for an address or a number below 2^29; 8 for any other; and 2 for
// two small numbers in its halves (as two counts are), for an address near to the one before, and
// for data whose lowest byte may be a mark. Of other data, only a bit says that it is there. This
// is the way of WKdm (Wilson, Kaplan, Smaragdakis, "The Case for Compressed Caching in Virtual
// Memory Systems", 1999), but each word can be read by itself.
//
// A word is data if one of its 16 highest bits is set and five things are not so: without these
// bits it is an address; the word before it is an address, as that before counts is; it is several
// small counts, as those of malloc's caches are; of these bits only the two highest are set, which
// mark counts; it is among the marks by which one of Freehold's pools says which blocks are free.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace freehold {

constexpr std::uint64_t bytes_of_word = 8;
constexpr std::uint64_t bytes_of_page = 4096;
constexpr unsigned words_of_page = bytes_of_page / bytes_of_word;
// Bits of a pointer that programs use for marks of their own are left out.
constexpr std::uint64_t address_bits = 0x0000'ffff'ffff'fff8;

class packed_pages {
public:
    static constexpr std::uint32_t zeros = 0;  // the number of each page that is all 0

    packed_pages();

    /// Words with a value in this range are taken for addresses. The ranges that are named first
    /// take least memory.
    void expect_addresses(std::uint64_t begin, std::uint64_t end);

    struct added_page {
        std::uint32_t number = zeros;
        /// No word is an address, or may be the head of a chunk of the heap.
        bool is_bare = true;
    };
    /// Adds a page. `keeps_data`: no word is data. Throws std::bad_alloc, also if there are more
    /// than 32 GiB of packed pages.
    added_page add(const std::uint64_t* words, bool keeps_data);
    /// Gives up the page that was added before this one, which was added last. Returns the new
    /// number of this page.
    std::uint32_t give_up_before(std::uint32_t page, std::uint32_t last);

    struct kept_word {
        std::uint64_t value = 0;
        bool is_data = false;   // the value is not known
        bool has_mark = false;  // but its lowest byte is
    };
    [[nodiscard]] kept_word word(std::uint32_t page, unsigned index) const;

    /// Calls `use(index, word)` for each word that is neither 0 nor data, from `first` to before
    /// `last`.
    template <class Use>
    void for_each(std::uint32_t page, unsigned first, unsigned last, Use use) const {
        if (page == zeros) return;
        const record& found = record_of(page);
        const std::byte* at = payload(found) + bytes_before(found, first);
        std::uint64_t before = first % 64 == 0 ? 0 : address_before(found, first);
        for (unsigned group = first / 64; group * 64 < last; ++group) {
            const std::uint64_t low = found.low[group];
            const std::uint64_t high = found.high[group];
            std::uint64_t left = low | high;
            if (group * 64 < first) left &= ~std::uint64_t{0} << (first % 64);
            if (last - group * 64 < 64) left &= (std::uint64_t{1} << (last % 64)) - 1;
            for (; left != 0; left &= left - 1) {
                const auto bit = static_cast<unsigned>(__builtin_ctzll(left));
                if ((high >> bit & 1) == 0) {
                    before = of_4_bytes(at);
                    use(group * 64 + bit, before);
                    at += 4;
                } else if ((low >> bit & 1) == 0) {
                    const kept_word word = of_2_bytes(at, before);
                    if (!word.is_data) use(group * 64 + bit, word.value);
                    at += 2;
                } else {
                    use(group * 64 + bit, value_at<std::uint64_t>(at));
                    at += 8;
                }
            }
        }
    }

private:
    static constexpr unsigned groups = words_of_page / 64;
    static constexpr unsigned bytes_of_kind[4] = {0, 4, 2, 8};
    // A piece of memory has many packed pages. A page's number is that of its piece, and where it
    // begins in the piece, in units.
    static constexpr std::size_t unit = 8;
    static constexpr unsigned bits_of_piece = 17;
    static constexpr std::size_t bytes_of_piece = unit << bits_of_piece;
    static constexpr std::uint8_t number_slot = 7;  // of numbers that are no addresses
    static constexpr unsigned slot_bits = 29;

    struct record {
        std::array<std::uint16_t, groups> offset;  // of each group's first word in the payload
        std::array<std::uint64_t, groups> low;     // bits of the words' kinds
        std::array<std::uint64_t, groups> high;
        std::array<std::uint64_t, groups> data;  // words that take no bytes, but are not 0
    };

    [[nodiscard]] const record& record_of(std::uint32_t page) const {
        return *reinterpret_cast<const record*>(pieces_[page >> bits_of_piece].get() +
                                                (page & ((1U << bits_of_piece) - 1)) * unit);
    }
    /// Notes that the words from one on are marks of a pool, if they are.
    void look_for_marks(const std::uint64_t* words, unsigned index);

    static const std::byte* payload(const record& of) {
        return reinterpret_cast<const std::byte*>(&of + 1);
    }
    /// How many bytes of the payload are before a word.
    static unsigned bytes_before(const record& of, unsigned index);

    /// Returns the last word of 4 bytes before this one in its group, which it has for certain if
    /// this one is near to it.
    [[nodiscard]] std::uint64_t address_before(const record& of, unsigned index) const;

    template <class T>
    static T value_at(const std::byte* at) {
        T result;
        std::memcpy(&result, at, sizeof result);
        return result;
    }
    [[nodiscard]] std::uint64_t of_4_bytes(const std::byte* at) const {
        const auto code = value_at<std::uint32_t>(at);
        const unsigned slot = code >> slot_bits;
        return bases_[slot] + (std::uint64_t{code & ((1U << slot_bits) - 1)} << shifts_[slot]);
    }
    // Codes of 2 bytes: the highest bit is set for data, and the next for a distance, in words. Of
    // two numbers, the upper one has 6 bits.
    static constexpr unsigned data_bit = 1U << 15;
    static constexpr unsigned near_bit = 1U << 14;
    static constexpr std::uint64_t furthest = near_bit / 2;
    static constexpr std::uint64_t most_mark = 15;
    static kept_word of_2_bytes(const std::byte* at, std::uint64_t before) {
        const unsigned code = value_at<std::uint16_t>(at);
        if ((code & data_bit) != 0) return {code & 0xffU, true, true};
        if ((code & near_bit) != 0)
            return {before + ((code & (near_bit - 1)) - furthest) * bytes_of_word};
        return {static_cast<std::uint64_t>(code >> 8) << 32 | (code & 0xffU)};
    }

    std::vector<std::unique_ptr<std::byte[]>> pieces_;
    std::size_t used_ = bytes_of_piece;  // of the last piece
    // Addresses are distinguished by their upper halves, of which there are few.
    static constexpr std::uint8_t no_slot = 8;
    std::vector<std::uint8_t> slots_;  // by the upper half
    std::array<std::uint64_t, 8> bases_{};
    std::array<unsigned, 8> shifts_{3, 3, 3, 3, 3, 3, 3, 0};
    std::uint8_t used_slots_ = 0;
    std::uint64_t marks_left_ = 0;  // so many of the next words are marks of a pool
};

}  // namespace freehold
