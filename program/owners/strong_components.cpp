// SPDX-License-Identifier: BSL-1.0
#include "owners/strong_components.hpp"

#include "owners/owners_error.hpp"

#include <algorithm>

namespace freehold {

void edge_lists::add_edge(std::uint32_t to) {
    if (targets_.size() == UINT32_MAX)
        throw owners_error(
            "leaked memory has more than 4,294,967,294 pointers to such memory, too many");
    targets_.push_back(to);
}

void strong_components::find(const edge_lists& edges) {
    number(edges);
    collect();
}

/// While a node is open, its number is the least of those that it is known to lead to, counted up
/// from 1. Those of components are counted down from the largest, so they are larger than all of
/// these.
void strong_components::number(const edge_lists& edges) {
    const std::uint32_t nodes = edges.nodes();
    constexpr std::uint32_t not_seen = 0;
    numbers_.assign(nodes, not_seen);
    std::vector<bool> leads_back(nodes, false);  // to a node that was seen before
    struct call {
        std::uint32_t node;
        std::uint32_t edge;  // the next one
    };
    std::vector<call> calls;
    std::vector<std::uint32_t> open;  // without calls
    std::uint32_t next = 1;
    std::uint32_t component = UINT32_MAX;
    for (std::uint32_t root = 0; root != nodes; ++root) {
        if (numbers_[root] != not_seen) continue;
        calls.push_back({root, 0});
        numbers_[root] = next++;
        while (!calls.empty()) {
            const std::uint32_t node = calls.back().node;
            const auto targets = edges.of(node);
            if (calls.back().edge != targets.size()) {
                const std::uint32_t to = targets[calls.back().edge];
                if (numbers_[to] == not_seen) {
                    calls.push_back({to, 0});
                    numbers_[to] = next++;
                    continue;  // the edge is looked at again when the call has returned
                }
                ++calls.back().edge;
                if (numbers_[to] < numbers_[node]) {
                    numbers_[node] = numbers_[to];
                    leads_back[node] = true;
                }
                continue;
            }
            calls.pop_back();
            if (leads_back[node]) {
                open.push_back(node);
                continue;
            }
            --next;
            const std::uint32_t first = numbers_[node];
            for (; !open.empty() && numbers_[open.back()] >= first; open.pop_back()) {
                numbers_[open.back()] = component;
                --next;
            }
            numbers_[node] = component--;
        }
    }
    begins_.assign(std::size_t{UINT32_MAX - component} + 1, 0);
    for (std::uint32_t& each : numbers_) each = UINT32_MAX - each;
}

void strong_components::collect() {
    for (const std::uint32_t each : numbers_) ++begins_[each];
    std::uint32_t before = 0;
    for (std::uint32_t& each : begins_) each = before += each;
    // Each begin is now the end of its component, and is counted down.
    nodes_.resize(numbers_.size());
    for (auto node = static_cast<std::uint32_t>(numbers_.size()); node-- > 0;)
        nodes_[--begins_[numbers_[node]]] = node;
}

void strong_components::add_dominated(const edge_lists& edges,
                                      std::vector<std::uint64_t>& weights) const {
    // `size()` stands for what holds the components to which no edge leads.
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> dominator(size(), none);
    // All components that lead to one have larger numbers, and were looked at before it.
    for (std::uint32_t i = size(); i-- > 0;) {
        if (dominator[i] == none) dominator[i] = size();
        for (const std::uint32_t node : nodes_of(i))
            for (const std::uint32_t target : edges.of(node)) {
                const std::uint32_t to = of(target);
                if (to == i) continue;
                std::uint32_t common = i;
                for (std::uint32_t other = dominator[to] == none ? i : dominator[to];
                     common != other;) {
                    if (common < other)
                        common = dominator[common];
                    else
                        other = dominator[other];
                }
                dominator[to] = common;
            }
    }
    for (std::uint32_t i = 0; i != size(); ++i)
        if (dominator[i] != size()) weights[dominator[i]] += weights[i];
}

}  // namespace freehold
