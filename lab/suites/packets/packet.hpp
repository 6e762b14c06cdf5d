// SPDX-License-Identifier: BSL-1.0
// What is allocated in the suite `packets`, and what its makers and readers do to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lab::packets {

constexpr std::size_t packet_bytes = 2048;
constexpr std::size_t line_words = 64 / sizeof(std::uint64_t);
constexpr std::size_t packet_words = packet_bytes / sizeof(std::uint64_t);

/// Enough for a packet beside the counts of any std::allocate_shared.
constexpr std::size_t shared_block_bytes = packet_bytes + 64;

/// Its constructor leaves it as it is, wherever it is made.
struct packet {
    packet() noexcept {}  // NOLINT(modernize-use-equals-default): `= default` would let T() zero it

    std::uint64_t words[packet_words];
};

/// Its constructor zeroes it, even where it is made for overwriting.
struct zeroed_packet {
    std::uint64_t words[packet_words] = {};
};

static_assert(sizeof(packet) == packet_bytes && sizeof(zeroed_packet) == packet_bytes);

/// What of a packet is written by its maker and read by its receiver.
enum class touched { nothing, first_line, all };

template <touched What>
inline constexpr std::size_t words_touched = What == touched::all          ? packet_words
                                             : What == touched::first_line ? line_words
                                                                           : 0;

/// Written and read 16 bytes at a time, four lines before a branch. Of a loop that is left to them,
/// g++ makes one of 128 steps that takes 37 or 72 ns by where in the program it comes to stand.
using two_words [[gnu::vector_size(16)]] = std::uint64_t;

/// No two lines alike, so that no compiler makes it a call of memset, whose way to write changes
/// with the processor at just about this size.
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

/// The sum of what was written.
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
