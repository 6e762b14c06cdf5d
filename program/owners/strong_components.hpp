// SPDX-License-Identifier: BSL-1.0
// The strongly connected components of a graph, by the algorithm of Pearce, "A Space-Efficient
// Algorithm for Finding Strongly Connected Components" (2016), and what each of them dominates, by
// that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
//
// All of a large program may leak, so only four bytes are kept for each node, and a few more in
// stacks of distances.
#pragma once

#include "owners/delta_stack.hpp"
#include "owners/edge_lists.hpp"
#include "owners/ranked_bits.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace freehold {

class strong_components {
public:
    /// Finds the components of a graph, which must outlive this object. It must have less than 2^31
    /// nodes.
    explicit strong_components(const edge_lists& edges) : edges_(edges) { find(); }

    [[nodiscard]] std::uint32_t size() const { return size_; }
    /// A component has a larger number than those to which its edges lead.
    [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return numbers_[node]; }
    /// Says of each component whether a way leads from its nodes back to them.
    [[nodiscard]] const ranked_bits& rings() const { return rings_; }

    /// Calls `use(node)` for each node on the shortest way from a node of a ring back to it: for
    /// the last one first, and for this node at the end.
    template <class Use>
    void for_each_back_from(std::uint32_t node, Use use) {
        for (std::uint32_t at = reach_back(node); at != node; at = numbers_[at] & ~is_reached)
            use(at);
        use(node);
        forget_reached(node);
    }

    /// Whether an edge leads from one component to another.
    [[nodiscard]] bool has_edges_between() const { return has_edges_between_; }
    /// Adds to the weight of each component those of the components that it dominates: all ways
    /// to these, from components to which no edge leads, go through it. To be called once.
    void add_dominated(std::vector<std::uint64_t>& weights);

private:
    // In `numbers_`, while a way is looked for. The other bits are the node before.
    static constexpr std::uint32_t is_reached = std::uint32_t{1} << 31;

    void find();
    std::uint32_t reach_back(std::uint32_t start);
    void forget_reached(std::uint32_t start);
    std::vector<std::uint32_t> dominators();

    const edge_lists& edges_;
    std::vector<std::uint32_t> numbers_;  // of each node's component
    std::uint32_t size_ = 0;
    ranked_bits rings_;
    bool has_edges_between_ = false;
    delta_stack by_component_;           // nodes, those of the last component on top
    std::deque<std::uint32_t> waiting_;  // nodes, while a way is looked for
};

}  // namespace freehold
