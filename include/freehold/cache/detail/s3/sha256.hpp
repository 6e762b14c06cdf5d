// SPDX-License-Identifier: BSL-1.0
// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for signatures of a few hundred bytes. libcurl does not
// export its own, and which library of cryptography it uses differs between systems.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

class sha256 {
public:
    using digest = std::array<unsigned char, 32>;
    static constexpr std::size_t block_size = 64;

    sha256& add(std::string_view text) noexcept {
        size_ += text.size();
        while (!text.empty()) {
            const std::size_t some = std::min(text.size(), block_size - filled_);
            std::memcpy(block_.data() + filled_, text.data(), some);
            text.remove_prefix(some);
            filled_ += some;
            if (filled_ == block_size) take_block();
        }
        return *this;
    }

    // Of all that was added. Nothing may be added afterwards.
    [[nodiscard]] digest finish() noexcept {
        constexpr std::size_t length_size = sizeof(std::uint64_t);
        block_[filled_++] = 0x80;
        std::fill(block_.begin() + filled_, block_.end(), static_cast<unsigned char>(0));
        if (filled_ > block_size - length_size) {
            take_block();
            block_.fill(0);
        }
        const std::uint64_t bits = 8 * size_;
        for (std::size_t i = 0; i != length_size; ++i) {
            block_[block_size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
        }
        take_block();
        digest result{};
        for (std::size_t i = 0; i != result.size(); ++i) {
            result[i] = static_cast<unsigned char>(state_[i / 4] >> (24 - 8 * (i % 4)));
        }
        return result;
    }

private:
    // The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    static constexpr std::array<std::uint32_t, 64> constants{
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};

    void take_block() noexcept {
        std::array<std::uint32_t, 64> words{};
        for (std::size_t i = 0; i != block_size; ++i) {
            words[i / 4] = words[i / 4] << 8 | block_[i];
        }
        for (std::size_t i = 16; i != words.size(); ++i) {
            const std::uint32_t far = words[i - 15];
            const std::uint32_t near = words[i - 2];
            words[i] = words[i - 16] + words[i - 7] +
                       (std::rotr(far, 7) ^ std::rotr(far, 18) ^ far >> 3) +
                       (std::rotr(near, 17) ^ std::rotr(near, 19) ^ near >> 10);
        }
        auto [a, b, c, d, e, f, g, h] = state_;
        for (std::size_t i = 0; i != words.size(); ++i) {
            const std::uint32_t first = h +
                                        (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                        ((e & f) ^ (~e & g)) + constants[i] + words[i];
            const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                                         ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + second;
        }
        const std::array<std::uint32_t, 8> sum{a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i != sum.size(); ++i) state_[i] += sum[i];
        filled_ = 0;
    }

    // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, block_size> block_{};
    std::size_t filled_ = 0;  // bytes of the block
    std::uint64_t size_ = 0;
};

inline std::string_view bytes_of(const sha256::digest& digest) noexcept {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

inline sha256::digest hmac_sha256(std::string_view key, std::string_view text) noexcept {
    sha256::digest short_key{};
    if (key.size() > sha256::block_size) {
        short_key = sha256().add(key).finish();
        key = bytes_of(short_key);
    }
    std::array<char, sha256::block_size> inner{};
    std::copy(key.begin(), key.end(), inner.begin());
    std::array<char, sha256::block_size> outer = inner;
    for (char& c : inner) c ^= 0x36;
    for (char& c : outer) c ^= 0x5c;
    const auto hash = sha256().add({inner.data(), inner.size()}).add(text).finish();
    return sha256().add({outer.data(), outer.size()}).add(bytes_of(hash)).finish();
}

inline std::string hexadecimal(const sha256::digest& digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) text += {digits[byte / 16], digits[byte % 16]};
    return text;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
