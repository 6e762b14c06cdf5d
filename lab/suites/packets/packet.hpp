// SPDX-License-Identifier: BSL-1.0
// What is allocated in the suite `packets`, and what its makers and readers do to it.
#pragma once

#include <cstddef>
#include <cstdint>

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

constexpr std::size_t words_of(touched what) {
    if (what == touched::nothing) return 0;
    return what == touched::first_line ? line_words : packet_words;
}

/// No two words alike, so that no compiler makes it a call of memset, whose way to write changes
/// with the processor at just about this size.
template <touched What>
void write(packet& to, std::uint64_t value) noexcept {
    for (std::size_t i = 0; i < words_of(What); ++i) to.words[i] = value + i;
}

/// The sum of what was written.
template <touched What>
std::uint64_t read(const packet& from) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words_of(What); ++i) sum += from.words[i];
    return sum;
}

}  // namespace lab::packets
