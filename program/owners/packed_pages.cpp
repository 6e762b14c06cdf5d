// SPDX-License-Identifier: BSL-1.0
#include "owners/packed_pages.hpp"

#include <algorithm>
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

packed_pages::added_page packed_pages::add(const std::uint64_t* words, bool keeps_data) {
    if (std::all_of(words, words + words_of_page, [](std::uint64_t each) { return each == 0; })) {
        marks_left_ -= std::min<std::uint64_t>(marks_left_, words_of_page);
        return {};
    }
    constexpr std::size_t most = sizeof(record) + bytes_of_page + bytes_of_word;
    if (bytes_of_piece - used_ < most) {
        if (pieces_.size() == std::size_t{1} << (32 - bits_of_piece)) throw std::bad_alloc();
        pieces_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes_of_piece));
        // No page has the number 0.
        used_ = unit;
    }
    std::byte* const begin = pieces_.back().get() + used_;
    record& made = *new (begin) record;
    std::byte* const first = begin + sizeof(record);
    std::byte* at = first;
    std::uint64_t is_more = 0;
    for (unsigned group = 0; group != groups; ++group) {
        made.offset[group] = static_cast<std::uint16_t>(at - first);
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        std::uint64_t data = 0;
        std::uint64_t before = 0;  // the last address that takes 4 bytes
        bool may_be_count = false;
        for (unsigned i = 0; i != 64; ++i) {
            const std::uint64_t word = words[group * 64 + i];
            const std::uint8_t slot = slots_[word >> 32 & 0xffff];
            const bool is_number = word >> slot_bits == 0;
            const bool is_pair = (word & ~std::uint64_t{0x3f'0000'00ff}) == 0;
            const bool is_address = slot != no_slot && (word & ~address_bits) == 0;
            const std::uint64_t distance =
                (word - before + furthest * bytes_of_word) / bytes_of_word;
            const bool is_near = is_address && before != 0 && distance < near_bit;
            const bool are_counts = (word & 0xff00'ff00'ff00'ff00) == 0 ||
                                    (word & 0xf0f0'f0f0'f0f0'f0f0) == 0 ||
                                    (word & std::uint64_t{0x3fff} << 48) == 0;
            if (word >> 48 != 0) look_for_marks(words, group * 64 + i);
            const bool is_mark = marks_left_ != 0;
            marks_left_ -= static_cast<std::uint64_t>(is_mark);
            const bool is_data = !keeps_data && word >> 48 != 0 && slot == no_slot &&
                                 !may_be_count && !are_counts && !is_mark;
            // Without branches, which the processor cannot predict here.
            std::uint64_t code = word;
            std::uint64_t kind = 3;
            code = is_number ? std::uint64_t{number_slot} << slot_bits | word : code;
            code = is_address ? std::uint64_t{slot} << slot_bits | (word & 0xffff'ffff) >> 3 : code;
            kind = is_number | is_address ? 1 : kind;
            code = is_pair ? word >> 24 | (word & 0xff) : code;
            code = is_near ? near_bit | distance : code;
            code = is_data ? data_bit | (word & 0xff) : code;
            kind = is_pair | is_near | is_data ? 2 : kind;
            const bool is_left_out = is_data && (word & 0xff) > most_mark;
            kind = word == 0 || is_left_out ? 0 : kind;
            before = kind == 1 ? is_address ? word : 0 : before;
            std::memcpy(at, &code, sizeof code);
            at += bytes_of_kind[kind];
            low |= (kind & 1) << i;
            high |= kind >> 1 << i;
            data |= std::uint64_t{is_left_out} << i;
            may_be_count = slot != no_slot;
            is_more |= static_cast<std::uint64_t>(word != 0 && !is_data &&
                                                  (kind != 3 || slot != no_slot || is_mark));
        }
        made.low[group] = low;
        made.high[group] = high;
        made.data[group] = data;
    }
    const auto number =
        static_cast<std::uint32_t>((pieces_.size() - 1) << bits_of_piece | used_ / unit);
    used_ = (static_cast<std::size_t>(at - pieces_.back().get()) + unit - 1) / unit * unit;
    return {number, is_more == 0};
}

void packed_pages::look_for_marks(const std::uint64_t* words, unsigned index) {
    // The words of freehold::detail::chunk are where its blocks begin and end, their size, and
    // 2^64 divided by this. Five others follow, and then the marks.
    if (index < 3) return;
    const std::uint64_t begin = words[index - 3];
    const std::uint64_t end = words[index - 2];
    const std::uint64_t stride = words[index - 1];
    constexpr std::uint64_t largest_stride = std::uint64_t{1} << 16;
    if (stride < bytes_of_word || stride > largest_stride || words[index] * stride >= stride ||
        end <= begin || end >> 48 != 0)
        return;
    marks_left_ = 1 + 5 + ((end - begin) / stride + 63) / 64;
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

unsigned packed_pages::bytes_before(const record& of, unsigned index) {
    const unsigned group = index / 64;
    const std::uint64_t below = (std::uint64_t{1} << (index % 64)) - 1;
    const auto count = [](std::uint64_t bits) {
        return static_cast<unsigned>(__builtin_popcountll(bits));
    };
    const std::uint64_t low = of.low[group] & below;
    const std::uint64_t high = of.high[group] & below;
    return of.offset[group] + 4 * count(low) + 2 * count(high) + 2 * count(low & high);
}

std::uint64_t packed_pages::address_before(const record& of, unsigned index) const {
    const unsigned group = index / 64;
    const std::uint64_t below = (std::uint64_t{1} << (index % 64)) - 1;
    const std::uint64_t candidates = of.low[group] & ~of.high[group] & below;
    if (candidates == 0) return 0;
    const unsigned last = 63 - static_cast<unsigned>(__builtin_clzll(candidates));
    return of_4_bytes(payload(of) + bytes_before(of, group * 64 + last));
}

packed_pages::kept_word packed_pages::word(std::uint32_t page, unsigned index) const {
    if (page == zeros) return {};
    const record& found = record_of(page);
    const std::uint64_t low = found.low[index / 64] >> (index % 64) & 1;
    const std::uint64_t high = found.high[index / 64] >> (index % 64) & 1;
    if ((low | high) == 0) return {0, (found.data[index / 64] >> (index % 64) & 1) != 0};
    const std::byte* const at = payload(found) + bytes_before(found, index);
    if (high == 0) return {of_4_bytes(at)};
    if (low != 0) return {value_at<std::uint64_t>(at)};
    return of_2_bytes(at, address_before(found, index));
}

}  // namespace freehold
