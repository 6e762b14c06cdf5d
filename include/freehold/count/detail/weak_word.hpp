// SPDX-License-Identifier: BSL-1.0
// What it is: the word that contains a count of owners and a count of weak references.
//
// Bits 0 to 28 count weak references, and one more while there are owners. Bits 29 to 63 count
// owners. They are negative if 2^34 owners overflowed, or if a count marks the object as gone. One
// addition changes either count, and one comparison shows that there is no other handle.
#pragma once

#include <freehold/config.hpp>

#include <bit>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail::weak_word {

inline constexpr std::int64_t weak = 1;
inline constexpr std::int64_t owner = std::int64_t{1} << 29;
inline constexpr std::int64_t weak_mask = owner - 1;

// One owner, no weak references.
inline constexpr std::int64_t alone = owner + weak;

// The bytes of a count that begins as `alone` with a half word behind it, and zeros behind that.
struct initial_bytes {
    std::uint64_t first;
    std::uint64_t second;
};
[[nodiscard]] constexpr initial_bytes alone_beside(std::uint16_t half) noexcept {
    struct {
        std::int64_t word;
        std::uint16_t halves[4];
    } const bytes = {alone, {half}};
    return std::bit_cast<initial_bytes>(bytes);
}

// Marks an object as gone.
inline constexpr std::int64_t gone = INT64_MIN;

// The word of a count whose last handle was released: gone, and without weak references. An
// instruction that stores a number of 32 bits stores it, which `gone` is too long for.
inline constexpr std::int64_t at_rest = INT32_MIN;

// Half of what there is room for, so that many threads at once cannot run past the check.
inline constexpr std::int64_t most_weak = owner / 2;

[[nodiscard]] constexpr std::int64_t owners(std::int64_t word) noexcept {
    return word / owner;
}

// The word of so many owners and no weak reference.
[[nodiscard]] constexpr std::int64_t only(std::int64_t owners) noexcept {
    return owners * owner + weak;
}

// The word after an addition, negative if owners overflowed: signed addition would let the compiler
// take it that they cannot.
[[nodiscard, gnu::always_inline]] constexpr std::int64_t after_adding(std::int64_t unit,
                                                                      std::int64_t word) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(word) +
                                     static_cast<std::uint64_t>(unit));
}

[[noreturn, gnu::cold]] FREEHOLD_API void overflow() noexcept;
[[noreturn, gnu::cold]] FREEHOLD_API void used_at_rest() noexcept;

// Ends the program after an addition that has left the word negative. Owners have overflowed, or a
// handle to a dead object was copied. The parameter is volatile. Otherwise g++ would pass the
// value, so every addition would end in a register and not in the word itself. The function is
// inlined by force. Otherwise g++ would keep the address in the register of the call's argument,
// and copy handles of one thread up to 10 % slower.
[[noreturn, gnu::always_inline]] inline void refuse_addition(
    const volatile std::int64_t& after) noexcept {
    if (after - gone < owner) overflow();
    used_at_rest();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail::weak_word

#if FREEHOLD_HEADER_ONLY
#include <freehold/count/detail/weak_word_inl.hpp>
#endif
