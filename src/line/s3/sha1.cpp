// SPDX-License-Identifier: BSL-1.0
#include "line/s3/sha1.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

std::string sha1_of(std::string_view text) {
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    const std::uint64_t bits = 8 * std::uint64_t{text.size()};
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);

    std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t at = 0; at != padded.size(); at += 64) {
        std::array<std::uint32_t, 80> words{};
        for (std::size_t i = 0; i != 64; ++i) {
            words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(padded[at + i]);
        }
        for (std::size_t i = 16; i != words.size(); ++i) {
            words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        }
        auto [a, b, c, d, e] = state;
        for (std::size_t i = 0; i != words.size(); ++i) {
            const std::uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                                        : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                                        : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                                 : (b ^ c ^ d) + 0xca62c1d6;
            const std::uint32_t next = std::rotl(a, 5) + mixed + e + words[i];
            e = d;
            d = c;
            c = std::rotl(b, 30);
            b = a;
            a = next;
        }
        const std::array<std::uint32_t, 5> sum{a, b, c, d, e};
        for (std::size_t i = 0; i != sum.size(); ++i) state[i] += sum[i];
    }
    std::string text_of_state;
    constexpr std::string_view digits = "0123456789abcdef";
    for (const std::uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4) text_of_state += digits[word >> shift & 15];
    }
    return text_of_state;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
