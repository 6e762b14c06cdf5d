// SPDX-License-Identifier: BSL-1.0
#include "owners/packed_pages.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>

namespace freehold {

packed_pages::packed_pages() : slots_(std::size_t{1} << 16, no_slot) {}

void packed_pages::expect_addresses(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t upper = begin >> 32; upper <= (end - 1) >> 32; ++upper) {
        if (used_slots_ == number_slot) return;
        if (upper >= slots_.size() || slots_[upper] != no_slot) continue;
        bases_[used_slots_] = upper << 32;
        slots_[upper] = used_slots_++;
    }
}

packed_pages::added_page packed_pages::add(std::uint64_t address, const std::uint64_t* words,
                                           bool keeps_data) {
    end_of_marks_.erase(address);
    if (std::all_of(words, words + words_of_page, [](std::uint64_t each) { return each == 0; }))
        return {};
    constexpr std::size_t most = sizeof(record) + bytes_of_page + bytes_of_word;
    if (bytes_of_piece - used_ < most) {
        if (pieces_.size() == std::size_t{1} << (32 - bits_of_piece)) throw std::bad_alloc();
        pieces_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes_of_piece));
        // No page has the number 0.
        used_ = unit;
    }
    constexpr std::uint64_t learns_at = 16;
    if (added_++ % learns_at == 0) learn_from(words);
    std::byte* const begin = pieces_.back().get() + used_;
    record& made = *new (begin) record;
    std::array<std::uint64_t, words_of_page> codes;
    std::array<word_kind, words_of_page> kinds;
    std::uint64_t others = std::uint64_t{1} << 31;  // all of the other words together
    bool is_bare = true;
    std::uint64_t behind_marks = marks_from_before(address);  // the index of the next word
    for (unsigned group = 0; group != groups; ++group) {
        constexpr std::uint64_t nowhere = std::uint64_t{1} << 62;
        std::uint64_t before = nowhere;     // the last word of 4 bytes, if it is an address
        std::uint64_t previous = to_block;  // the last word, if it is an address
        bool may_be_count = false;
        for (unsigned index = group * 64; index != group * 64 + 64; ++index) {
            const std::uint64_t word = words[index];
            if (word == 0) {
                codes[index] = 0;
                kinds[index] = word_kind::zero;
                previous = to_block;
                may_be_count = slots_[0] != no_slot;
                continue;
            }
            const std::uint8_t slot = slots_[word >> 32 & 0xffff];
            const bool is_number = word >> slot_bits == 0;
            const bool is_pair = (word & ~most_of_pair) == 0;
            const bool is_address = slot != no_slot && (word & ~address_bits) == 0;
            const unsigned frequent = code_of(word);
            const bool is_second = frequent_[frequent + 1] == word;
            const bool is_frequent = is_second | (frequent_[frequent] == word);
            // Without more branches, which the processor cannot predict here.
            std::uint64_t code = word;
            auto kind = word_kind::any_other;
            code = is_number ? std::uint64_t{number_slot} << slot_bits | word : code;
            code = is_address ? std::uint64_t{slot} << slot_bits | (word & 0xffff'ffff) >> 3 : code;
            kind = is_number | is_address ? word_kind::of_4_bytes : kind;
            code = word <= most_of_3_bytes ? word : code;
            kind = word <= most_of_3_bytes ? word_kind::of_3_bytes : kind;
            code = is_pair ? word >> 24 | (word & 0xff) : code;
            kind = is_pair ? word_kind::of_2_bytes : kind;
            code = is_frequent ? frequent + is_second : code;
            kind = is_frequent ? word_kind::of_1_byte : kind;
            kind = word + to_block == previous ? word_kind::block_of_object : kind;
            is_bare &= !(is_number | is_pair | (slot != no_slot));
            if (word >> 48 != 0 || index < behind_marks) {
                if (word >> 48 != 0)
                    behind_marks = std::max(behind_marks, index + marks_at(words, index));
                const bool is_mark = index < behind_marks;
                is_bare &= !is_mark;
                const bool are_counts = (word & 0xff00'ff00'ff00'ff00) == 0 ||
                                        (word & 0xf0f0'f0f0'f0f0'f0f0) == 0 ||
                                        (word & std::uint64_t{0x3fff} << 48) == 0;
                if (!keeps_data && word >> 48 != 0 && slot == no_slot && !may_be_count &&
                    !are_counts && !is_mark) {
                    code = first_mark + (word & 0xff);
                    kind = (word & 0xff) > most_mark ? word_kind::data : word_kind::of_1_byte;
                }
            }
            const std::uint64_t distance =
                (word - before + furthest * bytes_of_word) / bytes_of_word;
            const bool is_of_4 = kind == word_kind::of_4_bytes;
            const bool is_near = is_of_4 & is_address & (distance < near_bit);
            const std::uint64_t short_distance = distance - (furthest - furthest_of_1_byte);
            const bool is_very_near = is_near & (short_distance < 2 * furthest_of_1_byte);
            code = is_near ? near_bit | distance : code;
            kind = is_near ? word_kind::of_2_bytes : kind;
            code = is_very_near ? first_near + short_distance : code;
            kind = is_very_near ? word_kind::of_1_byte : kind;
            before = is_of_4 & !is_near ? is_address ? word : nowhere : before;
            previous = is_address ? word : to_block;
            may_be_count = slot != no_slot;
            others |= kind == word_kind::any_other ? word : 0;
            codes[index] = code;
            kinds[index] = kind;
        }
    }
    made.bytes_of_other = static_cast<std::uint16_t>((std::bit_width(others) + 7) / 8);
    const auto bytes_of_kinds = made.bytes_of_kinds();
    std::byte* const first = begin + sizeof(record);
    std::byte* at = first;
    for (unsigned group = 0; group != groups; ++group) {
        if (group != 0) made.ends[group - 1] = static_cast<std::uint16_t>(at - first);
        for (unsigned index = group * 64; index != group * 64 + 64; ++index) {
            std::memcpy(at, &codes[index], sizeof codes[index]);
            at += bytes_of_kinds[static_cast<unsigned>(kinds[index])];
        }
        made.kinds[group] = bits_of(&kinds[std::size_t{group} * 64]);
    }
    if (behind_marks > words_of_page)
        end_of_marks_.emplace(address, address + behind_marks * bytes_of_word);
    const auto number =
        static_cast<std::uint32_t>((pieces_.size() - 1) << bits_of_piece | used_ / unit);
    used_ = (static_cast<std::size_t>(at - pieces_.back().get()) + unit - 1) / unit * unit;
    return {number, is_bare};
}

std::uint64_t packed_pages::marks_at(const std::uint64_t* words, unsigned index) {
    // The words of freehold::detail::chunk are where its blocks begin and end, their size, and
    // 2^64 divided by this. Five others follow, and then the marks.
    if (index < 3) return 0;
    const std::uint64_t begin = words[index - 3];
    const std::uint64_t end = words[index - 2];
    const std::uint64_t stride = words[index - 1];
    constexpr std::uint64_t largest_stride = std::uint64_t{1} << 16;
    if (stride < bytes_of_word || stride > largest_stride || words[index] * stride >= stride ||
        end <= begin || end >> 48 != 0)
        return 0;
    return 1 + 5 + ((end - begin) / stride + 63) / 64;
}

std::uint64_t packed_pages::marks_from_before(std::uint64_t address) const {
    const auto page = end_of_marks_.lower_bound(address);
    if (page == end_of_marks_.begin()) return 0;
    const std::uint64_t end = std::prev(page)->second;
    return end > address ? (end - address) / bytes_of_word : 0;
}

std::uint32_t packed_pages::give_up_before(std::uint32_t page, std::uint32_t last) {
    if (page == zeros || last == zeros || page >> bits_of_piece != last >> bits_of_piece)
        return last;
    const std::size_t distance = (last - page) * unit;
    std::byte* const piece = pieces_.back().get();
    std::byte* const from = piece + (last & ((1U << bits_of_piece) - 1)) * unit;
    std::memmove(from - distance, from, static_cast<std::size_t>(piece + used_ - from));
    used_ -= distance;
    return page;
}

packed_pages::kind_bits packed_pages::bits_of(const word_kind* kinds) {
    // The product of 8 bytes, each 0 or 1, has their bits in its highest byte.
    constexpr std::uint64_t lowest = 0x0101'0101'0101'0101;
    constexpr std::uint64_t to_highest = 0x0102'0408'1020'4080;
    kind_bits result{};
    for (unsigned i = 0; i != 8; ++i) {
        const auto eight =
            value_at<std::uint64_t>(reinterpret_cast<const std::byte*>(kinds + std::size_t{i} * 8));
        result.first |= ((eight & lowest) * to_highest >> 56) << i * 8;
        result.second |= ((eight >> 1 & lowest) * to_highest >> 56) << i * 8;
        result.third |= ((eight >> 2 & lowest) * to_highest >> 56) << i * 8;
    }
    return result;
}

void packed_pages::learn_from(const std::uint64_t* words) {
    constexpr unsigned enough = 16;  // votes
    for (unsigned i = 0; i != words_of_page; ++i) {
        const std::uint64_t word = words[i];
        const unsigned code = code_of(word);
        if (word == 0 || frequent_[code] == word || frequent_[code + 1] != 0) continue;
        candidate& is = candidates_[code / 2];
        if (is.votes == 0) is.word = word;
        if (is.word != word) {
            --is.votes;
        } else if (++is.votes == enough) {
            frequent_[frequent_[code] == 0 ? code : code + 1] = word;
            is.votes = 0;
        }
    }
}

unsigned packed_pages::bytes_before(const record& of, unsigned index) {
    const unsigned group = index / 64;
    const std::uint64_t below = (std::uint64_t{1} << (index % 64)) - 1;
    const auto count = [below](std::uint64_t bits) {
        return static_cast<unsigned>(__builtin_popcountll(bits & below));
    };
    const auto [first, second, third] = of.kinds[group];
    const unsigned before = group == 0 ? 0 : of.ends[group - 1];
    // Of any other word the first terms are 6 bytes.
    return before + 2 * count(third) + count(third & first) + 2 * count(third & second) +
           count(first & second) + (of.bytes_of_other - 6U) * count(first & second & third);
}

std::uint64_t packed_pages::address_before(const record& of, unsigned index) const {
    const unsigned group = index / 64;
    const std::uint64_t below = (std::uint64_t{1} << (index % 64)) - 1;
    const kind_bits& bits = of.kinds[group];
    const std::uint64_t candidates = bits.third & bits.second & ~bits.first & below;
    if (candidates == 0) return 0;
    const unsigned last = 63 - static_cast<unsigned>(__builtin_clzll(candidates));
    return of_4_bytes(payload(of) + bytes_before(of, group * 64 + last));
}

packed_pages::kept_word packed_pages::word(std::uint32_t page, unsigned index) const {
    if (page == zeros) return {};
    const record& found = record_of(page);
    const std::byte* const at = payload(found) + bytes_before(found, index);
    switch (found.kinds[index / 64].of(index % 64)) {
        case word_kind::zero:
            return {};
        case word_kind::data:
            return {0, true};
        case word_kind::block_of_object:
            return {word(page, index - 1).value - to_block};
        case word_kind::of_1_byte: {
            const auto code = std::to_integer<std::uint8_t>(*at);
            if (code >= first_mark) return {code - std::uint64_t{first_mark}, true, true};
            return {code < first_near ? frequent_[code]
                                      : of_1_byte(code, address_before(found, index))};
        }
        case word_kind::of_2_bytes:
            return {of_2_bytes(at, address_before(found, index))};
        case word_kind::of_3_bytes:
            return {value_at<std::uint32_t>(at) & most_of_3_bytes};
        case word_kind::of_4_bytes:
            return {of_4_bytes(at)};
        default:
            return {of_bytes(at, found.bytes_of_other)};
    }
}

}  // namespace freehold
