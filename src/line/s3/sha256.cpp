// SPDX-License-Identifier: BSL-1.0
#include "line/s3/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace freehold::inline FREEHOLD_ABI::detail {

sha256& sha256::add(std::string_view text) noexcept {
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

sha256::digest sha256::finish() noexcept {
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

void sha256::take_block() noexcept {
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
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + constants[i] + words[i];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
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

std::string_view bytes_of(const sha256::digest& digest) noexcept {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

sha256::digest hmac_sha256(std::string_view key, std::string_view text) noexcept {
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

std::string hexadecimal(const sha256::digest& digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) text += {digits[byte / 16], digits[byte % 16]};
    return text;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
