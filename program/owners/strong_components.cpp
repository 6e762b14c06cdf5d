// SPDX-License-Identifier: BSL-1.0
#include "owners/strong_components.hpp"

namespace freehold {

/// While a node is open, its number is the least of those that it is known to lead to, counted up
/// from 1. Those of components are counted down from the largest, so they are larger than all of
/// these.
void strong_components::find() {
    const std::uint32_t nodes = edges_.nodes();
    constexpr std::uint32_t not_seen = 0;
    numbers_.assign(nodes, not_seen);
    std::vector<bool> leads_back(nodes, false);  // to a node that was seen before
    std::vector<bool> leads_to_itself(nodes, false);
    delta_stack calls;   // twice each node, and 1 more if it has further edges
    delta_stack places;  // of these edges
    delta_stack open;    // without calls
    std::uint32_t next = 1;
    std::uint32_t component = UINT32_MAX;
    const auto look = [&](std::uint32_t from, std::uint32_t to) {
        if (numbers_[to] > component) has_edges_between_ = true;
        if (from == to) leads_to_itself[from] = true;
        if (numbers_[to] >= numbers_[from]) return;
        numbers_[from] = numbers_[to];
        leads_back[from] = true;
    };
    const auto close = [&](std::uint32_t node) {
        if (leads_back[node]) {
            open.push(node);
            return;
        }
        --next;
        const std::uint32_t first = numbers_[node];
        bool is_ring = leads_to_itself[node];
        while (!open.empty() && numbers_[open.top()] >= first) {
            const auto member = static_cast<std::uint32_t>(open.pop());
            numbers_[member] = component;
            by_component_.push(member);
            is_ring = true;
            --next;
        }
        numbers_[node] = component--;
        by_component_.push(node);
        rings_.add(is_ring);
    };
    for (std::uint32_t root = 0; root != nodes; ++root) {
        if (numbers_[root] != not_seen) continue;
        std::uint32_t node = root;
        numbers_[node] = next++;
        edge_lists::reader edges = edges_.of(node);
        for (;;) {
            if (edges.has_next()) {
                const std::uint32_t to = edges.next();
                if (numbers_[to] != not_seen) {
                    look(node, to);
                    continue;
                }
                calls.push(std::uint64_t{node} << 1 | std::uint64_t{edges.has_next()});
                if (edges.has_next()) places.push(edges_.place_of(edges));
                node = to;
                numbers_[node] = next++;
                edges = edges_.of(node);
                continue;
            }
            close(node);
            if (calls.empty()) break;
            const std::uint32_t called = node;
            const std::uint64_t call = calls.pop();
            node = static_cast<std::uint32_t>(call >> 1);
            edges =
                (call & 1) != 0 ? edges_.from(places.pop(), called) : edge_lists::without_edges();
            look(node, called);
        }
    }
    size_ = UINT32_MAX - component;
    for (std::uint32_t& each : numbers_) each = UINT32_MAX - each;
    if (!has_edges_between_) by_component_ = {};
}

/// Returns the last node on the shortest way from a node back to it.
std::uint32_t strong_components::reach_back(std::uint32_t start) {
    const std::uint32_t component = numbers_[start];
    waiting_.assign(1, start);
    for (; !waiting_.empty(); waiting_.pop_front()) {
        const std::uint32_t from = waiting_.front();
        for (edge_lists::reader edges = edges_.of(from); edges.has_next();) {
            const std::uint32_t to = edges.next();
            if (numbers_[to] != component) continue;
            if (to == start) return from;
            numbers_[to] = is_reached | from;
            waiting_.push_back(to);
        }
    }
    return start;
}

void strong_components::forget_reached(std::uint32_t start) {
    const std::uint32_t component = numbers_[start];
    waiting_.assign(1, start);
    for (; !waiting_.empty(); waiting_.pop_front())
        edges_.for_each_of(waiting_.front(), [&](std::uint32_t to) {
            if ((numbers_[to] & is_reached) == 0) return;
            numbers_[to] = component;
            waiting_.push_back(to);
        });
}

/// Returns the nearest dominator of each component. `size()` stands for what holds the components
/// to which no edge leads.
std::vector<std::uint32_t> strong_components::dominators() {
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> result(size_, none);
    const auto look = [&](std::uint32_t from, std::uint32_t to) {
        if (to == from) return;
        std::uint32_t common = from;
        for (std::uint32_t other = result[to] == none ? from : result[to]; common != other;) {
            if (common < other)
                common = result[common];
            else
                other = result[other];
        }
        result[to] = common;
    };
    // All components that lead to one have larger numbers, and are looked at before it.
    while (!by_component_.empty()) {
        const auto node = static_cast<std::uint32_t>(by_component_.pop());
        const std::uint32_t component = numbers_[node];
        if (result[component] == none) result[component] = size_;
        edges_.for_each_of(node, [&](std::uint32_t to) { look(component, numbers_[to]); });
    }
    return result;
}

void strong_components::add_dominated(std::vector<std::uint64_t>& weights) {
    if (!has_edges_between_) return;
    const std::vector<std::uint32_t> dominator = dominators();
    for (std::uint32_t i = 0; i != size_; ++i)
        if (dominator[i] != size_) weights[dominator[i]] += weights[i];
}

}  // namespace freehold
