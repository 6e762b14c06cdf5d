// SPDX-License-Identifier: BSL-1.0
// What leaks, with numbers of its own, because it is mostly little.
#pragma once

#include "owners/edge_lists.hpp"
#include "owners/owner_graph.hpp"
#include "owners/ranked_bits.hpp"

#include <cstdint>

namespace freehold {

class leaked_nodes {
public:
    /// `graph` must outlive this object.
    explicit leaked_nodes(const owner_graph& graph) : graph_(graph) {
        for (std::uint32_t node = 0; node != graph.nodes(); ++node)
            nodes_.add(!graph.is_reachable(node) && !graph.is_part(node));
    }

    [[nodiscard]] std::uint32_t number_of(std::uint32_t node) const {
        return nodes_.number_of(node);
    }
    [[nodiscard]] std::uint32_t node_of(std::uint32_t number) const {
        return nodes_.with_number(number);
    }
    /// Calls `use(number, node)` for each of them.
    template <class Use>
    void for_each(Use use) const {
        std::uint32_t number = 0;
        nodes_.for_each([&](std::uint32_t node) { use(number++, node); });
    }
    /// Calls `use(to, word)` for each word in a leaked node that leads to a leaked node.
    template <class Use>
    void for_each_edge_of(std::uint32_t node, Use use) const {
        graph_.for_each_word_of(node, [&](const found_word& word) {
            if (word.chunk != no_number && !graph_.is_reachable(word.chunk)) use(word.chunk, word);
            if (word.block != no_number && !graph_.is_reachable(word.block) &&
                graph_.is_owner(word) && graph_.is_clear(word.block))
                use(word.block, word);
        });
    }
    /// Returns the edges between them, by their numbers.
    [[nodiscard]] edge_lists edges() const {
        edge_lists result;
        nodes_.for_each([&](std::uint32_t node) {
            result.add_node();
            for_each_edge_of(
                node, [&](std::uint32_t to, const found_word&) { result.add_edge(number_of(to)); });
        });
        return result;
    }

private:
    const owner_graph& graph_;
    ranked_bits nodes_;
};

}  // namespace freehold
