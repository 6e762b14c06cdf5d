// SPDX-License-Identifier: BSL-1.0
#include "owners/packed_pages.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::packed_pages_test {
namespace {

constexpr std::uint64_t heap = 0x5555'0000'0000;
constexpr std::uint64_t code = 0x7fff'0000'0000;
constexpr std::uint64_t elsewhere = 0x1234'0000'0000;

using page_words = std::array<std::uint64_t, words_of_page>;

std::uint64_t random_word(std::mt19937_64& random) {
    switch (random() % 10) {
        case 0:
        case 1:
            return 0;
        case 2:
            return random() % 300;
        case 3:
            return random() % 100 << 32 | random() % 300;
        case 4:
            return random() % (std::uint64_t{1} << 31);
        case 5:
            return heap + random() % 0x10'0000 * 8;
        case 6:
            return heap + random() % 0x1000'0000;
        case 7:
            return code + random() % 0x1000'0000 * 8;
        case 8:
            return elsewhere + random() % 0x1000'0000;
        default:
            return random();
    }
}

packed_pages expecting() {
    packed_pages result;
    result.expect_addresses(heap, heap + 0x1'0000'0000);
    result.expect_addresses(code, code + 0x1'0000'0000);
    return result;
}

void expect_same(const packed_pages& pages, std::uint32_t number, const page_words& words,
                 bool keeps_data) {
    for (unsigned i = 0; i != words_of_page; ++i) {
        const packed_pages::kept_word found = pages.word(number, i);
        if (!found.is_data) {
            ASSERT_EQ(found.value, words[i]) << i;
            continue;
        }
        ASSERT_FALSE(keeps_data) << i;
        ASSERT_NE(words[i] >> 48, 0U) << i;
        ASSERT_EQ(found.has_mark, (words[i] & 0xff) < 16) << i;
        ASSERT_EQ(found.value, found.has_mark ? words[i] & 0xff : 0) << i;
    }
}

TEST(packed_pages, keep_all_but_data) {
    std::mt19937_64 random(1);
    for (const bool keeps_data : {false, true}) {
        packed_pages pages = expecting();
        std::vector<page_words> originals(1000);
        std::vector<std::uint32_t> numbers;
        for (page_words& words : originals) {
            const unsigned filled = random() % 100;
            const std::uint64_t most = ~std::uint64_t{0} >> random() % 40;
            for (std::uint64_t& each : words)
                each = random() % 100 < filled ? random_word(random) & most : 0;
            numbers.push_back(pages.add(0, words.data(), keeps_data).number);
        }
        for (std::size_t i = 0; i != originals.size(); ++i)
            expect_same(pages, numbers[i], originals[i], keeps_data);
    }
}

TEST(packed_pages, are_read_in_parts) {
    std::mt19937_64 random(2);
    packed_pages pages = expecting();
    page_words words{};
    for (std::uint64_t& each : words) each = random_word(random);
    const std::uint32_t number = pages.add(0, words.data(), false).number;
    for (int i = 0; i != 1000; ++i) {
        const unsigned first = random() % (words_of_page + 1);
        const unsigned last = first + random() % (words_of_page + 1 - first);
        std::map<unsigned, std::uint64_t> wanted;
        for (unsigned k = first; k != last; ++k)
            if (words[k] != 0 && !pages.word(number, k).is_data) wanted[k] = words[k];
        std::map<unsigned, std::uint64_t> found;
        pages.for_each(number, first, last,
                       [&found](unsigned index, std::uint64_t word) { found[index] = word; });
        ASSERT_EQ(found, wanted) << first << " " << last;
    }
}

TEST(packed_pages, keep_counts_and_marked_addresses) {
    packed_pages pages = expecting();
    page_words words{};
    words[0] = code + 16;
    words[1] = std::uint64_t{70000} << 32 | 3;            // a count of weak handles
    words[2] = std::uint64_t{0xabcd} << 48 | (heap + 8);  // a marked address
    words[3] = heap + 5;
    words[4] = 0x0007'0000'0002'0001;  // counts of malloc's caches
    words[5] = 0x0700'0003'0000'0102;
    const std::uint32_t number = pages.add(0, words.data(), false).number;
    for (unsigned i = 0; i != 6; ++i) {
        EXPECT_FALSE(pages.word(number, i).is_data) << i;
        EXPECT_EQ(pages.word(number, i).value, words[i]) << i;
    }
}

TEST(packed_pages, take_few_bytes_for_handles_and_small_objects) {
    // As a program has them: a vector of handles to objects of std::make_shared.
    std::mt19937_64 random(3);
    packed_pages pages = expecting();
    std::vector<page_words> originals(100);
    std::uint64_t object = heap + 16;
    for (std::size_t i = 0; i != originals.size(); ++i) {
        page_words& words = originals[i];
        for (unsigned k = 0; k != words_of_page; k += 4) {
            const std::uint64_t far = heap + 16 + random() % 0x100'0000 * 16;
            const bool are_handles = i % 5 < 2;
            words[k] = !are_handles ? code + 16 : i % 3 == 0 ? far : object;
            words[k + 1] = !are_handles ? 0x1'0000'0001 : words[k] - 16;
            words[k + 2] = !are_handles ? random() % 0x100'0000 : object += 32;
            words[k + 3] = !are_handles ? 0x21 : words[k + 2] - 16;
        }
    }
    originals[0][0] = ~std::uint64_t{15};  // no address before it is 16 more
    std::vector<std::uint32_t> numbers;
    for (const page_words& words : originals)
        numbers.push_back(pages.add(0, words.data(), true).number);
    for (std::size_t i = 0; i != originals.size(); ++i) {
        expect_same(pages, numbers[i], originals[i], true);
        for (int k = 0; k != 100; ++k) {
            const unsigned first = random() % words_of_page;
            unsigned next = first;
            const auto expect_next = [&](unsigned index, std::uint64_t word) {
                ASSERT_EQ(index, next++);
                ASSERT_EQ(word, originals[i][index]) << first;
            };
            pages.for_each(numbers[i], first, words_of_page, expect_next);
            ASSERT_EQ(next, words_of_page);
        }
    }
    // A number counts 8 bytes.
    for (std::size_t i = 81; i != 99; ++i)
        EXPECT_LT((numbers[i + 1] - numbers[i]) * bytes_of_word, bytes_of_page / 3) << i;
}

TEST(packed_pages, take_half_of_the_bytes_for_numbers_of_32_bits) {
    std::mt19937_64 random(4);
    packed_pages pages = expecting();
    page_words words{};
    for (std::uint64_t& each : words) each = random() >> 32;
    const std::uint32_t first = pages.add(0, words.data(), true).number;
    const std::uint32_t second = pages.add(bytes_of_page, words.data(), true).number;
    expect_same(pages, first, words, true);
    EXPECT_LT((second - first) * bytes_of_word, bytes_of_page * 5 / 9);
}

TEST(packed_pages, keep_the_marks_of_pools) {
    packed_pages pages = expecting();
    constexpr std::uint64_t stride = 48;
    constexpr std::uint64_t blocks = (words_of_page + 3) * 64;  // their marks end on another page
    constexpr std::uint64_t all_free = ~std::uint64_t{0};
    page_words words{};
    words.fill(all_free);
    words[0] = 0x4045'6666'6666'6666;  // data
    words[1] = heap;
    words[2] = heap + blocks * stride;
    words[3] = stride;
    words[4] = all_free / stride + 1;
    words[5] = blocks;
    words[6] = blocks;
    words[7] = 0;
    words[8] = 0;
    words[9] = 0;
    const std::uint32_t first = pages.add(0, words.data(), false).number;
    EXPECT_TRUE(pages.word(first, 0).is_data);
    for (unsigned i = 10; i != words_of_page; ++i) ASSERT_EQ(pages.word(first, i).value, all_free);
    words.fill(all_free - 1);
    // Also if it is added once more.
    for (int i = 0; i != 2; ++i) {
        const packed_pages::added_page second = pages.add(bytes_of_page, words.data(), false);
        EXPECT_FALSE(second.is_bare);
        // The first page has 10 words that are none.
        for (unsigned k = 0; k != words_of_page; ++k)
            ASSERT_EQ(pages.word(second.number, k).is_data, k >= 13) << k;
    }
    const std::uint32_t third = pages.add(2 * bytes_of_page, words.data(), false).number;
    EXPECT_TRUE(pages.word(third, 0).is_data);
}

TEST(packed_pages, are_bare_without_addresses_and_small_numbers) {
    packed_pages pages = expecting();
    page_words words{};
    EXPECT_EQ(pages.add(0, words.data(), false).number, packed_pages::zeros);
    words.fill(0x4045'6666'6666'6666);
    EXPECT_TRUE(pages.add(0, words.data(), false).is_bare);
    words[7] = 0x21;
    EXPECT_FALSE(pages.add(0, words.data(), false).is_bare);
    words[7] = heap + 8;
    EXPECT_FALSE(pages.add(0, words.data(), false).is_bare);
    words[7] = std::uint64_t{1} << 63 | heap;
    EXPECT_FALSE(pages.add(0, words.data(), false).is_bare);
}

TEST(packed_pages, before_the_last_are_given_up) {
    packed_pages pages = expecting();
    page_words words{};
    words[3] = heap + 24;
    const std::uint32_t first = pages.add(0, words.data(), false).number;
    words.fill(0x4045'1111'1111'1101);
    const std::uint32_t second = pages.add(0, words.data(), false).number;
    words.fill(0x4045'2222'2222'2202);
    const std::uint32_t third = pages.add(0, words.data(), false).number;
    const std::uint32_t moved = pages.give_up_before(second, third);
    EXPECT_EQ(moved, second);
    expect_same(pages, moved, words, false);
    EXPECT_EQ(pages.word(first, 3).value, heap + 24);
    // The memory is used again.
    EXPECT_EQ(pages.add(0, words.data(), false).number, third);
}

}  // namespace
}  // namespace freehold::packed_pages_test
