// SPDX-License-Identifier: BSL-1.0
#include "line/s3/streaming_copy.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::streaming_copy_test {
namespace {

constexpr std::byte around{0xA5};

std::vector<std::byte> numbered(std::size_t size) {
    std::vector<std::byte> bytes(size);  // NOLINT(freehold-hidden-zeroing): a test
    for (std::size_t i = 0; i != size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 256 + 1);
    return bytes;
}

TEST(streaming_copy, copies_exactly_any_range) {
    const std::vector<std::byte> source = numbered(1'000);
    alignas(64) std::array<std::byte, 1'000> target;
    for (std::size_t to = 0; to != 65; ++to) {
        for (const std::size_t from : {0u, 1u, 7u, 16u, 63u}) {
            for (std::size_t size = 0; size < 330; size += size < 200 ? 1 : 13) {
                target.fill(around);
                detail::streaming_copy(target.data() + to, source.data() + from, size);
                const auto begin = target.begin() + std::ptrdiff_t(to);
                const auto end = begin + std::ptrdiff_t(size);
                const auto is_around = [](std::byte each) { return each == around; };
                ASSERT_TRUE(std::equal(begin, end, source.begin() + std::ptrdiff_t(from)) &&
                            std::all_of(target.begin(), begin, is_around) &&
                            std::all_of(end, target.end(), is_around))
                    << size << " bytes from " << from << " to " << to;
            }
        }
    }
}

TEST(streaming_copy, is_ordered_by_a_later_release) {
    constexpr std::size_t piece = 16 << 10;
    constexpr std::size_t pieces = 1'024;
    const std::vector<std::byte> source = numbered(piece + pieces);
    std::vector<std::byte> target(piece * pieces);
    std::atomic<std::size_t> arrived{0};
    std::thread writer([&] {
        for (std::size_t i = 0; i != pieces; ++i) {
            detail::streaming_copy(target.data() + i * piece, source.data() + i, piece);
            // release: a thread that sees the count sees the piece.
            arrived.store(i + 1, std::memory_order_release);
        }
    });
    std::size_t wrong = 0;
    for (std::size_t seen = 0; seen != pieces;) {
        // acquire: the pieces before it are visible.
        for (const std::size_t now = arrived.load(std::memory_order_acquire); seen != now; ++seen) {
            const auto begin = target.begin() + std::ptrdiff_t(seen * piece);
            const auto expected = source.begin() + std::ptrdiff_t(seen);
            if (!std::equal(begin, begin + std::ptrdiff_t(piece), expected)) ++wrong;
        }
    }
    writer.join();
    EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace freehold::streaming_copy_test
