// SPDX-License-Identifier: BSL-1.0
// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for signatures of a few hundred bytes. libcurl does not
// export its own, and which library of cryptography it uses differs between systems.
#pragma once

#include <freehold/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

class sha256 {
public:
    using digest = std::array<unsigned char, 32>;
    static constexpr std::size_t block_size = 64;

    sha256& add(std::string_view text) noexcept;

    // Of all that was added. Nothing may be added afterwards.
    [[nodiscard]] digest finish() noexcept;

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

    void take_block() noexcept;

    // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, block_size> block_{};
    std::size_t filled_ = 0;  // bytes of the block
    std::uint64_t size_ = 0;
};

std::string_view bytes_of(const sha256::digest& digest) noexcept;

sha256::digest hmac_sha256(std::string_view key, std::string_view text) noexcept;

std::string hexadecimal(const sha256::digest& digest);

}  // namespace freehold::inline FREEHOLD_ABI::detail
