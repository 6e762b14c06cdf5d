// SPDX-License-Identifier: BSL-1.0
// The tables of nodes against plain ones, with random content.
#include "owners/node_tables.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::node_tables_test {
namespace {

TEST(node_tables, count_beyond_half_a_byte) {
    std::mt19937 random(1);
    small_counts counts(101);
    std::vector<std::uint64_t> plain(101, 0);
    for (int i = 0; i != 5000; ++i) {
        // Some are counted often.
        const std::uint32_t at = random() % (random() % 2 == 0 ? 101 : 7);
        if (plain[at] != 0 && random() % 3 == 0) {
            counts.subtract(at);
            --plain[at];
        } else {
            counts.add(at);
            ++plain[at];
        }
        ASSERT_EQ(counts[at], plain[at]);
    }
    for (std::uint32_t i = 0; i != 101; ++i) EXPECT_EQ(counts[i], plain[i]) << i;
}

TEST(node_tables, know_more_kinds_than_a_byte_has_values) {
    std::mt19937 random(2);
    node_kinds kinds;
    kinds.assign(3000);
    std::map<std::uint32_t, std::uint16_t> plain;
    for (int i = 0; i != 4000; ++i) {
        const std::uint32_t node = random() % 3000;
        const auto kind = static_cast<std::uint16_t>(random() % 1000 * 65);
        kinds.set(node, kind);
        plain[node] = kind;
    }
    kinds.push_back(7);
    plain[3000] = 7;
    ASSERT_EQ(kinds.size(), 3001U);
    for (std::uint32_t i = 0; i != 3001; ++i) {
        const auto found = plain.find(i);
        ASSERT_EQ(kinds.has(i), found != plain.end()) << i;
        ASSERT_EQ(kinds[i], found == plain.end() ? node_kinds::none : found->second) << i;
    }
}

TEST(node_tables, find_the_parts_of_nodes) {
    for (const std::uint32_t chunks : {0U, 1U, 63U, 64U, 511U, 512U, 513U, 5000U}) {
        std::mt19937 random(chunks);
        chunk_parts parts;
        parts.assign(chunks);
        std::map<std::uint32_t, std::uint32_t> node_of;
        std::set<std::uint32_t> of_several;
        // Chunks with even numbers are nodes, and a few nodes are no chunks.
        const std::uint32_t nodes = chunks + 10;
        for (std::uint32_t i = 0; chunks > 1 && i != chunks; ++i) {
            const std::uint32_t chunk = random() % (chunks / 2) * 2 + 1;
            std::uint32_t node = random() % chunks / 2 * 2;
            if (random() % 8 == 0) node = chunks + random() % 10;
            // Most are near.
            if (random() % 4 != 0)
                node = (chunk + 11 - std::min(chunk, 10U)) - random() % 12 / 2 * 2;
            EXPECT_EQ(parts.is_part(chunk), node_of.count(chunk) != 0);
            if (parts.take(chunk, node)) {
                EXPECT_TRUE(node_of.emplace(chunk, node).second);
            } else if (random() % 3 == 0) {
                parts.share(chunk, node);
                if (node_of[chunk] != node) of_several.insert(chunk);
            }
        }
        for (const std::uint32_t each : of_several) node_of.erase(each);
        parts.settle(nodes);
        std::map<std::uint32_t, std::vector<std::uint32_t>> parts_of;
        for (const auto& [chunk, node] : node_of) parts_of[node].push_back(chunk);
        for (std::uint32_t i = 0; i != chunks; ++i) {
            ASSERT_EQ(parts.is_part(i), node_of.count(i) != 0) << i;
            ASSERT_EQ(parts.node_of(i), node_of.count(i) != 0 ? node_of[i] : i) << i;
        }
        for (std::uint32_t i = 0; i != nodes; ++i) {
            std::vector<std::uint32_t> found;
            parts.for_each_of(i, [&found](std::uint32_t part) { found.push_back(part); });
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, parts_of[i]) << i;
        }
    }
}

TEST(open_nodes, are_taken_until_none_is_left) {
    constexpr std::uint32_t nodes = 1000;
    std::mt19937 random(5);
    open_nodes open(nodes, 64);
    std::vector<bool> is_open(nodes, false);
    std::vector<bool> was_added(nodes, false);
    EXPECT_TRUE(open.empty());
    for (int round = 0; round != 100; ++round) {
        for (unsigned i = random() % 500; i != 0; --i) {
            const std::uint32_t node = random() % nodes;
            open.add(node);
            is_open[node] = was_added[node] = true;
        }
        for (unsigned i = random() % 500; i != 0 && !open.empty(); --i) {
            const std::uint32_t node = open.take();
            ASSERT_TRUE(was_added[node]);
            is_open[node] = false;
        }
    }
    while (!open.empty()) is_open[open.take()] = false;
    EXPECT_EQ(is_open, std::vector<bool>(nodes, false));
}

}  // namespace
}  // namespace freehold::node_tables_test
