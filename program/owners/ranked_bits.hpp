// SPDX-License-Identifier: BSL-1.0
// Bits of which those that are set have numbers, in their order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

class ranked_bits {
public:
    /// Adds a bit behind the others.
    void add(bool is_set) {
        if (size_ % bits_of_word == 0) {
            if (words_.size() % words_of_group == 0) before_.push_back(set_);
            words_.push_back(0);
        }
        words_.back() |= std::uint64_t{is_set} << (size_++ % bits_of_word);
        if (is_set) ++set_;
    }
    [[nodiscard]] bool operator[](std::uint32_t at) const {
        return (words_[at / bits_of_word] >> (at % bits_of_word) & 1) != 0;
    }
    /// Returns how many bits are set.
    [[nodiscard]] std::uint32_t count() const { return set_; }
    /// Returns how many bits before this one are set.
    [[nodiscard]] std::uint32_t number_of(std::uint32_t at) const {
        const std::size_t word = at / bits_of_word;
        std::uint32_t result = before_[word / words_of_group];
        for (std::size_t i = word / words_of_group * words_of_group; i != word; ++i)
            result += count_of(words_[i]);
        const std::uint64_t below = (std::uint64_t{1} << (at % bits_of_word)) - 1;
        return result + count_of(words_[word] & below);
    }
    /// Returns the bit that is set and has this number.
    [[nodiscard]] std::uint32_t with_number(std::uint32_t number) const {
        const auto group = std::upper_bound(before_.begin(), before_.end(), number) - 1;
        std::uint32_t left = number - *group;
        auto i = static_cast<std::size_t>(group - before_.begin()) * words_of_group;
        for (; count_of(words_[i]) <= left; ++i) left -= count_of(words_[i]);
        std::uint64_t word = words_[i];
        for (; left != 0; --left) word &= word - 1;
        return static_cast<std::uint32_t>(i * bits_of_word) + trailing_zeros(word);
    }
    /// Calls `use(bit)` for each bit that is set.
    template <class Use>
    void for_each(Use use) const {
        for (std::size_t i = 0; i != words_.size(); ++i)
            for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
                use(static_cast<std::uint32_t>(i * bits_of_word) + trailing_zeros(left));
    }

private:
    static constexpr std::uint32_t bits_of_word = 64;
    static constexpr std::size_t words_of_group = 8;

    static std::uint32_t count_of(std::uint64_t word) {
        return static_cast<std::uint32_t>(std::popcount(word));
    }
    static std::uint32_t trailing_zeros(std::uint64_t word) {
        return static_cast<std::uint32_t>(std::countr_zero(word));
    }

    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> before_;  // of each group of words: how many bits before it are set
    std::uint32_t size_ = 0;
    std::uint32_t set_ = 0;
};

}  // namespace freehold
