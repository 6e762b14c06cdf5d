// SPDX-License-Identifier: BSL-1.0
// Leaked nodes in regions: edges lead from one to another only within a region. Most leaks are many
// small regions, so what is kept for a region at a time may be large for each of its nodes.
#pragma once

#include "owners/owner_graph.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace freehold {

class leaked_regions {
public:
    /// `graph` must outlive this object.
    explicit leaked_regions(const owner_graph& graph) : graph_(graph) {
        number_nodes();
        join_regions();
    }

    /// Calls `use(nodes)` for each region, with its nodes in their order. To be called once.
    template <class Use>
    void for_each(Use use) {
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t first = 0; first != nodes_.size(); ++first) {
            if (joined_to_[first] != first) continue;
            nodes.clear();
            std::uint32_t number = first;
            do nodes.push_back(number);
            while ((number = next_[number]) != first);
            std::sort(nodes.begin(), nodes.end());
            for (std::uint32_t i = 0; i != nodes.size(); ++i) joined_to_[nodes[i]] = has_index | i;
            for (std::uint32_t& each : nodes) each = nodes_[each];
            use(std::as_const(nodes));
        }
    }
    /// Returns which of the nodes of the region that is used now a node is.
    [[nodiscard]] std::uint32_t index_of(std::uint32_t node) const {
        return joined_to_[number_of(node)] & ~has_index;
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

private:
    // In `joined_to_`, once a region is used. There are at most 2^31 nodes.
    static constexpr std::uint32_t has_index = std::uint32_t{1} << 31;
    static constexpr std::uint32_t bits_of_group = 64;
    struct group {
        std::uint64_t bits = 0;    // of the nodes that leak
        std::uint32_t before = 0;  // how many nodes in `nodes_` are before this group
    };

    /// What leaks gets numbers of its own, because it is mostly little.
    void number_nodes() {
        for (std::uint32_t node = 0; node != graph_.nodes(); ++node) {
            if (node % bits_of_group == 0)
                groups_.push_back({0, static_cast<std::uint32_t>(nodes_.size())});
            if (graph_.is_reachable(node) || graph_.is_part(node)) continue;
            groups_.back().bits |= std::uint64_t{1} << (node % bits_of_group);
            nodes_.push_back(node);
        }
    }
    [[nodiscard]] std::uint32_t number_of(std::uint32_t node) const {
        const group& in = groups_[node / bits_of_group];
        const std::uint64_t below = (std::uint64_t{1} << (node % bits_of_group)) - 1;
        return in.before + static_cast<std::uint32_t>(std::popcount(in.bits & below));
    }

    void join_regions() {
        joined_to_.resize(nodes_.size());
        for (std::uint32_t i = 0; i != nodes_.size(); ++i) joined_to_[i] = i;
        next_ = joined_to_;
        for (std::uint32_t i = 0; i != nodes_.size(); ++i)
            for_each_edge_of(nodes_[i], [this, i](std::uint32_t to, const found_word&) {
                const std::uint32_t one = first_of(i);
                const std::uint32_t other = first_of(number_of(to));
                if (one == other) return;
                joined_to_[std::max(one, other)] = std::min(one, other);
                std::swap(next_[one], next_[other]);  // joins two rings
            });
    }
    /// Returns the number that stands for a region.
    std::uint32_t first_of(std::uint32_t number) {
        while (joined_to_[number] != number)
            number = joined_to_[number] = joined_to_[joined_to_[number]];
        return number;
    }

    const owner_graph& graph_;
    std::vector<std::uint32_t> nodes_;  // that leak; the vectors below are in their order
    std::vector<group> groups_;
    std::vector<std::uint32_t> joined_to_;  // another of the region, or itself
    std::vector<std::uint32_t> next_;       // of the region; the last one leads to the first
};

}  // namespace freehold
