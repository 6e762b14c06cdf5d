// SPDX-License-Identifier: BSL-1.0
// Components of random graphs, the shortest ways in them and what they dominate, against their
// definitions.
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
        edges.for_each_of(node, [&](std::uint32_t to) { reach(to, open); });
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
    for (int graph = 0; graph != 2000; ++graph) {
        const edge_lists edges = random_graph(random);
        const strong_components components(edges);
        constexpr std::uint32_t none = UINT32_MAX;
        std::vector<std::vector<bool>> reached;
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            reached.push_back(reached_from(edges, {i}, components, none));
        std::vector<std::uint32_t> members(components.size(), 0);
        std::vector<bool> is_ring(components.size(), false);
        for (std::uint32_t i = 0; i != edges.nodes(); ++i) {
            is_ring[components.of(i)] =
                ++members[components.of(i)] > 1 || is_ring[components.of(i)];
            edges.for_each_of(i, [&](std::uint32_t to) {
                if (to == i) is_ring[components.of(i)] = true;
            });
        }
        for (std::uint32_t i = 0; i != components.size(); ++i) {
            ASSERT_NE(members[i], 0U);
            ASSERT_EQ(components.rings()[i], is_ring[i]);
        }
        bool has_edges_between = false;
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            for (std::uint32_t k = 0; k != edges.nodes(); ++k) {
                ASSERT_EQ(components.of(i) == components.of(k), reached[i][k] && reached[k][i]);
                ASSERT_TRUE(!reached[i][k] || components.of(i) >= components.of(k));
                has_edges_between |= reached[i][k] && !reached[k][i];
            }
        ASSERT_EQ(components.has_edges_between(), has_edges_between);
    }
}

bool has_edge(const edge_lists& edges, std::uint32_t from, std::uint32_t to) {
    bool result = false;
    edges.for_each_of(from, [&](std::uint32_t each) { result |= each == to; });
    return result;
}

/// Returns the number of edges of the shortest way from a node back to it.
std::size_t length_around(const edge_lists& edges, std::uint32_t node) {
    std::vector<bool> is_last = std::vector<bool>(edges.nodes(), false);
    is_last[node] = true;
    for (std::size_t length = 1;; ++length) {
        std::vector<bool> next(edges.nodes(), false);
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            if (is_last[i]) edges.for_each_of(i, [&](std::uint32_t to) { next[to] = true; });
        if (next[node]) return length;
        is_last = next;
    }
}

TEST(strong_components, have_shortest_ways_around) {
    std::mt19937 random(3);
    for (int graph = 0; graph != 1000; ++graph) {
        const edge_lists edges = random_graph(random);
        strong_components components(edges);
        std::vector<std::uint32_t> before;
        for (std::uint32_t i = 0; i != edges.nodes(); ++i) before.push_back(components.of(i));
        for (std::uint32_t i = 0; i != edges.nodes(); ++i) {
            if (!components.rings()[before[i]]) continue;
            std::vector<std::uint32_t> way = {i};
            components.for_each_back_from(i, [&](std::uint32_t node) { way.push_back(node); });
            ASSERT_EQ(way.back(), i);
            ASSERT_EQ(way.size() - 1, length_around(edges, i));
            for (std::size_t k = 1; k != way.size(); ++k)
                ASSERT_TRUE(has_edge(edges, way[k], way[k - 1]));
            for (std::uint32_t k = 0; k != edges.nodes(); ++k)
                ASSERT_EQ(components.of(k), before[k]);
        }
    }
}

TEST(strong_components, dominate_what_is_reached_only_through_them) {
    std::mt19937 random(2);
    for (int graph = 0; graph != 1000; ++graph) {
        const edge_lists edges = random_graph(random);
        strong_components components(edges);
        std::vector<std::uint64_t> weights(components.size(), 0);
        std::vector<std::uint64_t> weight_of;  // each node
        for (std::uint32_t i = 0; i != edges.nodes(); ++i) {
            weight_of.push_back(random() % 100);
            weights[components.of(i)] += weight_of.back();
        }
        std::vector<bool> is_led_to(components.size(), false);
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            edges.for_each_of(i, [&](std::uint32_t to) {
                if (components.of(i) != components.of(to)) is_led_to[components.of(to)] = true;
            });
        std::vector<std::uint32_t> first;
        for (std::uint32_t i = 0; i != edges.nodes(); ++i)
            if (!is_led_to[components.of(i)]) first.push_back(i);
        components.add_dominated(weights);
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
