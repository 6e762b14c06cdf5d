// SPDX-License-Identifier: BSL-1.0
// What it is: the place of a handle of one word.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Platform>
class basic_one_word_place {
public:
    using words = std::uintptr_t;

    static constexpr std::uintptr_t word_of(words value) noexcept { return value; }
    static constexpr std::uintptr_t other_word_of(words) noexcept { return 0; }
    static constexpr words from(std::uintptr_t word, std::uintptr_t) noexcept { return word; }
    static constexpr bool is_read_at_once() noexcept { return true; }

    constexpr explicit basic_one_word_place(words initial) noexcept : word_(initial) {}

    // The word whose key is owed.
    [[nodiscard]] std::uintptr_t load_word(std::memory_order order) const noexcept {
        return word_.load(order);
    }
    [[nodiscard]] words load() const noexcept {
        // seq_cst: see debts_slow.hpp; and atomic pointers promise it.
        return word_.load(std::memory_order_seq_cst);
    }
    words exchange(words desired) noexcept {
        // seq_cst: as above.
        return word_.exchange(desired, std::memory_order_seq_cst);
    }

private:
    typename Platform::template atomic<std::uintptr_t> word_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
