// SPDX-License-Identifier: BSL-1.0
// Rings among leaked objects: the strongly connected components of what leaks, one region after the
// other.
#include "owners/leaked_regions.hpp"
#include "owners/owners_findings.hpp"
#include "owners/strong_components.hpp"
#include "owners/ways_by_pointers.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace freehold {
namespace {

class ring_finder {
public:
    ring_finder(const owner_graph& graph, object_walker& walker, type_layouts& types)
        : graph_(graph), walker_(walker), types_(types), regions_(graph) {}

    std::vector<owner_ring> find() {
        regions_.for_each(
            [this](const std::vector<std::uint32_t>& nodes) { look_at_region(nodes); });
        std::vector<owner_ring> result;
        for (auto& [path, shape] : shapes_) {
            shape.weaken = edge_of(shape.path);
            if (shape.weaken) turn_to_end(shape);
            result.push_back(std::move(shape));
        }
        std::stable_sort(result.begin(), result.end(),
                         [](const auto& a, const auto& b) { return a.retained > b.retained; });
        return result;
    }

private:
    void look_at_region(const std::vector<std::uint32_t>& nodes) {
        edges_.clear();
        for (const std::uint32_t node : nodes) {
            edges_.add_node();
            regions_.for_each_edge_of(node, [this](std::uint32_t to, const found_word&) {
                edges_.add_edge(regions_.index_of(to));
            });
        }
        components_.find(edges_);
        bool has_rings = false;
        for (std::uint32_t i = 0; i != components_.size() && !has_rings; ++i)
            has_rings = is_ring(i);
        if (!has_rings) return;
        retained_.assign(components_.size(), 0);
        for (std::uint32_t i = 0; i != nodes.size(); ++i)
            retained_[components_.of(i)] += graph_.memory_of(nodes[i]);
        components_.add_dominated(edges_, retained_);
        for (std::uint32_t i = 0; i != components_.size(); ++i) {
            if (!is_ring(i)) continue;
            std::vector<held_by> path = shortest_way_around(i, nodes);
            if (path.empty()) continue;
            owner_ring& shape = shapes_[path];
            shape.path = std::move(path);
            ++shape.instances;
            shape.retained += retained_[i];
            for (const std::uint32_t each : components_.nodes_of(i))
                if (graph_.is_block(nodes[each])) shape.bytes += graph_.bytes_of(nodes[each]);
        }
    }

    [[nodiscard]] bool is_ring(std::uint32_t component) const {
        const auto members = components_.nodes_of(component);
        if (members.size() > 1) return true;
        const auto targets = edges_.of(members.front());
        return std::find(targets.begin(), targets.end(), members.front()) != targets.end();
    }

    /// Returns the shortest way from an object back to it, of all types the one whose name is the
    /// first, in the rotation that is the first of its rotations.
    std::vector<held_by> shortest_way_around(std::uint32_t component,
                                             const std::vector<std::uint32_t>& nodes) {
        std::uint32_t start = no_number;
        const std::string* type = nullptr;
        for (const std::uint32_t each : components_.nodes_of(component)) {
            if (!graph_.is_block(nodes[each])) continue;
            const std::string& other = graph_.kind_of(nodes[each]).type;
            if (type != nullptr && *type <= other) continue;
            start = each;
            type = &other;
        }
        if (start == no_number) return {};
        std::vector<std::uint32_t> around;  // nodes
        for (const std::uint32_t each : shortest_cycle(component, start))
            around.push_back(nodes[each]);
        std::vector<held_by> path;
        for (std::size_t i = 0; i != around.size(); ++i)
            if (auto step = step_from(around, i);
                step && (path.empty() || differ(path.back(), *step)))
                path.push_back(std::move(*step));
        if (path.size() > 1 && !differ(path.front(), path.back())) path.pop_back();
        const auto first = std::min_element(path.begin(), path.end());
        std::rotate(path.begin(), first, path.end());
        return path;
    }

    /// Returns the nodes of the region that are on the shortest way from one back to it, which is
    /// the first of them.
    std::vector<std::uint32_t> shortest_cycle(std::uint32_t component, std::uint32_t start) {
        if (reached_from_.size() < edges_.nodes()) reached_from_.resize(edges_.nodes(), no_number);
        std::vector<std::uint32_t> seen = {start};
        std::uint32_t last = no_number;
        for (std::size_t i = 0; i != seen.size() && last == no_number; ++i)
            for (const std::uint32_t to : edges_.of(seen[i])) {
                if (components_.of(to) != component) continue;
                if (to == start) {
                    last = seen[i];
                    break;
                }
                if (reached_from_[to] != no_number) continue;
                reached_from_[to] = seen[i];
                seen.push_back(to);
            }
        std::vector<std::uint32_t> result;
        for (std::uint32_t at = last; at != start; at = reached_from_[at]) result.push_back(at);
        result.push_back(start);
        std::reverse(result.begin(), result.end());
        for (const std::uint32_t each : seen) reached_from_[each] = no_number;
        return result;
    }

    /// Returns the edge from the node of this number to the next one around; the last leads to the
    /// first. Memory that belongs to no object for certain is a part of the way from the object to
    /// it, and has no edge of its own.
    std::optional<held_by> step_from(const std::vector<std::uint32_t>& around, std::size_t number) {
        const std::uint32_t from = around[number];
        if (!graph_.is_block(from)) return std::nullopt;
        const std::uint32_t way = way_to(from, around[(number + 1) % around.size()]);
        if (way != no_number) return walker_.ways()[way];
        std::vector<std::uint32_t> chunks;
        std::uint32_t to = from;
        for (std::size_t i = 1; i <= around.size(); ++i) {
            to = around[(number + i) % around.size()];
            if (graph_.is_block(to)) break;
            chunks.push_back(to);
        }
        if (!chunks.empty())
            if (auto found = way_by_pointers(graph_, walker_, types_, from, chunks, to))
                return found;
        held_by unknown;
        unknown.type = graph_.kind_of(from).type;
        return unknown;
    }
    static bool differ(const held_by& a, const held_by& b) { return a < b || b < a; }

    /// Returns the way to the first owner of a block in an object, or no_number if debug
    /// information does not tell it.
    [[nodiscard]] std::uint32_t way_to(std::uint32_t object, std::uint32_t block) const {
        std::uint64_t address = 0;
        bool is_certain = false;
        regions_.for_each_edge_of(object, [&](std::uint32_t to, const found_word& word) {
            if (to != block || address != 0) return;
            address = word.address;
            is_certain = word.block == block && word.meaning == word_meaning::owner;
        });
        return is_certain ? graph_.content_of(object).way_of(address) : no_number;
    }

    /// Whether a member is named as the way back to what contains the object.
    static bool is_named_as_way_back(const held_by& step) {
        std::string name = step.member.substr(step.member.rfind('.') + 1);
        if (name.starts_with("m_")) name.erase(0, 2);
        std::erase(name, '_');
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        for (const std::string_view end : {"ptr", "pointer", "ref", "handle"})
            if (name.size() > end.size() && name.ends_with(end))
                name.erase(name.size() - end.size());
        static constexpr std::string_view names[] = {"parent", "owner", "back",      "up",
                                                     "outer",  "prev",  "container", "previous"};
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
    }

    static std::optional<edge_to_weaken> edge_of(const std::vector<held_by>& path) {
        if (path.size() == 1 && !path[0].closure.empty())
            return edge_to_weaken{0, "the object keeps the closure that owns it", true};
        std::optional<std::size_t> named;
        std::optional<std::size_t> single;
        std::optional<std::size_t> captured;
        std::size_t captures = 0;
        std::size_t names = 0;
        std::size_t singles = 0;
        for (std::size_t i = 0; i != path.size(); ++i) {
            if (!path[i].closure.empty()) {
                ++captures;
                captured = i;
            }
            if (path[i].member.empty() || path[i].in_container) continue;
            ++singles;
            single = i;
            if (!is_named_as_way_back(path[i])) continue;
            ++names;
            named = i;
        }
        // Only if all others are elements of containers does a single handle show the way back.
        const bool is_only = singles == 1 && path.size() > 1;
        if (names == 1 && is_only)
            return edge_to_weaken{
                *named, "its name and its being a single handle say that it is the way back", true};
        if (names == 1)
            return edge_to_weaken{*named, "its name says that it is the way back", false};
        if (names == 0 && captures == 1)
            return edge_to_weaken{*captured, "the closure owns what keeps the closure", false};
        if (names == 0 && is_only)
            return edge_to_weaken{
                *single, "it is the single handle from an element to what contains it", false};
        return std::nullopt;
    }

    static void turn_to_end(owner_ring& shape) {
        const auto next = static_cast<std::ptrdiff_t>((shape.weaken->step + 1) % shape.path.size());
        std::rotate(shape.path.begin(), shape.path.begin() + next, shape.path.end());
        shape.weaken->step = shape.path.size() - 1;
    }

    const owner_graph& graph_;
    object_walker& walker_;
    type_layouts& types_;
    leaked_regions regions_;
    std::map<std::vector<held_by>, owner_ring> shapes_;
    // Of one region after the other:
    edge_lists edges_;
    strong_components components_;
    std::vector<std::uint64_t> retained_;      // by each component
    std::vector<std::uint32_t> reached_from_;  // the node before each on a shortest way
};

}  // namespace

std::vector<owner_ring> rings_in(const owner_graph& graph, object_walker& walker,
                                 type_layouts& types) {
    return ring_finder(graph, walker, types).find();
}

}  // namespace freehold
