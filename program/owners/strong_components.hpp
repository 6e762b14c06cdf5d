// SPDX-License-Identifier: BSL-1.0
// The strongly connected components of a graph, by the algorithm of Pearce, "A Space-Efficient
// Algorithm for Finding Strongly Connected Components" (2016), and what each of them dominates, by
// that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace freehold {

/// The edges of a graph, node after node.
class edge_lists {
public:
    void clear() {
        begins_.clear();
        targets_.clear();
    }
    /// Begins the edges of the next node.
    void add_node() { begins_.push_back(edges()); }
    /// Adds an edge from the last node. Throws owners_error after 2^32 - 1 edges.
    void add_edge(std::uint32_t to);

    [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(begins_.size()); }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        const std::uint32_t begin = begin_of(node);
        return std::span(targets_).subspan(begin, begin_of(node + 1) - begin);
    }

private:
    [[nodiscard]] std::uint32_t edges() const {
        return static_cast<std::uint32_t>(targets_.size());
    }
    [[nodiscard]] std::uint32_t begin_of(std::uint32_t node) const {
        return node < nodes() ? begins_[node] : edges();
    }

    std::vector<std::uint32_t> begins_;  // of each node
    std::vector<std::uint32_t> targets_;
};

class strong_components {
public:
    /// Forgets the components of another graph. Its memory is used again.
    void find(const edge_lists& edges);

    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(begins_.size() - 1);
    }
    /// A component has a larger number than those to which its edges lead.
    [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return numbers_[node]; }
    /// Returns the nodes of a component, in their order.
    [[nodiscard]] std::span<const std::uint32_t> nodes_of(std::uint32_t component) const {
        const std::uint32_t begin = begins_[component];
        return std::span(nodes_).subspan(begin, begins_[component + 1] - begin);
    }
    /// Adds to the weight of each component those of the components that it dominates: all ways
    /// to these, from components to which no edge leads, go through it.
    void add_dominated(const edge_lists& edges, std::vector<std::uint64_t>& weights) const;

private:
    void number(const edge_lists& edges);
    void collect();

    std::vector<std::uint32_t> numbers_;  // of each node's component
    std::vector<std::uint32_t> nodes_;    // by their components
    std::vector<std::uint32_t> begins_ = {0};
};

}  // namespace freehold
