// SPDX-License-Identifier: BSL-1.0
// The packed lists, stacks and bits of graphs against plain ones, with random content.
#include "owners/delta_stack.hpp"
#include "owners/edge_lists.hpp"
#include "owners/ranked_bits.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::packed_graphs_test {
namespace {

/// Returns a number near to another one, or anywhere below 2^31.
std::uint32_t near_or_far(std::uint32_t from, std::mt19937& random) {
    const std::uint32_t span = 1U << random() % 31;
    return (from + random() % span - random() % span) & INT32_MAX;
}

TEST(edge_lists, are_read_as_they_were_added) {
    std::mt19937 random(1);
    edge_lists edges;
    std::vector<std::vector<std::uint32_t>> plain;
    for (std::uint32_t node = 0; node != 3000; ++node) {
        edges.add_node();
        plain.emplace_back();
        for (std::uint32_t left = random() % (node % 100 == 0 ? 300 : 4); left != 0; --left) {
            plain.back().push_back(near_or_far(node, random));
            edges.add_edge(plain.back().back());
        }
    }
    ASSERT_EQ(edges.nodes(), plain.size());
    for (std::uint32_t node = 0; node != edges.nodes(); ++node) {
        std::vector<std::uint32_t> read;
        for (auto each = edges.of(node); each.has_next();) {
            read.push_back(each.next());
            if (each.has_next()) each = edges.from(edges.place_of(each), read.back());
        }
        ASSERT_EQ(read, plain[node]) << node;
    }
}

TEST(delta_stack, gives_back_what_was_pushed) {
    std::mt19937 random(2);
    delta_stack stack;
    std::vector<std::uint64_t> plain;
    // It grows over several blocks, and shrinks again, three times.
    for (int i = 0; i != 600'000; ++i) {
        const bool grows = i % 200'000 < 130'000;
        if (plain.empty() || random() % 8 < (grows ? 7U : 1U)) {
            const std::uint64_t below = plain.empty() ? 0 : plain.back();
            plain.push_back(random() % 100 == 0 ? std::uint64_t{random()} << 32
                                                : below + random() % 200 - 100);
            stack.push(plain.back());
        } else {
            ASSERT_EQ(stack.top(), plain.back());
            ASSERT_EQ(stack.pop(), plain.back());
            plain.pop_back();
        }
        ASSERT_EQ(stack.empty(), plain.empty());
    }
}

TEST(ranked_bits, have_numbers_in_their_order) {
    std::mt19937 random(3);
    for (const std::uint32_t size : {0U, 1U, 63U, 64U, 511U, 512U, 513U, 9000U}) {
        ranked_bits bits;
        std::vector<std::uint32_t> set;
        std::vector<std::uint32_t> before;
        for (std::uint32_t i = 0; i != size; ++i) {
            // Some thousands of bits have none that is set.
            const bool is_set = i % 4000 < 2000 && random() % 3 == 0;
            before.push_back(static_cast<std::uint32_t>(set.size()));
            if (is_set) set.push_back(i);
            bits.add(is_set);
        }
        ASSERT_EQ(bits.count(), set.size());
        for (std::uint32_t i = 0; i != size; ++i) ASSERT_EQ(bits.number_of(i), before[i]) << i;
        std::vector<std::uint32_t> found;
        bits.for_each([&](std::uint32_t each) { found.push_back(each); });
        ASSERT_EQ(found, set);
        for (std::uint32_t i = 0; i != set.size(); ++i) {
            ASSERT_EQ(bits.with_number(i), set[i]);
            ASSERT_TRUE(bits[set[i]]);
        }
    }
}

}  // namespace
}  // namespace freehold::packed_graphs_test
