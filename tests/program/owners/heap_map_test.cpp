// SPDX-License-Identifier: BSL-1.0
#include "owners/heap_map.hpp"

#include "owners/glibc_heap.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::heap_map_test {
namespace {

struct made_chunk {
    std::uint64_t begin;
    std::uint64_t end;
    bool is_used;
};

/// Adds a range of chunks of random sizes. Returns them.
std::vector<made_chunk> add_range(heap_map& map, std::uint64_t begin, int chunks,
                                  std::mt19937_64& random) {
    std::vector<made_chunk> result;
    std::uint64_t at = begin;
    for (int i = 0; i != chunks; ++i) {
        const std::uint64_t size =
            random() % 50 == 0 ? 16 * (1 + random() % 10'000) : 16 * (2 + random() % 10);
        result.push_back({at, at + size - 8, random() % 4 != 0});
        at += size;
    }
    heap_map::range range(begin, at + 64);
    for (const made_chunk& each : result) range.add(each.begin, each.is_used);
    range.add(at, false);
    map.add(std::move(range));
    return result;
}

void expect_found(const heap_map& map, std::vector<made_chunk> all) {
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::uint32_t number = 0;
    std::vector<heap_chunk> listed;
    map.for_each([&listed](const heap_chunk& each) { listed.push_back(each); });
    for (const made_chunk& each : all) {
        for (const std::uint64_t address : {each.begin, each.begin + 9, each.end - 1}) {
            const heap_chunk around = map.around(address);
            ASSERT_EQ(static_cast<bool>(around), each.is_used) << std::hex << address;
            if (each.is_used) {
                ASSERT_EQ(around.begin, each.begin);
                ASSERT_EQ(around.number, number);
            }
        }
        EXPECT_FALSE(map.around(each.end)) << std::hex << each.end;
        EXPECT_FALSE(map.from(each.begin + 8));
        EXPECT_EQ(map.begins_at(each.begin), each.is_used);
        EXPECT_EQ(map.number_from(each.begin), each.is_used ? number : no_number);
        EXPECT_EQ(map.number_from(each.begin + 8), no_number);
        if (!each.is_used) continue;
        ASSERT_LT(number, listed.size());
        for (const heap_chunk& found : {map.from(each.begin), map[number], listed[number]}) {
            ASSERT_EQ(found.begin, each.begin);
            ASSERT_EQ(found.end, each.end);
            ASSERT_EQ(found.number, number);
        }
        ++number;
    }
    EXPECT_FALSE(map[number]);
    std::shuffle(listed.begin(), listed.end(), std::mt19937(number));
    for (const heap_chunk& each : listed) ASSERT_EQ(map[each.number].begin, each.begin);
    EXPECT_EQ(map.size(), number);
    EXPECT_EQ(listed.size(), number);
}

TEST(a_heap_map, finds_chunks_by_address_and_number) {
    std::mt19937_64 random(1);
    for (const int chunks : {1, 2, 63, 64, 65, 5'000}) {
        heap_map map;
        std::vector<made_chunk> all = add_range(map, 0x7000'0000, chunks, random);
        const auto more = add_range(map, 0x1000'0000, chunks, random);
        all.insert(all.end(), more.begin(), more.end());
        map.add_single(0x5000'0010, 0x5100'0000);
        all.push_back({0x5000'0010, 0x5100'0000, true});
        map.number();
        expect_found(map, all);
        for (made_chunk& each : all)
            if (each.is_used && each.begin % 64 == 0) {
                map.free(each.begin);
                each.is_used = false;
            }
        map.number();
        expect_found(map, all);
    }
}

TEST(a_heap_map, without_chunks_finds_none) {
    heap_map map;
    map.number();
    EXPECT_EQ(map.size(), 0U);
    EXPECT_FALSE(map.around(0x1000));
    EXPECT_FALSE(map[0]);
}

TEST(a_chunk, may_be_for_somewhat_fewer_bytes) {
    const auto least = [](std::uint64_t begin, std::uint64_t bytes) {
        return least_asked_for({begin, begin + bytes, 0});
    };
    // What is left over of 40 bytes is too small to split off, also if one was asked for.
    EXPECT_LE(least(0x1000'0020, 40), 1U);
    EXPECT_EQ(least(0x1000'0020, 72), 41U);
    // Whole pages, of which the first has a head.
    EXPECT_LE(least(0x1000'0010, 0x8000 - 16), 0x7000 - 15U);
}

/// Returns an image with segments at multiples of a page.
memory_image image_of(const std::vector<memory_range>& segments, std::mt19937_64& random) {
    memory_image image;
    image.pages.expect_addresses(0x1000, 0x1'0000'0000);
    for (const memory_range& each : segments) {
        image.add_segment(each.begin, each.end);
        for (std::uint64_t at = each.begin; at != each.end; at += bytes_of_page) {
            std::vector<std::uint64_t> words(words_of_page, 0);
            // Some pages are empty.
            for (std::uint64_t& word : words)
                if (at % (3 * bytes_of_page) != 0 && random() % 3 == 0)
                    word = 0x2000 + random() % 1000 * bytes_of_word;
            image.add_pages(image.segments.back(), at, words.data(), bytes_of_page);
        }
    }
    return image;
}

TEST(a_heap_map, knows_the_chunks_of_words) {
    std::mt19937_64 random(2);
    heap_map map;
    add_range(map, 0x1000'0000, 3'000, random);
    add_range(map, 0x1100'0000, 40, random);
    map.add_single(0x1200'0010, 0x1200'4ff8);
    map.number();
    const memory_image image = image_of(
        {{0x1000'0000, 0x1080'0000}, {0x1100'0000, 0x1101'0000}, {0x1200'0000, 0x1200'5000}},
        random);
    using found = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>;
    std::vector<found> expected;
    map.for_each([&](const heap_chunk& chunk) {
        image.for_each_word({chunk.begin, chunk.end}, [&](auto address, auto word) {
            expected.emplace_back(address, word, chunk.end, chunk.number);
        });
    });
    std::vector<found> words;
    map.for_each_word(image, [&](auto address, auto word, const heap_chunk& chunk) {
        words.emplace_back(address, word, chunk.end, chunk.number);
    });
    EXPECT_GT(words.size(), 10'000U);
    EXPECT_EQ(words, expected);
}

}  // namespace
}  // namespace freehold::heap_map_test
