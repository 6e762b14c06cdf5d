// SPDX-License-Identifier: BSL-1.0
// Pages of a program's memory in a packed form, in which each word can be read by itself.
//
// Most words of a heap are 0, a small number or an address. Three bits for each word say how many
// bytes it takes. None: 0, and the address of a block of counts directly behind that of its object.
// One: a word that the memory has often, as the address of virtual functions, the size of a chunk
// or two counts of 1; an address very near to the one before; data whose lowest byte may be a mark.
// Two: two small numbers in its halves, and an address near to the one before. Three: a number
// below 2^24. Four: an address, or a number below 2^29. Any other word takes as many bytes as the
// largest of those on its page. Of other data, only the bits say that it is there. This is the way
// of WKdm (Wilson, Kaplan, Smaragdakis, "The Case for Compressed Caching in Virtual Memory
// Systems", 1999), but each word can be read by itself.
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
#include <map>
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
    /// Adds the page of this address. `keeps_data`: no word is data. Throws std::bad_alloc, also if
    /// there are more than 32 GiB of packed pages.
    added_page add(std::uint64_t address, const std::uint64_t* words, bool keeps_data);
    /// Gives up the page that was added before this one, which was added last. Returns the new
    /// number of this page.
    std::uint32_t give_up_before(std::uint32_t page, std::uint32_t last);

    /// Returns how many words from this page's first on are marks of a pool from pages before it.
    [[nodiscard]] std::uint64_t marks_from_before(std::uint64_t address) const;

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
        const auto bytes_of_kinds = found.bytes_of_kinds();
        const std::byte* at = payload(found) + bytes_before(found, first);
        std::uint64_t before = first % 64 == 0 ? 0 : address_before(found, first);
        std::uint64_t previous = 0;
        if (first % 64 != 0 && found.kinds[first / 64].of(first % 64) == word_kind::block_of_object)
            previous = word(page, first - 1).value;
        for (unsigned group = first / 64; group * 64 < last; ++group) {
            const kind_bits& bits = found.kinds[group];
            std::uint64_t left = bits.second | bits.third;
            if (group * 64 < first) left &= ~std::uint64_t{0} << (first % 64);
            if (last - group * 64 < 64) left &= (std::uint64_t{1} << (last % 64)) - 1;
            for (; left != 0; left &= left - 1) {
                const auto bit = static_cast<unsigned>(__builtin_ctzll(left));
                const unsigned index = group * 64 + bit;
                const word_kind kind = bits.of(bit);
                const unsigned size = bytes_of_kinds[static_cast<unsigned>(kind)];
                std::uint64_t word = 0;
                bool is_data = false;
                if (kind == word_kind::of_4_bytes) {
                    word = before = of_4_bytes(at);
                } else if (kind == word_kind::of_1_byte) {
                    const auto code = std::to_integer<std::uint8_t>(*at);
                    is_data = code >= first_mark;
                    word = code < first_near ? frequent_[code] : of_1_byte(code, before);
                } else if (kind == word_kind::of_2_bytes) {
                    word = of_2_bytes(at, before);
                } else if (kind == word_kind::block_of_object) {
                    word = previous - to_block;
                } else {
                    word = of_bytes(at, size);
                }
                if (!is_data) use(index, word);
                previous = word;
                at += size;
            }
        }
    }

private:
    static constexpr unsigned groups = words_of_page / 64;
    enum class word_kind : std::uint8_t {
        zero,
        data,
        block_of_object,  // the word directly before it, an address, less `to_block`
        of_1_byte,
        of_2_bytes,
        of_3_bytes,
        of_4_bytes,
        any_other
    };
    static constexpr std::uint64_t to_block = 16;  // from an object that std::make_shared made
    // A piece of memory has many packed pages. A page's number is that of its piece, and where it
    // begins in the piece, in units.
    static constexpr std::size_t unit = 8;
    static constexpr unsigned bits_of_piece = 17;
    static constexpr std::size_t bytes_of_piece = unit << bits_of_piece;
    static constexpr std::uint8_t number_slot = 7;  // of numbers that are no addresses
    static constexpr unsigned slot_bits = 29;

    /// The kinds of 64 words: the first bit of each, the second and the third.
    struct kind_bits {
        std::uint64_t first;
        std::uint64_t second;
        std::uint64_t third;

        [[nodiscard]] word_kind of(unsigned index) const {
            return static_cast<word_kind>((first >> index & 1) | (second >> index & 1) << 1 |
                                          (third >> index & 1) << 2);
        }
    };
    struct record {
        std::uint16_t bytes_of_other;                // of each such word
        std::array<std::uint16_t, groups - 1> ends;  // of the words of all groups but the last
        std::array<kind_bits, groups> kinds;

        [[nodiscard]] std::array<std::uint8_t, 8> bytes_of_kinds() const {
            return {0, 0, 0, 1, 2, 3, 4, static_cast<std::uint8_t>(bytes_of_other)};
        }
    };

    [[nodiscard]] const record& record_of(std::uint32_t page) const {
        return *reinterpret_cast<const record*>(pieces_[page >> bits_of_piece].get() +
                                                (page & ((1U << bits_of_piece) - 1)) * unit);
    }
    /// Returns how many words from this one on are marks of a pool. They may end behind the page.
    static std::uint64_t marks_at(const std::uint64_t* words, unsigned index);

    static const std::byte* payload(const record& of) {
        return reinterpret_cast<const std::byte*>(&of + 1);
    }
    /// How many bytes of the payload are before a word.
    static unsigned bytes_before(const record& of, unsigned index);

    /// Returns the last word of 4 bytes before this one in its group, which it has for certain if
    /// this one is near to it.
    [[nodiscard]] std::uint64_t address_before(const record& of, unsigned index) const;
    /// Of 64 words.
    static kind_bits bits_of(const word_kind* kinds);
    /// Looks for frequent words.
    void learn_from(const std::uint64_t* words);
    /// Returns the first of the two codes that a frequent word may have.
    static unsigned code_of(std::uint64_t word) {
        constexpr std::uint64_t any_odd = 0x9e37'79b9'7f4a'7c15;
        return static_cast<unsigned>(word * any_odd >> 58) * 2;
    }

    template <class T>
    static T value_at(const std::byte* at) {
        T result;
        std::memcpy(&result, at, sizeof result);
        return result;
    }
    /// Reads 8 bytes.
    static std::uint64_t of_bytes(const std::byte* at, unsigned size) {
        const unsigned unused = 64 - 8 * size;
        return value_at<std::uint64_t>(at) << unused >> unused;
    }
    [[nodiscard]] std::uint64_t of_4_bytes(const std::byte* at) const {
        const auto code = value_at<std::uint32_t>(at);
        const unsigned slot = code >> slot_bits;
        return bases_[slot] + (std::uint64_t{code & ((1U << slot_bits) - 1)} << shifts_[slot]);
    }
    // Codes of 2 bytes: the highest bit is set for a distance, in words. Of two numbers, the upper
    // one has 7 bits.
    static constexpr unsigned near_bit = 1U << 15;
    static constexpr std::uint64_t furthest = near_bit / 2;
    static constexpr std::uint64_t most_of_pair = 0x7f'0000'00ff;
    static std::uint64_t of_2_bytes(const std::byte* at, std::uint64_t before) {
        const unsigned code = value_at<std::uint16_t>(at);
        if ((code & near_bit) != 0)
            return before + ((code & (near_bit - 1)) - furthest) * bytes_of_word;
        return static_cast<std::uint64_t>(code >> 8) << 32 | (code & 0xffU);
    }
    static constexpr std::uint32_t most_of_3_bytes = 0xff'ffff;
    static constexpr std::uint64_t most_mark = 15;
    // Codes of 1 byte are those of frequent words, then distances, and then data with its mark.
    static constexpr std::uint64_t furthest_of_1_byte = 56;
    static constexpr unsigned first_near = 128;
    static constexpr unsigned first_mark = first_near + 2 * furthest_of_1_byte;
    static_assert(first_mark + most_mark == 255);
    static std::uint64_t of_1_byte(unsigned code, std::uint64_t before) {
        return before + (code - first_near - furthest_of_1_byte) * bytes_of_word;
    }

    std::vector<std::unique_ptr<std::byte[]>> pieces_;
    std::size_t used_ = bytes_of_piece;  // of the last piece
    // Addresses are distinguished by their upper halves, of which there are few.
    static constexpr std::uint8_t no_slot = 8;
    std::vector<std::uint8_t> slots_;  // by the upper half
    std::array<std::uint64_t, 8> bases_{};
    std::array<unsigned, 8> shifts_{3, 3, 3, 3, 3, 3, 3, 0};
    std::uint8_t used_slots_ = 0;
    // Where marks of pools end, by the page on which they begin, if it is another one.
    std::map<std::uint64_t, std::uint64_t> end_of_marks_;
    // By their codes, two for each set of words. One that was the most frequent of its set for a
    // while takes a code, and keeps it.
    std::array<std::uint64_t, first_near> frequent_{};
    struct candidate {
        std::uint64_t word = 0;
        unsigned votes = 0;
    };
    std::array<candidate, first_near / 2> candidates_{};
    std::uint64_t added_ = 0;  // pages
};

}  // namespace freehold
