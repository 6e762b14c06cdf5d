// SPDX-License-Identifier: BSL-1.0
// What is known of the words in a program's memory, in two bits for each.
#pragma once

#include "owners/memory_image.hpp"

#include <cstdint>
#include <vector>

namespace freehold {

enum class word_meaning : std::uint8_t {
    unknown,
    owner,
    weak,
    left_over,  // its value means nothing
};

class word_meanings {
public:
    /// The image must outlive this object.
    explicit word_meanings(const memory_image& image)
        : image_(&image), bits_(image.segments.size()) {}

    [[nodiscard]] word_meaning of(std::uint64_t address) const {
        const memory_segment* const segment = image_->find(address);
        if (segment == nullptr) return word_meaning::unknown;
        const auto& bits = bits_[number_of(*segment)];
        if (!bits.is_made()) return word_meaning::unknown;
        const std::uint64_t word = (address - segment->begin) / bytes_of_word;
        return static_cast<word_meaning>(bits[word / in_byte] >> (word % in_byte * 2) & 3);
    }
    void set(std::uint64_t address, word_meaning meaning) {
        const memory_segment* const segment = image_->find(address);
        if (segment == nullptr || address % bytes_of_word != 0) return;
        set(*segment, (address - segment->begin) / bytes_of_word, meaning);
    }
    /// Words that begin in the range are left over, whatever they were before and will be.
    void leave_over(memory_range range) {
        range.begin = (range.begin + bytes_of_word - 1) & ~(bytes_of_word - 1);
        const memory_segment* const segment = image_->find(range.begin);
        if (segment == nullptr) return;
        for (std::uint64_t at = range.begin; at < std::min(range.end, segment->end);
             at += bytes_of_word)
            set(*segment, (at - segment->begin) / bytes_of_word, word_meaning::left_over);
    }

private:
    static constexpr std::uint64_t in_byte = 4;  // words

    [[nodiscard]] std::size_t number_of(const memory_segment& segment) const {
        return static_cast<std::size_t>(&segment - image_->segments.data());
    }
    void set(const memory_segment& segment, std::uint64_t word, word_meaning meaning) {
        auto& bits = bits_[number_of(segment)];
        if (!bits.is_made())
            bits =
                sparse_array<std::uint8_t>((segment.end - segment.begin) / bytes_of_word / in_byte);
        std::uint8_t& byte = bits[word / in_byte];
        const unsigned at = word % in_byte * 2;
        const unsigned before = byte >> at & 3;
        if (before == static_cast<unsigned>(word_meaning::left_over)) return;
        byte =
            static_cast<std::uint8_t>((byte & ~(3U << at)) | static_cast<unsigned>(meaning) << at);
    }

    const memory_image* image_;
    std::vector<sparse_array<std::uint8_t>> bits_;  // of each segment, once it is used
};

}  // namespace freehold
