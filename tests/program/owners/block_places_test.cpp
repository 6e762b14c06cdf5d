// SPDX-License-Identifier: BSL-1.0
#include "owners/block_places.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::block_places_test {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t in_pools = 0x2000'0000;

/// An image of one page, in which two pools say where their blocks are.
class two_pools {
public:
    two_pools() {
        memory_segment& segment = image_.add_segment(in_pools, in_pools + page);
        std::array<std::uint64_t, page / bytes_of_word> words{};
        add_pool(words, 0, in_pools + 1024, 48, 10);
        add_pool(words, 32, in_pools + 3072, 64, 5);
        image_.add_pages(segment, in_pools, words.data(), page);
    }
    [[nodiscard]] pool_map map() const {
        return {image_, [this](const auto& use) {
                    image_.for_each_word({in_pools, in_pools + page}, use);
                }};
    }

private:
    static void add_pool(std::array<std::uint64_t, page / bytes_of_word>& words, std::size_t at,
                         std::uint64_t begin, std::uint64_t stride, std::uint64_t blocks) {
        const std::uint64_t bytes = stride * blocks;
        const std::array<std::uint64_t, 8> head = {begin, begin + bytes, stride, 0, blocks, 0,
                                                   0,     bytes};
        std::copy(head.begin(), head.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
    }

    memory_image image_;
};

TEST(block_places, are_chunks_and_then_the_blocks_of_pools) {
    heap_map chunks;
    heap_map::range range(0x1000'0000, 0x1000'0100);
    for (const std::uint64_t each : {0x1000'0000, 0x1000'0040, 0x1000'0080})
        range.add(each, each != 0x1000'0040);
    chunks.add(std::move(range));
    chunks.number();
    const two_pools memory;
    const pool_map pools = memory.map();
    const block_places places(chunks, pools);
    std::vector<std::uint64_t> expected = {0x1000'0000, 0x1000'0080};
    for (std::uint64_t i = 0; i != 10; ++i) expected.push_back(in_pools + 1024 + i * 48);
    for (std::uint64_t i = 0; i != 5; ++i) expected.push_back(in_pools + 3072 + i * 64);
    ASSERT_EQ(places.size(), expected.size());
    std::vector<std::uint64_t> found;
    places.for_each([&](std::uint32_t place, std::uint64_t begin) {
        EXPECT_EQ(place, found.size());
        found.push_back(begin);
    });
    EXPECT_EQ(found, expected);
    for (std::uint32_t i = 0; i != expected.size(); ++i) {
        EXPECT_EQ(places[i], expected[i]);
        EXPECT_EQ(places.from(expected[i]), i);
        EXPECT_EQ(places.from(expected[i] + 8), no_number);
        EXPECT_EQ(places.around(expected[i] + 8).number, i);
        EXPECT_EQ(places.around(expected[i] + 8).begin, expected[i]);
    }
    for (const std::uint64_t none : {0x1000'0040, 0x2000'0000, 0x3000'0000}) {
        EXPECT_EQ(places.from(none), no_number);
        EXPECT_EQ(places.around(none).number, no_number);
    }
}

TEST(kinds_of_places, are_those_that_were_set_and_not_left_out) {
    std::mt19937 random(1);
    const auto below = [&random](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    constexpr std::uint32_t places = 3000;
    kinds_of_places kinds(places);
    std::map<std::uint32_t, kinds_of_places::kinds> plain;
    // There are more different sets than a byte has values.
    for (int i = 0; i != 20'000; ++i) {
        const std::uint32_t place = below(places);
        if (below(3) == 0) {
            const std::uint32_t out = below(30);
            const auto is_out = [out](std::uint32_t each) { return each == out; };
            EXPECT_EQ(kinds.leave_out(place, is_out), std::erase_if(plain[place], is_out) != 0);
        } else {
            plain[place] = {below(30), 30 + below(20)};
            kinds.set(place, plain[place]);
        }
        ASSERT_EQ(kinds[place], plain[place]);
    }
    for (std::uint32_t i = 0; i != places; ++i) {
        EXPECT_EQ(kinds.has(i), !plain[i].empty());
        EXPECT_EQ(kinds[i], plain[i]);
    }
    EXPECT_EQ(kinds.most(), 2U);
}

}  // namespace
}  // namespace freehold::block_places_test
