// SPDX-License-Identifier: BSL-1.0
// Components of random graphs, and what they dominate, against the definitions of both.
#include "owners/strong_components.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::strong_components_test {
namespace {

/// Says to which nodes ways lead from one, without those that go through a component.
std::vector<bool> reached_from(const edge_lists& edges, std::vector<std::uint32_t> from,
                               const strong_components& components, std::uint32_t without) {
    std::vector<bool> result(edges.nodes(), false);
    const auto reach = [&](std::uint32_t node, std::vector<std::uint32_t>& open) {
        if (result[node] || components.of(node) == without) return;
        result[node] = true;
        open.push_back(node);
    };
    std::vector<std::uint32_t> open;
    for (const std::uint32_t each : from) reach(each, open);
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        for (const std::uint32_t to : edges.of(node)) reach(to, open);
    }
    return result;
}

edge_lists random_graph(std::mt19937& random) {
    edge_lists result;
    const std::uint32_t nodes = 1 + random() % 40;
    const std::uint32_t most = 1 + random() % 4;
    for (std::uint32_t i = 0; i != nodes; ++i) {
        result.add_node();
        for (std::uint32_t k = random() % most; k != 0; --k) result.add_edge(random() % nodes);
    }
    return result;
}

TEST(strong_components, are_those_of_random_graphs) {
    std::mt19937 random(1);
    strong_components components;
    for (int graph = 0; graph != 2000; ++graph) {
        const edge_lists edges = random_graph(random);
        components.find(edges);
        constexpr std::uint32_t none = UINT32_MAX;
        std::vector<std::vector<bool>> reached;
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            reached.push_back(reached_from(edges, {i}, components, none));
        std::size_t collected = 0;
        for (std::uint32_t i = 0; i != components.size(); ++i) {
            ASSERT_FALSE(components.nodes_of(i).empty());
            for (const std::uint32_t node : components.nodes_of(i)) {
                ASSERT_EQ(components.of(node), i);
                ++collected;
            }
        }
        ASSERT_EQ(collected, edges.nodes());
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            for (std::uint32_t k = 0; k != edges.nodes(); ++k) {
                ASSERT_EQ(components.of(i) == components.of(k), reached[i][k] && reached[k][i]);
                ASSERT_TRUE(!reached[i][k] || components.of(i) >= components.of(k));
            }
    }
}

TEST(strong_components, dominate_what_is_reached_only_through_them) {
    std::mt19937 random(2);
    strong_components components;
    for (int graph = 0; graph != 1000; ++graph) {
        const edge_lists edges = random_graph(random);
        components.find(edges);
        std::vector<std::uint64_t> weights(components.size(), 0);
        std::vector<std::uint64_t> weight_of;  // each node
        for (std::uint32_t i = 0; i != edges.nodes(); ++i) {
            weight_of.push_back(random() % 100);
            weights[components.of(i)] += weight_of.back();
        }
        std::vector<bool> is_led_to(components.size(), false);
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            for (const std::uint32_t to : edges.of(i))
                if (components.of(i) != components.of(to)) is_led_to[components.of(to)] = true;
        std::vector<std::uint32_t> first;
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            if (!is_led_to[components.of(i)]) first.push_back(i);
        components.add_dominated(edges, weights);
        for (std::uint32_t i = 0; i != components.size(); ++i) {
            const std::vector<bool> reached = reached_from(edges, first, components, i);
            std::uint64_t dominated = 0;
            for (std::uint32_t node = 0; node != edges.nodes(); ++node)
                if (!reached[node]) dominated += weight_of[node];
            ASSERT_EQ(weights[i], dominated) << "of graph " << graph;
        }
    }
}

}  // namespace
}  // namespace freehold::strong_components_test
