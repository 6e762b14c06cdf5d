// SPDX-License-Identifier: BSL-1.0
// CRC-32C against the values of RFC 3720, appendix B.4, and the tables against the instruction.
#include "line/disk/crc32c.hpp"

#include "contracts/content.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::detail::crc32c_test {
namespace {

TEST(crc32c, has_the_values_of_the_standard) {
    std::vector<std::byte> bytes(32, std::byte{0});
    EXPECT_EQ(crc32c(bytes), 0x8A9136AAu);
    bytes.assign(32, std::byte{0xFF});
    EXPECT_EQ(crc32c(bytes), 0x62A8AB43u);
    for (std::size_t i = 0; i != 32; ++i) bytes[i] = static_cast<std::byte>(i);
    EXPECT_EQ(crc32c(bytes), 0x46DD794Eu);
    EXPECT_EQ(crc32c(std::span<const std::byte>()), 0u);
}

TEST(crc32c, is_the_same_by_tables_and_by_instruction) {
    const std::vector<std::byte> bytes = contracts::content_of("any", 300);
    for (std::size_t from = 0; from != 9; ++from) {
        for (std::size_t size = 0; size != 200; ++size) {
            const auto part = std::span(bytes).subspan(from, size);
            EXPECT_EQ(~crc32c_by_tables(~std::uint32_t{0}, part), crc32c(part));
        }
    }
}

}  // namespace
}  // namespace freehold::detail::crc32c_test
