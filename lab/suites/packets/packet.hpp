// SPDX-License-Identifier: BSL-1.0
// What the suite `packets` allocates, and what its makers and readers do to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lab::packets {

constexpr std::size_t packet_bytes = 2048;
constexpr std::size_t line_words = 64 / sizeof(std::uint64_t);
constexpr std::size_t packet_words = packet_bytes / sizeof(std::uint64_t);

/// Room for a packet and the counts of any std::allocate_shared.
constexpr std::size_t shared_block_bytes = packet_bytes + 64;

/// Its constructor does not write to it, whichever way it is made.
struct packet {
    packet() noexcept {}  // NOLINT(modernize-use-equals-default): `= default` would let T() zero it

    std::uint64_t words[packet_words];
};

/// Its constructor zeroes it, even if it is made for overwriting.
struct zeroed_packet {
    std::uint64_t words[packet_words] = {};
};

static_assert(sizeof(packet) == packet_bytes && sizeof(zeroed_packet) == packet_bytes);

/// The part of a packet that its maker writes and its receiver reads.
enum class touched { nothing, first_line, all };

template <touched What>
inline constexpr std::size_t words_touched = What == touched::all          ? packet_words
                                             : What == touched::first_line ? line_words
                                                                           : 0;

/// The loops below write and read 16 bytes at a time, and branch after four lines. Without that,
/// g++ makes a loop of 128 steps that takes 37 or 72 ns, depending on its address in the program.
using two_words [[gnu::vector_size(16)]] = std::uint64_t;

/// Gives each line another value. Otherwise a compiler could make the loop a call of memset, which
/// on some processors changes its way to write at about this size.
template <touched What>
void write(packet& to, std::uint64_t value) noexcept {
#pragma GCC unroll 4
    for (std::size_t line = 0; line < words_touched<What>; line += line_words) {
        const two_words words = {value + line, value + line + 1};
        for (std::size_t i = 0; i < line_words; i += 2) {
            std::memcpy(&to.words[line + i], &words, sizeof words);
        }
    }
}

/// Returns the sum of what was written.
template <touched What>
std::uint64_t read(const packet& from) noexcept {
    two_words sum = {};
#pragma GCC unroll 4
    for (std::size_t line = 0; line < words_touched<What>; line += line_words) {
        two_words of_line = {};
        for (std::size_t i = 0; i < line_words; i += 2) {
            two_words words;
            std::memcpy(&words, &from.words[line + i], sizeof words);
            of_line += words;
        }
        sum += of_line;
    }
    return sum[0] + sum[1];
}

}  // namespace lab::packets
